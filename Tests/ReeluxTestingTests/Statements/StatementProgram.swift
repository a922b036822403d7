import ReeluxCore
import ReeluxDiff
import ReeluxTesting

/// A random test of the feature. It runs on a test store and on the model in parallel.
struct StatementProgram<Number: StatedNumber> {
  private typealias Model = StatementModel<Number>
  private typealias Action = StatementAction<Number>
  private typealias World = StatementWorld<Number>
  private struct Mistake: Error {}

  private var random: SplitMix64
  private var model = Model()
  private let clock = TestClock()
  private let calls = ScriptedCalls<Int, Void>()
  private let news = ScriptedSequence<Int>()
  private var tasks: [Int: TestTask<Action, World>] = [:]
  private var step = 1
  private var isFinished = false
  private var hasSmallBudget = false
  /// The parts that this program changes. If they are few and related, more statements concern the same part.
  private let parts: [StatementEdit.Part]
  private(set) var history: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    // Only an action without effects opens the feed, so that one task runs at a time.
    let all = StatementEdit.Part.allCases.filter { $0 != .live }
    let first = Int(random.next() % UInt64(all.count))
    parts = (0..<Int(random.next() % 6) + 2).map { all[(first + $0) % all.count] }
  }

  /// Runs the program. Returns the first difference from the model.
  mutating func run() async -> String? {
    let feature = StatementFeature<Number>(clock: clock, calls: calls, news: news).feature
    model.kinds = below(2) == 0 ? .all : Exhaustivity(rawValue: below(16))
    var store = Optional(TestStore(initialState: World(), feature: feature, exhaustivity: model.kinds, line: 1))
    let isShown = below(2) == 0
    hasSmallBudget = below(4) == 0
    store?.showSkipped = isShown
    if hasSmallBudget {
      store?.inspectionBudget = InspectionBudget(
        depth: below(4), visits: below(9), changes: below(3), textLength: 9, elements: 1, edits: below(2))
    }
    for number in 2...(below(24) + 2) {
      step = number
      if let store, let fault = await take(store) ?? fault(store) { return fault }
    }
    step = 1
    note("release the store with checks \(model.kinds.rawValue)")
    let reports = capturingFailures {
      tasks = [:]
      store = nil
    }
    return difference(reports, isFinished ? [] : model.leftovers, isShown)
  }

  private mutating func note(_ text: String) { history.append("\(step): \(text)") }

  private func text(_ value: Any) -> String {
    ValueText.describing(value, budget: InspectionBudget(textLength: .max, elements: .max))
  }

  // MARK: Random values

  private mutating func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  private mutating func edits(_ count: Int) -> [StatementEdit] {
    (0..<count).map { _ in StatementEdit(part: parts[below(parts.count)], value: below(9)) }
  }

  private mutating func work(depth: Int) -> StatementWork {
    let kinds: [StatementWork.Kind] = [.now, .task, .later(below(4) + 1), .timer(below(3) + 1), .call]
    let kind = kinds[below(5)]
    let isTimer = if case .timer = kind { true } else { false }
    let next = depth > 0 && !isTimer && below(2) == 0 ? [work(depth: depth - 1)] : []
    return StatementWork(
      number: below(100), kind: kind, slot: below(2), replaces: below(2) == 0, edits: edits(below(3)), next: next)
  }

  private mutating func action() -> Action {
    switch below(8) {
    case 0, 1: .start(work(depth: 2))
    case 2: .row(ElementAction(below(4), .start(work(depth: 0))))
    case 3: .cancel(slot: below(2))
    case 4: .edit([StatementEdit(part: .live, value: 0)])
    default: .edit(edits(below(5)))
    }
  }

  /// A right or a wrong statement about these changes, and a closure that makes it.
  private mutating func statement(
    _ right: [StatementEdit]
  ) -> (statement: Model.Statement, closure: ((inout World) throws -> Void)?) {
    var edits = right
    let kind = below(10)
    switch kind {
    case 0: edits += self.edits(1)
    case 1: _ = edits.popLast()
    case 2: if !edits.isEmpty { edits[below(edits.count)].value = below(2) * below(9) }
    case 3: return ((nil, false), nil)
    case 5: edits = self.edits(1)
    default: break
    }
    let fails = kind == 4 && below(4) == 0
    return (
      (edits, fails),
      { [edits] world in
        for edit in edits { edit.apply(to: &world) }
        if fails { throw Mistake() }
      }
    )
  }

  // MARK: Statements

  private mutating func take(_ store: TestStore<Action, World>) async -> String? {
    let line = UInt(step)
    var expected: [Model.Report] = []
    let reports: [FailureReport]
    var isShown = store.showSkipped
    switch below(22) {
    case 0...6:
      let action = action()
      let (statement, closure) = statement(action.edits)
      note("send \(text(action)), stating \(text(statement))")
      reports = await capturingFailures { tasks[step] = await store.send(action, line: line, closure) }
      expected = model.send(action, statement, step: step)
      isFinished = false
    case 7...12: (reports, expected) = await receive(store)
    case 13, 14:
      let steps = below(6) - 1
      note("advance by \(steps) s")
      reports = await capturingFailures { await clock.advance(by: .seconds(steps)) }
      let target = model.now + max(0, steps)
      while model.wake(upTo: target) {}
      model.now = target
    case 15:
      let limit = below(4)
      note("run the clock, limit \(limit)")
      reports = await capturingFailures { await clock.run(limit: limit, line: line) }
      var count = 0
      while count < limit, model.wake(upTo: .max) { count += 1 }
      if model.running.contains(where: { $0.deadline != nil }) {
        expected = [Model.Report(isFailure: false, parts: ["run(limit:) stopped after \(count) wake-up"])]
        isShown = true
      }
    case 16, 17:
      let (index, fails) = (below(2), below(2) == 0)
      note("answer call \(index)\(fails ? " with an error" : "")")
      reports = await capturingFailures {
        if fails {
          await calls.fail(Mistake(), at: index, line: line)
        } else {
          await calls.succeed((), at: index, line: line)
        }
      }
      let waiting = model.calls
      if index < waiting.count { model.answer(waiting[index], fails ? 3 : 0) }
      if index >= waiting.count {
        expected = [
          Model.Report(parts: [
            waiting.isEmpty ? "No call waits for an answer." : "There is no call number \(index) to answer."
          ])
        ]
      }
    case 18:
      let value = below(9)
      note("send news \(value)")
      reports = await capturingFailures { await news.send(value) }
      if model.world.isLive { model.process(.heard(value), of: -1) } else { model.early.append(value) }
    case 19:
      guard let (number, task) = tasks.min(by: { $0.key < $1.key }), below(2) == 0 else { return await other(store) }
      let isRunning = model.running.contains { $0.step == number }
      note("finish the effects of statement \(number)")
      reports = await capturingFailures { await task.finish(line: line) }
      expected = isRunning ? [Model.Report(parts: ["The action's effects have not ended."] + model.waits)] : []
      if below(2) == 0 {
        note("cancel the effects of statement \(number)")
        await task.cancel()
        model.running.removeAll { $0.step == number }
        tasks[number] = nil
      }
    case 20:
      note("assert that the test is finished")
      reports = await capturingFailures { await store.assertFinished(line: line) }
      expected = model.leftovers
      isFinished = true
    default: return await other(store)
    }
    return difference(reports, expected, isShown)
  }

  /// A step that states nothing.
  private mutating func other(_ store: TestStore<Action, World>) async -> String? {
    switch below(3) {
    case 0:
      model.kinds.formSymmetricDifference([.stateChanges, .receivedActions, .runningEffects, .openFeeds][below(4)])
      store.exhaustivity = model.kinds
      note("check \(model.kinds.rawValue)")
    case 1:
      note("skip the received actions")
      let count = model.received.count
      _ = model.skip(count, "")
      if await store.skipReceivedActions() != count { return "it has not skipped \(count) actions" }
    default:
      let action = action()
      note("dispatch \(text(action))")
      store.store.dispatch(action)
      await store.settle()
      model.dispatch(action, step: step)
    }
    return nil
  }

  private mutating func receive(_ store: TestStore<Action, World>) async -> ([FailureReport], [Model.Report]) {
    let line = UInt(step)
    let count = model.received.count
    var wanted = count == 0 ? .heard(below(3)) : model.received[below(3) == 0 ? below(count) : 0].action
    let isByCase = below(2) == 0
    if below(8) == 0 {
      switch wanted {
      case .answer(let work, _): wanted = .answer(work, .of(below(7)))
      case .heard(let value): wanted = .heard(value + 1)
      default: wanted = action()
      }
    }
    func isWanted(_ action: Action) -> Bool {
      switch (wanted, action) {
      case (.answer, .answer) where isByCase, (.heard, .heard) where isByCase, (.row, .row) where isByCase: true
      default: wanted.text == action.text
      }
    }
    let found = model.received.first { isWanted($0.action) }
    let (statement, closure) = statement(found?.action.edits ?? [])
    note("receive \(isByCase ? "the case or value of " : "")\(text(wanted)), stating \(text(statement))")
    var isFound = found != nil
    let isExpected = isFound
    let reports = await capturingFailures {
      switch wanted {
      case .answer where isByCase: isFound = await store.receive(case: Action.answer, line: line, closure) != nil
      case .heard where isByCase: isFound = await store.receive(case: Action.heard, line: line, closure) != nil
      case .row where isByCase: isFound = await store.receive(StatementFeature.row, line: line, closure) != nil
      case _ where isByCase: isFound = await store.receive(where: isWanted, line: line, closure) != nil
      default: await store.receive(wanted, line: line, closure)
      }
    }
    let expected = model.receive(isWanted, statement)
    return (reports, isFound == isExpected ? expected : [Model.Report(parts: ["The wrong action is returned."])])
  }

  // MARK: Comparison

  private func fault(_ store: TestStore<Action, World>) -> String? {
    if store.state.texts != model.asserted.texts {
      return "the state is \(store.state.texts), not \(model.asserted.texts)"
    }
    if store.store.state.texts != model.world.texts { return "the newest state is wrong" }
    if store.history.count != model.count { return "\(store.history.count) actions, not \(model.count)" }
    let deadlines = model.running.compactMap(\.deadline).sorted().map { TestInstant(offset: .seconds($0)) }
    if clock.sleepers != deadlines { return "the sleepers are \(clock.sleepers), not \(deadlines)" }
    if calls.pending != model.calls.map(\.work.number) { return "the calls are \(calls.pending)" }
    return news.readerCount == (model.world.isLive ? 1 : 0) ? nil : "the feed is wrong"
  }

  private func difference(_ reports: [FailureReport], _ expected: [Model.Report], _ isShown: Bool) -> String? {
    var rest = reports[...]
    for report in expected where report.isFailure || isShown {
      if let first = rest.first, isSame(first, report) {
        rest.removeFirst()
      } else if report.isCertain {
        return "it should report \(report), but reported \(rest.first.map { "\($0)" } ?? "nothing")"
      }
    }
    return rest.first.map { "it should not report \($0)" }
  }

  private func isSame(_ report: FailureReport, _ expected: Model.Report) -> Bool {
    guard report.isFailure == expected.isFailure, report.line == step, report.fileID == #fileID,
      expected.parts.allSatisfy({ report.message.contains($0) })
    else { return false }
    guard let fields = expected.fields, !hasSmallBudget else { return true }
    let lines = report.message.split(separator: "\n").filter { $0.hasPrefix("  ") }
    let names = Set(lines.map { $0.dropFirst(2).prefix { $0.isLetter }.description })
    return expected.namesAll ? names == fields : !names.isEmpty && names.isSubset(of: fields)
  }
}
