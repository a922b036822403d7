import ReeluxCore
import ReeluxTesting

/// A number that is `Equatable` or not. So the state and the actions of the random tests are `Equatable` or not.
protocol StatedNumber: Sendable {
  init(_ value: Double)
  var value: Double { get }
}

extension Double: StatedNumber { var value: Double { self } }

struct LooseNumber: StatedNumber {
  var value: Double
  init(_ value: Double) { self.value = value }
}

extension StatedNumber {
  static func of(_ value: Int) -> Self { Self([0, 1, 2.5, .nan, -0.0, .infinity, -1e-9][value % 7]) }
  /// Equal numbers have equal texts.
  var text: String { value == 0 ? "0" : "\(value)" }
}

/// The state of the random tests.
struct StatementWorld<Number: StatedNumber>: Sendable {
  struct Row: Identifiable, Sendable {
    let id: Int
    var title = "0"
    var score: Number?
  }
  struct Page: Sendable {
    var title = "0"
    var filter: Row?
    var lines: [Int] = []
  }
  indirect enum Phase: Sendable {
    case idle, failed(code: Int), loaded(Number, Int), nested(Phase)
  }
  final class Box: Sendable {
    let number: Number
    init(_ number: Number) { self.number = number }
  }

  var count = 0
  var ratio = Number(0)
  var phase = Phase.idle
  var page = Page()
  var sheet: Page?
  var scores: [String: Number] = [:]
  var rows: [Row] = []
  var lines: [Int] = []
  var tags: Set<Int> = []
  var box = Box(Number(0))
  var isLive = false

  /// The fields as text. Two fields are equal if their texts are equal. This does not use `ReeluxDiff`.
  var texts: [String: String] {
    func text(_ row: Row?) -> String { row.map { "\($0.id) \($0.title) \($0.score?.text ?? "nil")" } ?? "nil" }
    func text(_ page: Page) -> String { "\(page.title) \(text(page.filter)) \(page.lines)" }
    func text(_ phase: Phase) -> String {
      switch phase {
      case .loaded(let number, let count): "loaded \(number.text) \(count)"
      case .nested(let inner): "nested \(text(inner))"
      default: "\(phase)"
      }
    }
    return [
      "count": "\(count)", "ratio": ratio.text, "phase": text(phase), "page": text(page),
      "sheet": sheet.map(text) ?? "nil", "scores": "\(scores.mapValues(\.text).sorted { $0.key < $1.key })",
      "rows": "\(rows.map(text))", "lines": "\(lines)", "tags": "\(tags.sorted())", "box": box.number.text,
      "isLive": "\(isLive)",
    ]
  }
}

extension StatementWorld: Equatable where Number: Equatable {}
extension StatementWorld.Row: Equatable where Number: Equatable {}
extension StatementWorld.Page: Equatable where Number: Equatable {}
extension StatementWorld.Phase: Equatable where Number: Equatable {}
extension StatementWorld.Box: Equatable where Number: Equatable {
  static func == (left: StatementWorld.Box, right: StatementWorld.Box) -> Bool { left.number == right.number }
}

/// A change of one part of the state.
struct StatementEdit: Sendable, Equatable {
  enum Part: CaseIterable {
    case count, added, ratio, phase, title, filter, pageLine, sheet, sheetTitle, score, row, rowTitle, rowScore, order
    case line, lastLine, tag, box, live
  }
  var part: Part
  var value: Int

  func apply<Number: StatedNumber>(to world: inout StatementWorld<Number>) {
    typealias World = StatementWorld<Number>
    let row = world.rows.firstIndex { $0.id == value % 4 }
    switch part {
    case .count: world.count = value
    case .added: world.count += value
    case .ratio: world.ratio = .of(value)
    case .phase:
      let phases = [World.Phase.idle, .failed(code: value), .loaded(.of(value), value / 3)]
      world.phase = value % 5 == 0 ? .nested(phases[value % 3]) : phases[value % 3]
    case .title: world.page.title = "\(value)"
    case .filter: world.page.filter = value % 3 == 0 ? nil : World.Row(id: value % 2, score: .of(value))
    case .pageLine: world.page.lines.append(value)
    case .sheet: world.sheet = value % 3 == 0 ? nil : World.Page(title: "\(value)")
    case .sheetTitle: world.sheet?.title = "\(value)"
    case .score: world.scores["\(value % 3)"] = value % 5 == 0 ? nil : .of(value)
    case .row: if let row { world.rows.remove(at: row) } else { world.rows.append(World.Row(id: value % 4)) }
    case .rowTitle: if let row { world.rows[row].title = "\(value)" }
    case .rowScore: if let row { world.rows[row].score = value < 4 ? nil : .of(value) }
    case .order:
      if value < 4 { world.rows.reverse() } else { world.rows = Array(world.rows.dropFirst() + world.rows.prefix(1)) }
    case .line: world.lines.insert(value, at: world.lines.count / 2)
    case .lastLine: _ = world.lines.popLast()
    case .tag: if world.tags.remove(value % 4) == nil { world.tags.insert(value % 4) }
    case .box: world.box = World.Box(.of(value))
    case .live: world.isLive.toggle()
    }
  }
}

