import ReeluxTestSupport
import Testing

@testable import ReeluxCore

/// Observers, and the actions of busy stores.
extension RareOrderTests {
  @Test(.conformance(24)) func aPredicateIsNotAskedAboutAnActionThatNoReducerAccepts() {
    let asked = Journal<Int>()
    let store = Store<Int, Int>(
      initialState: 0,
      reducer: .partial { action, sum in
        sum += action
        return action > 0
      },
      emits: .when { _, new in
        asked.write(new)
        return true
      })
    let seen = Journal<Int>()
    let subscription = store.subscribe { seen.write($0) }
    for action in [0, 1] { store.dispatch(action) }
    #expect(asked.entries == [1])
    #expect(seen.entries == [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(24)) func anActionOfSeveralReducersNotifiesOnlyTheObserversOfTheirParts() {
    struct State: Sendable { var first = 0, second = 0, third = 0 }
    func unit(_ path: any WritableKeyPath<State, Int> & Sendable, _ actions: Set<Int>) -> Reducer<Int, State> {
      Reducer<Int, Int>.partial { action, count in
        if actions.contains(action) { count += 1 }
        return actions.contains(action)
      }.lift(action: .identity, state: path)
    }
    let store = Store(
      initialState: State(), reducer: unit(\.first, [1]) <> unit(\.second, [1, 2]) <> unit(\.third, [2]))
    let seen = Journal<Int>()
    let first = store.projection(action: { $0 }, state: \.first) as StoreProjection<Int, Int>
    let subscription = first.subscribe { seen.write($0) }
    for action in [1, 2, 2] { store.dispatch(action) }
    #expect(seen.entries == [0, 1])
    #expect(store.state.third == 2)
    withExtendedLifetime(subscription) {}
  }

  /// Subscribes to a store while its middleware handles an action.
  private struct LateSubscriber: Sendable {
    private let began = Semaphore()
    private let isSubscribed = Semaphore()

    /// The middleware of the store. It waits until the observer was called.
    func middleware<State: Sendable>(of _: State.Type) -> Middleware<Int, Int, State> {
      Middleware { _, _, _ in
        began.signal()
        isSubscribed.wait()
        return .none
      }
    }

    /// Dispatches 1. Returns the values of the states that the observer receives.
    func observe<Observed: StoreType>(
      _ store: Observed, _ value: @escaping @Sendable (Observed.State) -> Int
    ) async -> [Int] where Observed.Action == Int {
      let seen = Journal<Int>()
      await onThread {
        let runner = WorkThread { store.dispatch(1, from: ActionSource()) }
        began.wait()
        let subscription = store.subscribe { state in
          seen.write(value(state))
          isSubscribed.signal()
        }
        runner.join()
        withExtendedLifetime(subscription) {}
      }
      return seen.entries
    }
  }

  @Test(.conformance(24)) func anObserverOfABusyStoreIsCalledOnceIfTheReducerRejectsTheAction() async {
    let late = LateSubscriber()
    let store = Store<Int, Int>(
      initialState: 0, reducer: .partial { _, _ in false }, middleware: late.middleware(of: Int.self))
    #expect(await late.observe(store) { $0 } == [0])
  }

  @Test(.conformance(96)) func anObserverOfABusyChildStoreSeesTheChangeThatFollowsItsFirstCall() async {
    let late = LateSubscriber()
    let child = Store<Int, Int>(initialState: 0, reducer: .identity).child(
      initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 },
      middleware: late.middleware(of: ChildState<Int, Int>.self))
    #expect(await late.observe(child) { $0.local } == [0, 1])
  }

  @Test(.conformance(96)) func aChildsOwnActionIsNoActionOfItsRootThatAlwaysEmits() {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 }, emits: .always)
    let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 })
    let seen = Journal<Int>()
    let subscription = store.subscribe { seen.write($0) }
    store.dispatch(1)
    child.dispatch(5)
    #expect(seen.entries == [0, 1])
    #expect(child.state.local == 5)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(96)) func theLastActionOfAnEffectOfABusyChildStoreEndsTheEffect() {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { _, _ in })
    let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 })
    let run = EffectRun(in: store.core.effects, owner: EffectOwner(), group: nil)
    #expect(store.core.effects.register(run))
    store.core.perform("answered") { child.pipeline.delivery(1, ActionSource(), .last(run)) }
    #expect(child.state.local == 1)
    #expect(store.core.effects.isIdle)
  }

  @Test(.conformance(52)) func theLastActionOfAnEffectOfABusyStoreEndsTheEffect() {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    let run = EffectRun(in: store.core.effects, owner: EffectOwner(), group: nil)
    #expect(store.core.effects.register(run))
    store.core.perform("answered") { store.core.deliver(1, from: ActionSource(), .last(run)) }
    #expect(store.state == 1)
    #expect(store.core.effects.isIdle)
  }
}
