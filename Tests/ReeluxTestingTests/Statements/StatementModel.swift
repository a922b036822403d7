import ReeluxCore
import ReeluxTesting

/// The model of a test store: what the feature does, and which statements are right.
struct StatementModel<Number: StatedNumber> {
  typealias World = StatementWorld<Number>
  typealias Action = StatementAction<Number>
  typealias Record = (action: Action, before: World, after: World)

  struct Running {
    let work: StatementWork
    let row: Int?
    /// The statement that led to the effect.
    let step: Int
    var deadline: Int?
    var order: Int
  }

  /// The changes that a test states; without edits, that nothing changes.
  typealias Statement = (edits: [StatementEdit]?, throws: Bool)

  /// A report that a statement must lead to, or may lead to.
  struct Report {
    var isFailure = true
    var isCertain = true
    var parts: [String]
    /// The fields of the state that the message may name, and whether it must name all of them.
    var fields: Set<String>?
    var namesAll = true
  }

  var world = World()
  var asserted = World()
  var kinds = Exhaustivity.all
  var now = 0
  var running: [Running] = []
  var received: [Record] = []
  var count = 0
  var early: [Int] = []
  private var order = 0

  // MARK: The feature

  @discardableResult mutating func process(_ action: Action, of step: Int, isSent: Bool = false) -> Record {
    let before = world
    for edit in action.edits { edit.apply(to: &world) }
    let record = (action, before, world)
    count += 1
    if !isSent { received.append(record) }
    running.removeAll { effect in effect.row.map { row in !world.rows.contains { $0.id == row } } ?? false }
    while world.isLive, !early.isEmpty { process(.heard(early.removeFirst()), of: -1) }
    switch action {
    case .start(let work): start(work, row: nil, step)
    case .answer(let work, _): work.next.first.map { start($0, row: nil, step) }
    case .cancel(let slot): running.removeAll { $0.row == nil && $0.work.slot == slot }
    case .row(let element):
      guard case .start(let work) = element.action, world.rows.contains(where: { $0.id == element.id }) else { break }
      start(work, row: element.id, step)
    case .edit, .heard: break
    }
    return record
  }

  private mutating func start(_ work: StatementWork, row: Int?, _ step: Int) {
    var effect = Running(work: work, row: row, step: step, order: order)
    order += 1
    var isTimer = false
    switch work.kind {
    case .now, .task, .call: break
    case .later(let steps): effect.deadline = now + steps
    case .timer(let steps): (effect.deadline, isTimer) = (now + steps, true)
    }
    if work.replaces || isTimer { running.removeAll { $0.row == row && $0.work.slot == work.slot } }
    if work.kind == .now || work.kind == .task { answer(effect) } else { running.append(effect) }
  }

  mutating func answer(_ effect: Running, _ number: Int = 0) {
    running.removeAll { $0.order == effect.order }
    let action = effect.row.map { Action.row(ElementAction($0, .answer(effect.work))) }
    process(action ?? .answer(effect.work, .of(number)), of: effect.step)
  }

  /// Wakes the next sleeper. Returns false if there is none.
  mutating func wake(upTo limit: Int) -> Bool {
    let sleepers = running.filter { $0.deadline.map { $0 <= limit } ?? false }
    guard let next = sleepers.min(by: { ($0.deadline ?? 0, $0.order) < ($1.deadline ?? 0, $1.order) }) else {
      return false
    }
    now = next.deadline ?? now
    guard case .timer(let steps) = next.work.kind else {
      answer(next)
      return true
    }
    let action = next.row.map { Action.row(ElementAction($0, .answer(next.work))) }
    process(action ?? .answer(next.work, .of(0)), of: next.step)
    if let index = running.firstIndex(where: { $0.order == next.order }) {
      running[index].deadline = now + steps
      running[index].order = order
      order += 1
    }
    return true
  }

  var calls: [Running] { running.filter { $0.work.kind == .call }.sorted { $0.order < $1.order } }

  /// The ends of the lines about what is running.
  var waits: [String] {
    let effects = running.map { $0.deadline.map { "until \($0).0 seconds" } ?? "the answer to \($0.work.number)" }
    return effects + (world.isLive ? ["waiting for the next Int of a ScriptedSequence"] : [])
  }

  // MARK: Statements

  /// Takes received actions without checking them.
  mutating func skip(_ count: Int, _ text: String) -> [Report] {
    guard count > 0 else { return [] }
    asserted = received[count - 1].after
    received.removeFirst(count)
    return [Report(isFailure: kinds.contains(.receivedActions), parts: ["\(count) ", "action", text])]
  }

  mutating func send(_ action: Action, _ statement: Statement, step: Int) -> [Report] {
    let reports = skip(received.count, "before sending")
    let before = world
    return reports + verify(before, dispatch(action, step: step, isSent: true), statement)
  }

  /// Returns the state after the actions that replace this one.
  @discardableResult mutating func dispatch(_ action: Action, step: Int, isSent: Bool = false) -> World {
    var actions = [action]
    if case .edit(let edits) = action, edits.isEmpty || edits.count > 2 { actions = edits.map { .edit([$0]) } }
    return actions.reduce(world) { _, action in process(action, of: step, isSent: isSent).after }
  }