/// The work of an effect.
struct StatementWork: Sendable, Equatable {
  enum Kind: Sendable, Equatable { case now, task, later(Int), timer(Int), call }
  var number: Int
  var kind: Kind
  var slot: Int
  var replaces: Bool
  var edits: [StatementEdit]
  /// The work that the answer starts.
  var next: [StatementWork]
}

enum StatementAction<Number: StatedNumber>: Sendable {
  enum RowAction: Sendable, Equatable { case start(StatementWork), answer(StatementWork) }

  /// The interceptor drops it without edits, and makes one action of each edit if there are more than two.
  case edit([StatementEdit])
  case start(StatementWork)
  case row(ElementAction<Int, RowAction>)
  case answer(StatementWork, Number)
  case heard(Int)
  case cancel(slot: Int)

  /// What the reducer does.
  var edits: [StatementEdit] {
    switch self {
    case .edit(let edits): edits
    case .answer(let work, _): work.edits
    case .heard(let value): [StatementEdit(part: .added, value: value)]
    case .row(let row):
      if case .answer(let work) = row.action { work.edits } else { [] }
    case .start, .cancel: []
    }
  }
  var text: String {
    if case .answer(let work, let number) = self { "answer \(work) \(number.text)" } else { "\(self)" }
  }
}

extension StatementAction: Equatable where Number: Equatable {}

/// The feature of the random tests.
struct StatementFeature<Number: StatedNumber>: FeedingMiddleware {
  typealias World = StatementWorld<Number>
  typealias Action = StatementAction<Number>

  let clock: TestClock
  let calls: ScriptedCalls<Int, Void>
  let news: ScriptedSequence<Int>

  static var row: Prism<Action, ElementAction<Int, Action.RowAction>> {
    Prism(case: Action.row) { if case .row(let it) = $0 { it } else { nil } }
  }

  func effect<Answer>(_ work: StatementWork, _ answer: @escaping @Sendable (Int) -> Answer) -> Effect<Answer> {
    let effect: Effect<Answer>
    switch work.kind {
    case .now: effect = .send(answer(0))
    case .task: effect = .task { answer(0) }
    case .later(let steps): effect = .send(answer(0)).delay(for: .seconds(steps), clock: clock)
    case .timer(let steps): return .timer(id: work.slot, every: .seconds(steps), clock: clock) { answer(0) }
    case .call:
      effect = .task(catch: { _ in answer(3) }) { [calls] in
        try await calls(work.number)
        return answer(0)
      }
    }
    return effect.cancellable(id: work.slot, cancelInFlight: work.replaces)
  }

  func handle(action: Action, from source: ActionSource, state: GetState<World>) -> Effect<Action> {
    switch action {
    case .start(let work): effect(work) { .answer(work, .of($0)) }
    case .answer(let work, _): work.next.first.map { next in effect(next) { .answer(next, .of($0)) } } ?? .none
    case .cancel(let slot): .cancel(id: slot)
    case .edit, .row, .heard: .none
    }
  }

  func feeds(for state: World) -> [Feed<Action>] {
    guard state.isLive else { return [] }
    return [
      Feed(key: "news") { [news] send in
        let values = news.makeAsyncIterator()
        while let value = try? await values.next() { send(.heard(value)) }
      }
    ]
  }

  var feature: Feature<Action, World> {
    let rows = Feature<Action.RowAction, World.Row>(
      middleware: Middleware { action, _, _ in
        guard case .start(let work) = action else { return .none }
        return effect(work) { _ in .answer(work) }
      })
    let interceptor = Interceptor<Action, World> { action, _, _ in
      guard case .edit(let edits) = action, edits.isEmpty || edits.count > 2 else { return .pass }
      return edits.isEmpty ? .drop : .multiply(edits.map { .edit([$0]) })
    }
    let reducer = Reducer<Action, World> { action, world in
      for edit in action.edits { edit.apply(to: &world) }
    }
    return Feature {
      Feature(reducer: reducer, middleware: Middleware(self), interceptor: interceptor)
      rows.lift(action: Self.row, element: .byID(\World.rows))
    }
  }
}
