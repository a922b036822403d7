@testable import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

extension ScopeTests {
  // MARK: Installation

  @Test(.conformance(63)) func anInstalledFeatureHandlesActionsFromTheNextOneOnAndIsRemovedAgain() async {
    let seen = Journal<String>()
    let watch = FeedTests.Watch()
    let door = Door()
    struct Plugin: FeedingMiddleware {
      let seen: Journal<String>
      let watch: FeedTests.Watch
      let door: Door
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        seen.write("handle \(action)")
        return action == 5 ? EffectTests.late(door, 50) : .none
      }
      func start(state: GetState<Int>) -> Effect<Int> {
        seen.write("start \(state())")
        return .none
      }
      func feeds(for state: Int) -> [Feed<Int>] { [watch.feed(1, "feed")] }
    }
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    store.dispatch(1)
    let installation = store.install(
      Feature(
        reducer: Reducer { _, state in state += 1_000 },
        middleware: Middleware(Plugin(seen: seen, watch: watch, door: door)),
        interceptor: Interceptor { action, _, _ in action == 7 ? .drop : .pass }))
    #expect(seen.entries == ["start 1"])
    await watch.opened.reaches(count: 1)
    store.dispatch(2)
    store.dispatch(7)
    store.dispatch(5)
    #expect(store.state == 2_008)
    #expect(seen.entries == ["start 1", "handle 2", "handle 5"])
    installation.remove()
    installation.remove()
    await watch.closed.reaches(count: 1)
    #expect(store.effects.running.isEmpty)
    store.dispatch(7)
    #expect(store.state == 2_015)
    #expect(seen.count == 3)
    door.open()
    await store.settle()
    #expect(store.state == 2_015)
  }

  @Test(.conformance(63)) func installingAndRemovingMeanwhileTakesEffectAfterTheCurrentAction() {
    let hold = Locked<Store<Int, [String]>?>(nil)
    let installation = Locked<Installation?>(nil)
    let feature = Feature<Int, [String]>(reducer: Reducer { action, state in state.append("new \(action)") })
    let store = Store<Int, [String]>(
      initialState: [], reducer: Reducer { action, state in state.append("old \(action)") },
      middleware: Middleware { action, _, _ in
        if action == 1 { installation.withLock { value in value = hold.withLock { $0 }?.install(feature) } }
        if action == 3 { installation.withLock { $0 }?.remove() }
        return .none
      })
    hold.withLock { $0 = store }
    for action in 1...4 { store.dispatch(action) }
    #expect(store.state == ["old 1", "old 2", "new 2", "old 3", "new 3", "old 4"])
    hold.withLock { $0 = nil }
  }

  @Test(.conformance(63, 64)) func aRemovedFeatureIsFreed() {
    let store = Store<Int, Int>(initialState: 0, reducer: .identity)
    var token: Token? = Token()
    let weakToken = token.map { Weak($0) }
    let clock = TestClock()
    let installation = store.install(
      Feature<Int, Int>(
        reducer: Reducer { [token] _, _ in withExtendedLifetime(token) {} },
        middleware: Middleware { [token] action, _, _ in
          .fireAndForget { withExtendedLifetime(token) {} }.throttle(id: action, for: .seconds(1), clock: clock)
        },
        interceptor: Interceptor { [token] _, _, _ in
          withExtendedLifetime(token) {}
          return .pass
        }))
    token = nil
    store.dispatch(1)
    store.dispatch(1)
    #expect(weakToken?.object != nil)
    installation.remove()
    #expect(store.isWithoutRuns)
    #expect(store.core.memory.value.reducers.count == 0)
  }

  @Test(.conformance(63)) func aMiddlewareThatIsInstalledWhileOthersDispatchIsHarmless() async {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    await onThread {
      let workers = (0..<3).map { _ in WorkThread { for _ in 0..<2_000 { store.dispatch(1) } } }
      for _ in 0..<200 {
        let installation = store.install(
          Feature(middleware: Middleware { _, _, state in state() < 0 ? .send(1) : .none }))
        relax()
        installation.remove()
      }
      for worker in workers { worker.join() }
    }
    await store.settle()
    #expect(store.state == 6_000)
  }
}