  mutating func receive(_ isWanted: (Action) -> Bool, _ statement: Statement) -> [Report] {
    guard let index = received.firstIndex(where: { isWanted($0.action) }) else {
      guard let first = received.first else {
        let waits = waits.isEmpty ? ["No effect is running and no feed is open."] : waits
        return [Report(parts: ["Expected to receive", "no action arrived"] + waits)]
      }
      guard kinds.contains(.receivedActions) else {
        return [Report(parts: ["Expected to receive", "only other actions arrived"] + waits)]
      }
      asserted = first.after
      received.removeFirst()
      return [Report(parts: ["Received another action"])]
    }
    let reports = skip(index, "before ")
    let record = received.removeFirst()
    return reports + verify(record.before, record.after, statement)
  }

  var leftovers: [Report] {
    var reports: [Report] = []
    if !received.isEmpty {
      let isFailure = kinds.contains(.receivedActions)
      reports.append(Report(isFailure: isFailure, parts: ["\(received.count) action", "not received by the test"]))
    }
    if !running.isEmpty {
      let parts = ["\(running.count) effect", "still running"] + waits.prefix(running.count)
      reports.append(Report(isFailure: kinds.contains(.runningEffects), parts: parts))
    }
    if world.isLive { reports.append(Report(isFailure: kinds.contains(.openFeeds), parts: ["1 feed is still open"])) }
    return reports
  }

  /// The reports about a state.
  private mutating func verify(_ before: World, _ after: World, _ statement: Statement) -> [Report] {
    func differences(_ left: World, _ right: World) -> Set<String> {
      let texts = right.texts
      return Set(left.texts.filter { texts[$0.key] != $0.value }.keys)
    }
    asserted = after
    if statement.throws { return [Report(parts: ["threw an error"])] }
    let edits = statement.edits
    var expected = before
    for edit in edits ?? [] { edit.apply(to: &expected) }
    let wrong = differences(expected, after)
    let isExhaustive = kinds.contains(.stateChanges)
    if wrong.isEmpty { return [] }
    guard let edits else { return [Report(isFailure: isExhaustive, parts: ["was not expected"], fields: wrong)] }
    var failure = Report(parts: ["is not the expected one"], fields: wrong)
    if isExhaustive { return [failure] }
    let met = edits.map { isMet($0, before, expected, after) }
    var note = Report(isFailure: false, isCertain: false, parts: ["changed more than was stated"], fields: wrong)
    if !met.contains(false), !met.contains(nil) {
      note.isCertain = true
      return [note]
    }
    failure.isCertain = met.contains(false)
    (failure.namesAll, note.namesAll) = (false, false)
    return [failure, note]
  }

  /// Whether the part of an edit has its expected value; `nil` if the documentation does not say how it is compared.
  private func isMet(_ edit: StatementEdit, _ before: World, _ expected: World, _ after: World) -> Bool? {
    let parts = [before, expected, after].map { text(of: edit, in: $0) }
    if [.row, .order].contains(edit.part), expected.rows.map(\.id) != after.rows.map(\.id) {
      let isCertain = edit.part == .row ? parts[1] != parts[2] : Set([before, expected, after].map(ids)).count == 1
      return isCertain && parts[0] != parts[1] ? false : nil
    }
    if parts[1] == parts[2] { return true }
    let lines = Set([before, expected, after].map { $0.sheet?.lines ?? [] })
    if [.sheet, .sheetTitle].contains(edit.part), lines.count > 1 { return nil }
    // A closure that adds one element and removes another one states the elements that it has changed.
    if [.line, .lastLine].contains(edit.part), before.lines.count == expected.lines.count { return nil }
    if parts[0] != parts[1] { return false }
    return [.count, .ratio, .phase, .title, .filter, .box].contains(edit.part) ? false : nil
  }

  private func ids(_ world: World) -> [Int] { world.rows.map(\.id).sorted() }

  /// The part of the state that an edit sets.
  private func text(of edit: StatementEdit, in world: World) -> String? {
    let row = world.rows.first { $0.id == edit.value % 4 }
    return switch edit.part {
    case .count, .added: "\(world.count)"
    case .ratio: world.ratio.text
    case .phase: world.texts["phase"]
    case .title: world.page.title
    case .filter: world.page.filter.map { "\($0.id) \($0.title) \($0.score?.text ?? "")" }
    case .pageLine: "\(world.page.lines)"
    case .sheet: world.texts["sheet"]
    case .sheetTitle: world.sheet?.title
    case .score: world.scores["\(edit.value % 3)"]?.text
    case .row: row.map { "\($0.title) \($0.score?.text ?? "")" }
    case .rowTitle: row?.title
    case .rowScore: row?.score?.text
    case .order: "\(world.rows.map(\.id))"
    case .line, .lastLine: "\(world.lines)"
    case .tag: "\(world.tags.contains(edit.value % 4))"
    case .box: world.box.number.text
    case .live: "\(world.isLive)"
    }
  }
}
