import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// The lift over each element of a collection.
@Suite(.timeLimit(.minutes(15))) struct EachLiftTests {
  /// A row that counts the reads of its id.
  struct Row: Sendable, Identifiable {
    let number: Int
    var reads: Journal<Int>?
    var id: Int {
      reads?.write(number)
      return number
    }
  }
  /// A row without an id.
  struct Line: Sendable { let number: Int }
  struct App: Sendable {
    var rows: [Row] = []
    var lines: [Line] = []
    var count = 0
  }
  enum Action: Sendable { case start, change(@Sendable (inout App) -> Void) }

  static let root = Feature<Action, App>(
    reducer: .partial { action, app in
      guard case .change(let change) = action else { return false }
      change(&app)
      return true
    })

  /// Writes the numbers of the elements whose effects are not cancelled before the door opens.
  static func watching<State: Sendable>(
    _ door: Door, _ ended: Journal<Int>, _ number: @escaping @Sendable (State) -> Int
  ) -> Feature<Action, State> {
    Feature(
      middleware: Middleware { action, _, state in
        guard case .start = action else { return .none }
        return .run { [number = number(state())] _ in
          await door.pass()
          if !Task.isCancelled { ended.write(number) }
        }
      })
  }

  @Test(.conformance(88)) func theEffectsOfEachElementFollowItsID() async {
    let (door, ended) = (Door(), Journal<Int>())
    let store = Store(
      initialState: App(rows: [10, 20, 30].map { Row(number: $0) }),
      feature: Feature {
        Self.watching(door, ended, \Row.number).lift(action: .identity, each: \App.rows)
        Self.root
      })
    store.dispatch(.start)
    store.dispatch(.change { $0.rows.swapAt(0, 2) })
    #expect(store.effects.running.count == 3)
    store.dispatch(.change { $0.rows.removeAll { $0.number == 10 } })
    #expect(store.effects.running.count == 2)
    store.dispatch(.change { $0.rows.insert(Row(number: 10), at: 0) })
    store.dispatch(.change { $0.rows.removeLast() })
    #expect(store.effects.running.count == 1)
    door.open()
    await store.settle()
    #expect(ended.entries == [30])
  }

  @Test(.conformance(88)) func theEffectsOfEachElementWithoutAnIDBelongToItsPosition() async {
    let (door, ended) = (Door(), Journal<Int>())
    let store = Store(
      initialState: App(lines: [10, 20].map { Line(number: $0) }),
      feature: Feature {
        Self.watching(door, ended, \Line.number).lift(action: .identity, each: \App.lines)
        Self.root
      })
    store.dispatch(.start)
    store.dispatch(.change { $0.lines.removeFirst() })
    #expect(store.effects.running.count == 1)
    door.open()
    await store.settle()
    #expect(ended.entries == [10])
  }

  @Test(.conformance(54)) func theFeedsOfEachElementFollowItsID() {
    struct Feeding: FeedingMiddleware {
      func handle(action: Action, from source: ActionSource, state: GetState<Row>) -> Effect<Action> { .none }
      func feeds(for state: Row) -> [Feed<Action>] { [Feed(key: "feed") { _ in }] }
    }
    let store = Store(
      initialState: App(rows: [10, 20].map { Row(number: $0) }),
      feature: Feature {
        Feature(middleware: Middleware(Feeding())).lift(action: .identity, each: \App.rows)
        Self.root
      })
    let before = store.core.memory.value.middlewares[0].owner.openFeeds
    store.dispatch(.change { $0.rows.removeFirst() })
    let after = store.core.memory.value.middlewares[0].owner.openFeeds
    #expect(before.count == 2)
    #expect(after.count == 1)
    #expect(after.keys.first?.description == "20/feed")
    #expect(after.allSatisfy { before[$0.key] === $0.value })
  }

  @Test(.conformance(100)) func eachElementIsReadWithoutASearch() {
    /// The number of ids that are read while a middleware reads each of these rows.
    func reads(_ count: Int) -> Int {
      let reads = Journal<Int>()
      let sum = Journal<Int>()
      let store = Store(
        initialState: App(rows: (0..<count).map { Row(number: $0, reads: reads) }),
        feature: Feature<Action, Row>(
          middleware: Middleware { _, _, state in
            sum.write(state().number)
            return .none
          }
        ).lift(action: .identity, each: \App.rows))
      reads.clear()
      store.dispatch(.start)
      #expect(sum.entries == Array(0..<count))
      return reads.count
    }
    let few = reads(50)
    #expect(few > 0)
    #expect(reads(100) == 2 * few)
  }

  @Test(.conformance(89)) func elementsThatMoveAreFoundNearTheirLastPlace() async {
    /// The number of ids that are read while the first row is removed, and each row has an effect.
    func reads(_ count: Int) async -> Int {
      let (reads, door) = (Journal<Int>(), Door())
      let store = Store(
        initialState: App(rows: (0..<count).map { Row(number: $0, reads: reads) }),
        feature: Feature {
          Self.watching(door, Journal<Int>(), \Row.number).lift(action: .identity, each: \App.rows)
          Self.root
        })
      store.dispatch(.start)
      reads.clear()
      store.dispatch(.change { $0.rows.removeFirst() })
      #expect(store.effects.running.count == count - 1)
      let sum = reads.count
      door.open()
      await store.settle()
      return sum
    }
    let few = await reads(50)
    #expect(few > 0)
    #expect(await reads(100) < 3 * few)
  }

  @Test(.conformance(100)) func theEffectsOfManyElementsAreJoinedInLinearTime() {
    // In quadratic time, this takes many minutes.
    let row = Feature<Action, Line>(
      reducer: .identity, middleware: Middleware { _, _, _ in .afterReducer { _ in } })
    let store = Store(
      initialState: App(lines: (0..<200_000).map { Line(number: $0) }),
      feature: row.lift(action: .identity, each: \App.lines))
    store.dispatch(.start)
    #expect(store.state.lines.count == 200_000)
  }

  /// An element whose reducer was lifted to a property that is not at the beginning of the element.
  struct Item: Sendable { var name = "", done = 0 }
  struct List: Sendable { var items = [Item(), Item()], first = 0, second = 0 }

  @Test(.conformance(28, 29, 54)) func anActionForEachElementTouchesTheCollectionOnly() {
    struct Counting: FeedingMiddleware {
      let states: Journal<Int>
      func handle(action: Int, from source: ActionSource, state: GetState<Item>) -> Effect<Int> { .none }
      func feeds(for state: Item) -> [Feed<Int>] {
        states.write(state.done)
        return []
      }
    }
    let one = Reducer<Int, Int> { $1 += $0 }.lift(action: .identity, state: \Item.done)
    let states = Journal<Int>()
    let store = Store(
      initialState: List(),
      feature: Feature {
        Feature(reducer: one, middleware: Middleware(Counting(states: states)))
          .lift(action: .identity, each: \List.items)
      })
    let (items, second) = (Journal<Int>(), Journal<Int>())
    let kept = [
      store.select(everyTouch: \.items).subscribe { items.write($0[0].done) },
      store.select(everyTouch: \.second).subscribe { second.write($0) },
    ]
    store.dispatch(1)
    #expect(store.state.items.map(\.done) == [1, 1])
    #expect(items.entries == [0, 1])
    #expect(second.entries == [0])
    #expect(states.entries == [0, 0, 1, 1])
    withExtendedLifetime(kept) {}
  }

  @Test(.conformance(38)) func anIDThatIsNotEqualToItselfDoesNotTrap() {
    struct Point: Sendable, Identifiable { var id = Double.nan }
    struct Reading: MiddlewareProtocol {
      let read: Journal<Bool>
      func start(state: GetState<Point>) -> Effect<Int> {
        read.write(state().id.isNaN)
        return .none
      }
      func handle(action: Int, from source: ActionSource, state: GetState<Point>) -> Effect<Int> {
        read.write(state().id.isNaN)
        return .none
      }
    }
    let read = Journal<Bool>()
    let store = Store(
      initialState: [Point(), Point()],
      feature: Feature<Int, Point>(middleware: Middleware(Reading(read: read)))
        .lift(action: .identity, each: \[Point].self))
    store.dispatch(1)
    #expect(read.entries == [true, true, true, true])
  }

  @Test(.conformance(40)) func theStartOfAMiddlewareIsLinearInTheElements() {
    func reads(_ count: Int) -> Int {
      let reads = Journal<Int>()
      let store = Store(
        initialState: App(rows: (0..<count).map { Row(number: $0, reads: reads) }),
        feature: Feature<ElementAction<Int, Action>, App> {
          Feature<Action, Row>(middleware: Middleware { _, _, _ in .none })
            .lift(action: .identity, element: .byID(\App.rows))
        })
      withExtendedLifetime(store) {}
      return reads.count
    }
    let few = reads(50)
    #expect(few > 0)
    #expect(reads(100) == 2 * few)
  }

  private final class Resource: Sendable {}

  private struct Reading: Identifiable, Sendable {
    var id: Double
    var resource: Resource
  }

  private struct Station: Sendable { var readings: [Reading] }

  @Test(arguments: [1.0, Double.nan]) func aRemovedElementIsReleasedAlsoIfItsIDIsNotEqualToItself(id: Double) {
    weak var released: Resource?
    let feature = Feature<Int, Reading>(
      reducer: Reducer { _, _ in },
      middleware: Middleware { _, _, state in
        _ = state()
        return .none
      }
    ).lift(action: .identity, each: \Station.readings)
    let clear = Reducer<Int, Station>.partial { action, state in
      if action == 1 { state.readings = [] }
      return action == 1
    }
    func makeStore() -> Store<Int, Station> {
      let resource = Resource()
      released = resource
      return Store(
        initialState: Station(readings: [Reading(id: id, resource: resource)]),
        feature: feature <> Feature(reducer: clear))
    }
    let store = makeStore()
    for action in [0, 1, 2] { store.dispatch(action) }
    #expect(store.state.readings.isEmpty)
    #expect(released == nil)
  }
}
