@testable import ReeluxCore
import ReeluxTestSupport
import Testing

/// Section F, third part: feeds, which are open exactly while the state requires them.
@Suite(.timeLimit(.minutes(15))) struct FeedTests {
  /// A record of the feeds that were opened and closed.
  final class Watch: Sendable {
    let opened = Journal<String>()
    let closed = Journal<String>()

    /// A feed that stays open until it is closed.
    func feed<Action: Sendable>(_ key: some Hashable & Sendable, _ name: String) -> Feed<Action> {
      Feed(key: key) { [opened, closed] _ in
        opened.write(name)
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        closed.write(name)
      }
    }
  }

  struct Wishing<State: Sendable>: FeedingMiddleware {
    let wishes: @Sendable (State) -> [Feed<Int>]
    let asked: Journal<Int>
    func handle(action: Int, from source: ActionSource, state: GetState<State>) -> Effect<Int> { .none }
    func feeds(for state: State) -> [Feed<Int>] {
      asked.write(1)
      return wishes(state)
    }
  }

  static func feature<State: Sendable>(
    reducer: Reducer<Int, State>, asked: Journal<Int> = Journal(),
    _ wishes: @escaping @Sendable (State) -> [Feed<Int>]
  ) -> Feature<Int, State> {
    Feature(reducer: reducer, middleware: Middleware(Wishing(wishes: wishes, asked: asked)))
  }

  /// The state is the key of the required feed, or 0 for none.
  static func store(_ watch: Watch, initialState: Int = 0) -> Store<Int, Int> {
    Store(
      initialState: initialState,
      feature: feature(reducer: Reducer { $1 = $0 }) { $0 == 0 ? [] : [watch.feed($0, "\($0)")] })
  }

  @Test(.conformance(54)) func aFeedOfAPropertyOfAComputedPartFollowsTheWholeState() {
    struct Part: Sendable { var key = 0 }
    struct Whole: Sendable {
      var other = 0
      var hidden = 0
      var part: Part { Part(key: hidden) }
    }
    let watch = Watch()
    let wishing = Middleware(Wishing<Int>(wishes: { $0 == 0 ? [] : [watch.feed($0, "\($0)")] }, asked: Journal()))
    let store = Store<Int, Whole>(
      initialState: Whole(),
      reducer: Reducer<Int, Int> { $1 = $0 }.lift(action: .identity, state: \Whole.hidden),
      middleware: wishing.lift(action: .identity, state: \Part.key).lift(action: .identity, state: \Whole.part))
    store.dispatch(1)
    #expect(store.effects.running.count == 1)
    store.dispatch(0)
    #expect(store.effects.running.isEmpty)
  }

  @Test(.conformance(54)) func aFeedOpensAndClosesOnceAsTheStateWishes() async {
    let watch = Watch()
    let store = Self.store(watch)
    #expect(store.effects.running.isEmpty)
    store.dispatch(1)
    await watch.opened.reaches { $0 == ["1"] }
    store.dispatch(1)
    store.dispatch(1)
    #expect(store.effects.running.count == 1)
    store.dispatch(0)
    await watch.closed.reaches { $0 == ["1"] }
    store.dispatch(0)
    store.dispatch(1)
    await watch.opened.reaches { $0 == ["1", "1"] }
    #expect(watch.closed.entries == ["1"])
  }

  @Test(.conformance(54)) func theInitialStateOpensFeedsToo() async {
    let watch = Watch()
    let store = Self.store(watch, initialState: 7)
    await watch.opened.reaches { $0 == ["7"] }
    withExtendedLifetime(store) {}
  }

  @Test(.conformance(54)) func aChangedKeyRestarts() async {
    let watch = Watch()
    let store = Self.store(watch, initialState: 1)
    await watch.opened.reaches(count: 1)
    store.dispatch(2)
    await watch.opened.reaches { $0 == ["1", "2"] }
    await watch.closed.reaches { $0 == ["1"] }
    #expect(store.effects.running.count == 1)
  }

  @Test(.conformance(54)) func equalKeysOpenOnceAndKeysCompareByType() async {
    let watch = Watch()
    let store = Store(
      initialState: 0,
      feature: Self.feature(reducer: Reducer { $1 = $0 }) { (_: Int) in
        [
          watch.feed(1, "a"), watch.feed(1, "b"), watch.feed(UInt(1), "c"),
          watch.feed(EffectTests.First.load, "d"), watch.feed(EffectTests.Second.load, "e"),
        ]
      })
    await watch.opened.reaches(count: 4)
    #expect(watch.opened.entries.sorted() == ["a", "c", "d", "e"])
    #expect(store.effects.running.count == 4)
  }

  @Test(.conformance(54)) func twoMiddlewaresFeedsOfOneKeyAreTwo() async {
    let watch = Watch()
    let one = Self.feature(reducer: Reducer<Int, Int>.identity) { (_: Int) in [watch.feed(1, "x")] }
    let store = Store(initialState: 0, feature: one <> one)
    await watch.opened.reaches(count: 2)
    withExtendedLifetime(store) {}
  }

  @Test(.conformance(54)) func whatAFeedSendsIsDispatchedUntilItIsClosed() async {
    let inputs = AsyncStream.makeStream(of: Int.self)
    let kept = Journal<Send<Int>>()
    let store = Store(
      initialState: [0],
      feature: Self.feature(reducer: Reducer<Int, [Int]> { $1.append($0) }) { (state: [Int]) in
        guard state.last != -1 else { return [] }
        return [
          Feed(key: 1) { send in
            kept.write(send)
            for await input in inputs.stream { send(input) }
          }
        ]
      })
    inputs.continuation.yield(1)
    inputs.continuation.yield(2)
    await store.reaches { $0 == [0, 1, 2] }
    store.dispatch(-1)
    for send in kept.entries {
      #expect(send.isStopped)
      send(3)
    }
    #expect(store.state == [0, 1, 2, -1])
  }

  @Test(.conformance(54)) func aFeedThatEndedIsNotOpenedAgainBeforeItsKeyWasGone() async {
    let opened = Journal<Int>()
    let store = Store(
      initialState: 1,
      feature: Self.feature(reducer: Reducer<Int, Int> { $1 = $0 }) { (state: Int) in
        state > 0 ? [Feed(key: 1) { _ in opened.write(state) }] : []
      })
    await opened.reaches { $0 == [1] }
    store.dispatch(2)
    store.dispatch(3)
    store.dispatch(0)
    store.dispatch(4)
    await opened.reaches { $0 == [1, 4] }
    withExtendedLifetime(store) {}
  }

  @Test(.conformance(54, 29)) func theWishesAreAskedForOnlyWhenThePartWasTouched() async {
    enum Action: Sendable { case left(Int), right(Int) }
    struct State: Sendable { var left = 0, right = 0 }
    let left = Prism(case: Action.left) { if case .left(let it) = $0 { it } else { nil } }
    let right = Prism(case: Action.right) { if case .right(let it) = $0 { it } else { nil } }
    let asked = Journal<Int>()
    let store = Store(
      initialState: State(),
      feature: Feature {
        Self.feature(reducer: Reducer { $1 = $0 }, asked: asked) { (_: Int) in [] }
          .lift(action: left, state: \State.left)
        Feature<Int, Int>(reducer: Reducer { $1 = $0 }).lift(action: right, state: \State.right)
      })
    #expect(asked.count == 1)
    for number in 0..<10 { store.dispatch(.right(number)) }
    #expect(asked.count == 1)
    store.dispatch(.left(1))
    #expect(asked.count == 2)
  }

  struct Element: Sendable, Identifiable {
    let id: Int
    var wish = 0
  }
  enum Action: Sendable {
    case optional(Int), setOptional(Int?), element(ElementAction<Int, Int>), setElements([Element])
    case keyed(ElementAction<String, Int>), removeKey(String)
  }
  struct State: Sendable {
    var optional: Int?
    var elements: [Element] = []
    var keyed: [String: Int] = ["a": 1]
  }
  static let optional = Prism(case: Action.optional) { if case .optional(let it) = $0 { it } else { nil } }
  static let element = Prism(case: Action.element) { if case .element(let it) = $0 { it } else { nil } }
  static let keyed = Prism(case: Action.keyed) { if case .keyed(let it) = $0 { it } else { nil } }

  static func many(_ watch: Watch) -> Store<Action, State> {
    Store(
      initialState: State(),
      feature: Feature {
        Self.feature(reducer: Reducer { $1 = $0 }) { (state: Int) in
          state == 0 ? [] : [watch.feed("x", "optional \(state)")]
        }.lift(action: Self.optional, optional: \State.optional)
        Self.feature(reducer: Reducer { $1.wish = $0 }) { (state: Element) in
          state.wish == 0 ? [] : [watch.feed("x", "element \(state.id)")]
        }.lift(action: Self.element, element: .byID(\State.elements))
        Self.feature(reducer: Reducer { $1 = $0 }) { (state: Int) in
          state == 0 ? [] : [watch.feed("x", "key \(state)")]
        }.lift(action: Self.keyed, element: .byKey(\State.keyed))
        Feature(
          reducer: Reducer<Action, State> { action, state in
            switch action {
            case .setOptional(let value): state.optional = value
            case .setElements(let elements): state.elements = elements
            case .removeKey(let key): state.keyed[key] = nil
            default: break
            }
          })
      })
  }

  @Test(.conformance(54)) func aFeedClosesWhenAnOptionalStateGoes() async {
    let watch = Watch()
    let store = Self.many(watch)
    await watch.opened.reaches { $0 == ["key 1"] }
    store.dispatch(.setOptional(5))
    await watch.opened.reaches { $0 == ["key 1", "optional 5"] }
    store.dispatch(.setOptional(nil))
    await watch.closed.reaches { $0 == ["optional 5"] }
    store.dispatch(.optional(3))
    #expect(store.state.optional == nil)
    store.dispatch(.removeKey("a"))
    await watch.closed.reaches { $0 == ["optional 5", "key 1"] }
    #expect(store.effects.running.isEmpty)
  }

  @Test(.conformance(54)) func eachElementHasItsOwnFeed() async {
    let watch = Watch()
    let store = Self.many(watch)
    await watch.opened.reaches(count: 1)
    store.dispatch(.setElements([Element(id: 1, wish: 1), Element(id: 2, wish: 1), Element(id: 3)]))
    await watch.opened.reaches(count: 3)
    store.dispatch(.element(ElementAction(3, 1)))
    await watch.opened.reaches { $0.contains("element 3") }
    store.dispatch(.element(ElementAction(1, 0)))
    await watch.closed.reaches { $0 == ["element 1"] }
    // Moving an element does not affect its feed. Removing it closes the feed.
    store.dispatch(.setElements([Element(id: 3, wish: 1), Element(id: 1)]))
    await watch.closed.reaches { $0 == ["element 1", "element 2"] }
    #expect(watch.opened.count == 4)
  }

  @Test(.conformance(54, 56)) func releasingTheStoreClosesEveryFeed() async {
    let watch = Watch()
    var store: Store<Int, Int>? = Self.store(watch, initialState: 1)
    await watch.opened.reaches(count: 1)
    withExtendedLifetime(store) {}
    store = nil
    await watch.closed.reaches(count: 1)
  }

  @Test(.conformance(54, 61), arguments: [false, true])
  func aChildsFeedsFollowTheRootAndTheChild(evenIfNobodyIsTold isSilent: Bool) async {
    let watch = Watch()
    let root = Store<Int, Int>(
      initialState: 0, reducer: Reducer { $1 = $0 }, emits: isSilent ? .never : .whenReduced)
    var child: ChildStore<Int, Int, Int, Int>? = root.child(
      initialState: 0, reducer: Reducer { $1 = $0 },
      middleware: Middleware(
        Wishing<ChildState<Int, Int>>(
          wishes: { state in
            state.root + state.local == 0 ? [] : [watch.feed(state.root + state.local, "\(state)")]
          }, asked: Journal())))
    root.dispatch(1)
    await watch.opened.reaches(count: 1)
    child?.dispatch(1)
    await watch.opened.reaches(count: 2)
    await watch.closed.reaches(count: 1)
    root.dispatch(0)
    await watch.opened.reaches(count: 3)
    await watch.closed.reaches(count: 2)
    child = nil
    await watch.closed.reaches(count: 3)
    #expect(root.effects.running.isEmpty)
  }

  @Test(.conformance(55)) func anActionBehindAFeedsActionIsWaitedForByItself() async {
    let gate = AsyncStream.makeStream(of: Void.self)
    let started = AsyncStream.makeStream(of: ActionTask.self)
    /// 1 requires the feed, which sends 2. 3 is dispatched while 2 is processed, and its effect runs until the gate
    /// opens.
    struct Middle: FeedingMiddleware {
      let dispatched: @Sendable () -> Void
      let work: @Sendable () async -> Void
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        switch action {
        case 2: .afterReducer { _ in dispatched() }
        case 3: .run { _ in await work() }
        default: .none
        }
      }
      func feeds(for state: Int) -> [Feed<Int>] {
        state == 1 ? [Feed(key: 1) { send in send(2) }] : []
      }
    }
    let holder = Holder()
    let handle = Handle()
    let store = Store(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { $1 = $0 },
        middleware: Middleware(
          Middle(
            dispatched: { handle.set(holder.store?.dispatch(3)) },
            work: {
              if let task = handle.task { started.continuation.yield(task) }
              for await _ in gate.stream { break }
            }))))
    holder.store = store
    store.dispatch(1)
    for await task in started.stream {
      #expect(!task.isFinished)
      gate.continuation.yield()
      await task.finish()
      break
    }
  }

  /// An open feed and its owner refer to each other.
  @Test func releasedStoreReleasesTheOwnerOfAnOpenFeed() async throws {
    let watch = Watch()
    var store: Store<Int, Int>? = Store(
      initialState: 0, feature: Self.feature(reducer: .identity) { _ in [watch.feed(1, "a")] })
    weak let owner = store?.core.memory.value.middlewares[0].owner
    let task = try #require(store?.effects.running.first?.currentTask)
    store = nil
    await task.value
    #expect(owner == nil)
  }

  /// A store for a middleware that dispatches to it.
  ///
  /// `@unchecked Sendable`: set once, before the first dispatch.
  private final class Holder: @unchecked Sendable {
    weak var store: Store<Int, Int>?
  }

  /// The handle of a dispatch.
  private final class Handle: Sendable {
    private let kept = Locked<ActionTask?>(nil)
    var task: ActionTask? { kept.withLock { $0 } }
    func set(_ task: ActionTask?) { kept.withLock { $0 = task } }
  }
}
