import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// The handles of actions.
extension LifeCycleTests {
  @Test(.conformance(55)) func theHandleOfAnIntentFinishesWhenTheIntentIsConfirmedOrGivenUp() async {
    let script = ScriptedAPI()
    let store = Store(
      initialState: State(), feature: .favorites(api: script.api, policy: FavoritesPolicy(limit: 1, timeLimit: nil)))
    let finished = DispatchRecorder<Int>()
    let handles = [1, 2, 1].map { store.dispatch(.toggle($0)) }
    let waiting = handles.enumerated().map { index, handle in
      Task {
        await handle.finish()
        finished.send(index)
      }
    }
    await script.sets.pending(atLeast: 1)
    await script.sets.succeed(())  // 1 was added. In the meantime it was toggled back and waits behind 2.
    await script.sets.pending(atLeast: 1)
    #expect(script.sets.pending == [.add(2)])
    await script.sets.fail(FavoritesFailure(.refused, "no"))
    await waiting[1].value
    #expect(finished.actions == [1])
    await script.sets.pending(atLeast: 1)
    await script.sets.succeed(())
    for task in waiting { await task.value }
    #expect(store.state.confirmed == [])
  }

  @Test(
    .conformance(55),
    arguments: [.remove(1), .toggle(1), .setAll([1], isFavorite: false), .undo] as [FavoritesAction<Int>]
  )
  func theHandleOfAnIntentFinishesWhenALaterActionTakesTheIntentBack(action: FavoritesAction<Int>) async {
    let script = ScriptedAPI()
    var state = State()
    state.bookkeeping.isCurrent = true
    let store = store(state, script, policy: FavoritesPolicy(limit: 1, timeLimit: nil))
    await store.send(.add(9))
    let handle = await store.send(.add(1))
    await store.send(action)
    #expect(store.state.isSettled(1))
    await handle.finish()
    #expect(store.state.isPending(9))
    await script.sets.succeed(())
    await store.skipReceivedActions()
    await store.assertFinished()
  }

  @Test(.conformance(55)) func handlesOnTheOrdinaryExecutorNeverFinishEarly() async {
    let api = FavoritesAPI<Int>(
      fetch: {
        await Task.yield()
        return []
      }, set: { _ in await Task.yield() })
    var early = 0
    for _ in 0..<1_000 {
      let store = Store(initialState: State(), feature: .favorites(api: api, policy: FavoritesPolicy(timeLimit: nil)))
      await store.dispatch(.add(1)).finish()
      if !store.state.isSettled { early += 1 }
      await store.dispatch(.load).finish()
      if !store.state.isSettled { early += 1 }
    }
    #expect(early == 0)
  }

  @Test func aHandleFinishesWhenTheStateIsReplacedFromOutside() async {
    enum Action: Sendable {
      case favorites(FavoritesAction<Int>)
      case replace
    }
    let script = ScriptedAPI()
    let prism = Prism<Action, FavoritesAction<Int>>(case: Action.favorites) {
      if case .favorites(let part) = $0 { part } else { nil }
    }
    let store = Store(
      initialState: State(),
      feature: Feature {
        Feature.favorites(api: script.api, policy: FavoritesPolicy(limit: 1, timeLimit: nil)).lift(
          action: prism, state: \State.self)
        Feature(
          reducer: .partial { action, state in
            guard case .replace = action else { return false }
            state = State()
            return true
          })
      })
    let handles = [1, 2].map { store.dispatch(.favorites(.add($0))) }
    await script.sets.pending(atLeast: 1)
    store.dispatch(.replace)
    for handle in handles { await handle.finish() }
    #expect(script.sets.pending == [])
  }
}
