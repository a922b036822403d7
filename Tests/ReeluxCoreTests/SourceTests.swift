import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Foundation
import Testing

/// Section B: the source of an action.
@Suite(.timeLimit(.minutes(15))) struct SourceTests {
  enum Action: Sendable, Equatable {
    case go
    case answer(Int)
    case part(Part)
    case element(ElementAction<Int, Part>)
  }
  enum Part: Sendable, Equatable {
    case go
    case answer(Int)
  }
  struct Element: Sendable, Identifiable, Equatable {
    let id: Int
    var count = 0
  }
  struct State: Sendable {
    var count = 0
    var optional: Int? = 0
    var elements = [Element(id: 3)]
  }

  static let part = Prism(case: Action.part) { if case .part(let part) = $0 { part } else { nil } }
  static let element = Prism(case: Action.element) { if case .element(let it) = $0 { it } else { nil } }

  static func recorder<Seen: Sendable, Local: Sendable>(
    _ journal: Journal<ActionSource>, _: Seen.Type = Seen.self, _: Local.Type = Local.self
  ) -> Middleware<Seen, Seen, Local> {
    Middleware { _, source, _ in
      journal.write(source)
      return .none
    }
  }

  @Test(.conformance(17)) func dispatchRecordsItsCaller() {
    let journal = Journal<ActionSource>()
    let store = Store<Action, Int>(initialState: 0, reducer: .identity, middleware: Self.recorder(journal))
    store.dispatch(.go)
    let line: UInt = #line - 1
    store.dispatch(.go, info: "why")
    #expect(
      journal.entries == [
        ActionSource(file: #fileID, function: #function, line: line),
        ActionSource(info: "why", file: #fileID, function: #function, line: line + 2),
      ])
    #expect(journal.entries.map(\.info) == [nil, "why"])
    #expect(journal.entries.first?.file.hasSuffix("ReeluxCoreTests/SourceTests.swift") == true)
  }

  @Test(.conformance(17)) func everyHandlerRecordsItsCaller() {
    let journal = Journal<ActionSource>()
    let store = Store<Action, Int>(initialState: 0, reducer: .identity, middleware: Self.recorder(journal))
    let handler: any ActionHandler<Action> = store
    handler.dispatch(.go, info: "handler")
    let first: UInt = #line - 1
    store.contramap { (value: Int) in Action.answer(value) }.dispatch(1)
    let second: UInt = #line - 1
    #expect(journal.entries.map(\.line) == [first, second])
    #expect(journal.entries.map(\.file) == [#fileID, #fileID])
    #expect(journal.entries.map(\.function) == [#function, #function])
  }

  @Test(.conformance(18)) func theSourceReachesEveryMiddlewareThroughEveryLift() {
    let journal = Journal<ActionSource>()
    let store = Store<Action, State>(
      initialState: State(),
      feature: Feature {
        Self.recorder(journal, Part.self, Int.self).lift(action: Self.part, state: \.count)
        Feature(middleware: Self.recorder(journal, Part.self, Int.self)).lift(action: Self.part, optional: \.optional)
        Feature(middleware: Self.recorder(journal, Part.self, Element.self))
          .lift(action: Self.element, element: .byID(\.elements))
        Self.recorder(journal, Part.self, Int.self)
          .lift(input: Self.part.extract, output: Action.part, state: \.count)
      })
    let source = ActionSource(info: "kept", file: "A/B.swift", function: "f", line: 7)
    store.dispatch(.part(.go), from: source)
    #expect(journal.entries == [source, source, source])
    store.dispatch(.element(ElementAction(3, .go)), from: source)
    #expect(journal.entries == [source, source, source, source])
  }

  @Test(.conformance(18)) func projectionsSelectionsAndChildrenKeepTheSource() {
    let journal = Journal<ActionSource>()
    let store = Store<Action, Int>(initialState: 0, reducer: .identity, middleware: Self.recorder(journal))
    let source = ActionSource(info: "kept", file: "A/B.swift", function: "f", line: 7)
    let projection = store.projection(action: { (part: Part) in .part(part) }, state: { $0 })
    projection.dispatch(.go, from: source)
    projection.projection(action: { (value: Int) in .answer(value) }, state: { $0 }).dispatch(1, from: source)
    store.bufferedProjection(action: { (part: Part) in .part(part) }, state: { $0 }).dispatch(.go, from: source)
    let childJournal = Journal<ActionSource>()
    let child = store.child(
      initialState: 0, reducer: Reducer<Part, Int>.identity, middleware: Self.recorder(childJournal),
      toRoot: Action.part)
    child.dispatch(.go, from: source)
    #expect(journal.entries == [source, source, source, source])
    #expect(childJournal.entries == [source])
  }

  @Test(.conformance(18)) func anInterceptedActionKeepsTheSource() {
    let journal = Journal<ActionSource>()
    let store = Store<Action, Int>(
      initialState: 0,
      feature: Feature(
        middleware: Self.recorder(journal),
        interceptor: Interceptor { action, _, _ in action == .go ? .multiply([.answer(1), .answer(2)]) : .pass }))
    let source = ActionSource(info: "kept", file: "A/B.swift", function: "f", line: 7)
    store.dispatch(.go, from: source)
    #expect(journal.entries == [source, source])
  }

  @Test(.conformance(19)) func effectsSendFromWhereTheyAreWritten() async {
    let seen = Journal<DispatchedAction<Int>>()
    let lines = Journal<UInt>()
    let middleware = Middleware<Int, Int, Int> { action, source, _ in
      seen.write(DispatchedAction(action, source: source))
      guard action == 0 else { return .none }
      lines.write(#line)
      return .merge(
        .send(1),
        .send([2]),
        .afterReducer { send in send(3) },
        .run { send in send(4, info: "running") },
        .task { 5 },
        .task(catch: { _ in 6 }) { throw Failed() },
        .sequence(Numbers(count: 1)) { _ in 7 },
        .send(8).delay(for: .zero),
        .run { $0(9) }.debounce(id: "d", for: .zero),
        .send(10).throttle(id: "t", for: .seconds(1), clock: ImmediateClock()))
    }
    let store = Store<Int, Int>(initialState: 0, reducer: .identity, middleware: middleware)
    await store.dispatch(0).finish()
    await store.settle()
    let base = lines.entries.first ?? 0
    let places = Dictionary(
      uniqueKeysWithValues: seen.entries.filter { $0.action > 0 }.map { ($0.action, $0.source.line - base) })
    #expect(
      places == Dictionary(uniqueKeysWithValues: (1...10).map { ($0, UInt($0) + 1) }))
    #expect(seen.entries.allSatisfy { $0.source.file == #fileID })
    #expect(seen.entries.first { $0.action == 4 }?.source.info == "running")
  }

  @Test(.conformance(19)) func feedsTimersAndStartsSendFromWhereTheyAreWritten() async {
    struct Beginner: FeedingMiddleware {
      let clock: TestClock
      let seen: Journal<DispatchedAction<Int>>
      let lines: Journal<UInt>
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        seen.write(DispatchedAction(action, source: source))
        return action == 2 ? .cancel(id: "timer") : .none
      }
      func start(state: GetState<Int>) -> Effect<Int> {
        lines.write(#line)
        return .send(1) <> .timer(id: "timer", every: .seconds(1), clock: clock) { 2 }
      }
      func feeds(for state: Int) -> [Feed<Int>] {
        lines.write(#line)
        return [Feed(key: 1) { send in send(3) }]
      }
    }
    let clock = TestClock()
    let seen = Journal<DispatchedAction<Int>>()
    let lines = Journal<UInt>()
    let store = Store<Int, Int>(
      initialState: 0, reducer: .identity,
      middleware: Middleware(Beginner(clock: clock, seen: seen, lines: lines)))
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.settle()
    await seen.reaches(count: 3)
    for entry in seen.entries {
      let expected = entry.action == 3 ? lines.entries[1] + 1 : lines.entries[0] + 1
      #expect(entry.source.line == expected)
      #expect(entry.source.file == #fileID)
    }
    #expect(seen.entries.map(\.action).sorted() == [1, 2, 3])
  }

  @Test(.conformance(20)) func sourcesAndDispatchedActionsRoundTrip() throws {
    let sources = [
      ActionSource(), ActionSource(info: "why \"so\""),
      ActionSource(file: "Ä/B.swift", function: "f(_:)", line: .max),
    ]
    for source in sources {
      let action = DispatchedAction("go", source: source)
      let decoded = try JSONDecoder().decode(
        DispatchedAction<String>.self, from: JSONEncoder().encode(action))
      #expect(decoded == action)
      #expect(decoded.hashValue == action.hashValue)
      #expect(decoded.source.description == source.description)
    }
    #expect(Set(sources).count == 3)
    #expect(ActionSource(line: 1) != ActionSource(line: 2))
    #expect(ActionSource(info: nil, line: 1) != ActionSource(info: "", line: 1))
    #expect(DispatchedAction(1, source: sources[0]).map { $0 + 1 } == DispatchedAction(2, source: sources[0]))
    func takesSendable(_: some Sendable) {}
    takesSendable(DispatchedAction(1, source: sources[0]))
  }
}

struct Failed: Error {}

/// The numbers from 0 on.
struct Numbers: AsyncSequence, Sendable {
  var count: Int
  struct AsyncIterator: AsyncIteratorProtocol {
    var next = 0
    let count: Int
    mutating func next() async -> Int? {
      guard next < count else { return nil }
      defer { next += 1 }
      return next
    }
  }
  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(count: count) }
}
