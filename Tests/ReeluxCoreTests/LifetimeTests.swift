@testable import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

/// Section H: what is released, and at which time.
@Suite(.timeLimit(.minutes(15))) struct LifetimeTests {
  /// A middleware whose lifetime can be observed, and that retains given objects.
  final class Keeper: FeedingMiddleware {
    let getter = Locked<GetState<Int>?>(nil)
    let send = Locked<Send<Int>?>(nil)
    let door: Door?
    let ends: Journal<Void>?

    init(door: Door? = nil, ends: Journal<Void>? = nil) {
      self.door = door
      self.ends = ends
    }

    deinit { ends?.write(()) }

    func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
      getter.withLock { $0 = state }
      return .afterReducer { [self] output in send.withLock { $0 = output } }
        <> .run { [self] output in
          await door?.pass()
          send.withLock { $0 = output }
        }
    }

    func feeds(for state: Int) -> [Feed<Int>] {
      [
        Feed(key: 1) { [self] output in
          let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
          for await _ in stream {}
          withExtendedLifetime((self, output, continuation)) {}
        }
      ]
    }
  }

  enum Action: Sendable { case part(Int) }
  struct State: Sendable {
    var part: Int
    var optional: Int? = 0
    var keyed = ["a": 0]
  }
  static let part = Prism(case: Action.part) { if case .part(let it) = $0 { it } else { nil } }

  @Test(.conformance(64)) func droppingTheStoreFreesAMiddlewareThatKeepsItsGetterAndItsOutput() async {
    let ends = Journal<Void>()
    var keeper: Keeper? = Keeper(ends: ends)
    let weakKeeper = keeper.map { Weak($0) }
    var store = keeper.map {
      // A component inside the store retains the token and is released with it.
      let token = Token(ends)
      return Store<Int, Int>(
        initialState: 0,
        reducer: Reducer { action, state in withExtendedLifetime(token) { state += action } },
        middleware: Middleware($0))
    }
    keeper = nil
    let weakStore = store.map { Weak($0) }
    let weakCore = store.map { Weak($0.core) }
    await store?.dispatch(1).finish()
    #expect(weakKeeper?.object?.getter.withLock { $0?() } == 1)
    store = nil
    #expect(weakStore?.object == nil)
    await ends.reaches(count: 2)
    #expect(weakKeeper?.object == nil)
    #expect(weakCore?.object == nil)
  }

  @Test(.conformance(64)) func droppingTheStoreFreesLiftedMiddlewares() async {
    let ends = Journal<Void>()
    var keepers: [Keeper] = [Keeper(ends: ends), Keeper(ends: ends)]
    let weakKeepers = keepers.map { Weak($0) }
    let key = Prism<Action, ElementAction<String, Int>>(
      embed: { .part($0.action) }, extract: { if case .part(let it) = $0 { ElementAction("a", it) } else { nil } })
    var store: Store<Action, State>? = Store(
      initialState: State(part: 0),
      feature: Feature(
        middleware: Middleware.compose {
          Middleware(keepers[0]).lift(action: Self.part, state: \State.part)
          Middleware(keepers[1]).lift(action: Self.part, optional: \State.optional)
          Feature(middleware: Middleware(Keeper(ends: ends))).lift(action: key, element: .byKey(\State.keyed))
            .middleware
        }))
    keepers = []
    let weakCore = store.map { Weak($0.core) }
    await store?.dispatch(.part(1)).finish()
    #expect(weakKeepers.allSatisfy { $0.object != nil })
    store = nil
    await ends.reaches(count: 3)
    #expect(weakKeepers.allSatisfy { $0.object == nil })
    #expect(weakCore?.object == nil)
  }

  @Test(.conformance(64)) func droppingTheStoreFreesItAlthoughAnEffectRuns() async {
    let door = Door()
    let ends = Journal<Void>()
    var keeper: Keeper? = Keeper(door: door, ends: ends)
    let weakKeeper = keeper.map { Weak($0) }
    var store = keeper.map {
      Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 }, middleware: Middleware($0))
    }
    keeper = nil
    let token = Locked<Token?>(Token())
    let weakToken = token.withLock { $0.map { Weak($0) } }
    store?.install(
      Feature(
        reducer: Reducer { [held = token.withLock { $0 }] _, _ in withExtendedLifetime(held) {} }))
    token.withLock { $0 = nil }
    let weakStore = store.map { Weak($0) }
    store?.dispatch(1)
    await door.isReached()
    store = nil
    // The work continues, because it ignores its cancellation. Nothing else is retained for it.
    #expect(weakStore?.object == nil)
    #expect(weakToken?.object == nil)
    door.open()
    await ends.reaches(count: 1)
    #expect(weakKeeper?.object == nil)
  }

  @Test(.conformance(64)) func droppingTheStoreFreesObserversAlthoughTheirSubscriptionsAreKept() {
    var token: Token? = Token()
    let weakToken = token.map { Weak($0) }
    var store: Store<Int, Int>? = Store(initialState: 0, reducer: Reducer { $1 += $0 })
    let subscriptions = [
      store?.subscribe { [token] _ in withExtendedLifetime(token) {} },
      store?.select { $0 }.subscribe { [token] _ in withExtendedLifetime(token) {} },
    ]
    token = nil
    #expect(weakToken?.object != nil)
    store = nil
    #expect(weakToken?.object == nil)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(64)) func anIntervalThatWasCancelledBeforeItsTaskDoesNotRetainTheStore() {
    var store: Store<Int, Int>? = Store(
      initialState: 0, reducer: .identity,
      middleware: Middleware { action, _, _ in
        if action > 1 { return .none }
        return .send(2).throttle(id: "t", for: .seconds(1), clock: TestClock()) <> .cancel(id: "t")
      })
    store?.dispatch(1)
    let weakCore = store.map { Weak($0.core) }
    store = nil
    #expect(weakCore?.object == nil)
  }

  @Test(.conformance(64)) func droppingTheStoreInsideItsOwnPipelineIsHarmless() {
    let hold = Locked<Store<Int, Int>?>(nil)
    let weakStore = { () -> Weak<Store<Int, Int>> in
      let store = Store<Int, Int>(
        initialState: 0, reducer: Reducer { $1 += $0 },
        middleware: Middleware { action, _, _ in
          if action == 1 { hold.withLock { $0 = nil } }
          return action < 100 ? .send(action + 1) : .none
        })
      hold.withLock { $0 = store }
      return Weak(store)
    }()
    hold.withLock { $0 }?.dispatch(1)
    #expect(weakStore.object == nil)
  }

  @Test(.conformance(64)) func whatIsQueuedWhenTheStoreGoesIsProcessedOrFreed() async {
    enum Load: Sendable { case slow, carry(Token?) }
    let ends = Journal<Void>()
    let entered = Semaphore()
    let release = Semaphore()
    let payload = Locked<Token?>(Token(ends))
    let hold = Locked<Store<Load, Int>?>(
      Store(
        initialState: 0,
        reducer: Reducer { action, state in if case .slow = action { state += 100 } else { state += 1 } },
        middleware: Middleware { action, _, _ in
          if case .slow = action {
            entered.signal()
            release.wait()
          }
          return .none
        }))
    let selection = hold.withLock { $0 }?.select { $0 }
    await onThread {
      let slow = WorkThread {
        let projection = hold.withLock { $0 }?.projection(action: { (load: Load) in load }, state: { $0 })
        projection?.dispatch(.slow)
      }
      entered.wait()
      for _ in 0..<10 { hold.withLock { $0 }?.dispatch(.carry(payload.withLock { $0 })) }
      payload.withLock { $0 = nil }
      hold.withLock { $0 = nil }
      release.signal()
      slow.join()
    }
    await ends.reaches(count: 1)
    #expect(selection?.state == 110)
  }
}
