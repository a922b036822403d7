import Foundation
import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxFavorites

/// What happens to an intent that was changed at an unusual moment.
@Suite(.timeLimit(.minutes(15))) struct ChangedIntentTests {
  let script = ScriptedAPI()
  let clock = TestClock()

  private func store(_ state: FavoritesState<Int> = FavoritesState(), limit: Int = 4, attempts: Int) -> TestStore<
    FavoritesAction<Int>, FavoritesState<Int>
  > {
    TestStore(
      initialState: state,
      feature: .favorites(
        api: script.api, policy: FavoritesPolicy(limit: limit, attempts: attempts, timeLimit: nil, jitter: 0),
        clock: clock),
      exhaustivity: .none)
  }

  /// Confirms the running request, which must be the first attempt of its intent, and ends the test.
  private func finishFirstAttempt(
    _ call: SetCall, ids: [Int], of store: TestStore<FavoritesAction<Int>, FavoritesState<Int>>
  ) async {
    #expect(script.sets.pending == [call])
    #expect(script.requests.withLock { $0.last?.attempt } == 1)
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.ids == ids)
    await store.assertFinished()
  }

  /// The server reports the change of another client during the request. The user's later intent is sent, although it
  /// is the value of the request.
  @Test(.conformance(83, 114), arguments: [false, true]) func anIntentAfterAReportedChangeIsSent(restored: Bool)
    async throws
  {
    let store = store(FavoritesState(confirmed: [1]), attempts: 4)
    await store.send(.follow)
    await script.fetches.succeed([1])
    await store.send(.toggle(1))
    await store.send(.toggle(1))
    await script.changes.send(.set(1, isFavorite: false))
    await script.changes.send(.set(1, isFavorite: true))
    await store.send(.toggle(1))
    #expect(store.state.ids == [])
    if restored {
      // The state is encoded and decoded during the request.
      let saved = try JSONEncoder().encode(store.state)
      #expect(try JSONDecoder().decode(FavoritesState<Int>.self, from: saved) == store.state)
    }
    await script.sets.succeed(())
    #expect(script.sets.pending == [.remove(1)])
    await script.fetches.succeed([1])
    await script.sets.succeed(())
    await script.changes.send(.set(1, isFavorite: false))
    await store.skipReceivedActions()
    #expect(store.state.ids == [] && store.state.isSettled)
    await store.send(.unfollow)
    await store.assertFinished()
  }

  /// Without a later intent, the change of the other client stays.
  @Test(.conformance(83, 114)) func aReportedChangeAfterTheLastIntentStays() async {
    let store = store(FavoritesState(confirmed: [1]), attempts: 4)
    await store.send(.follow)
    await script.fetches.succeed([1])
    await store.send(.toggle(1))
    await store.send(.toggle(1))
    await store.send(.toggle(1))
    await script.changes.send(.set(1, isFavorite: true))
    await script.sets.succeed(())
    await script.fetches.succeed([1])
    await store.skipReceivedActions()
    #expect(store.state.ids == [1] && store.state.isSettled)
    await store.send(.unfollow)
    await store.assertFinished()
  }

  @Test(.conformance(83), arguments: 1...2)
  func aRequestedDelayAppliesToAnIntentThatHasChanged(attempts: Int) async {
    let store = store(attempts: attempts)
    await store.send(.add(1))
    await store.send(.remove(1))
    await script.sets.fail(FavoritesFailure(.busy, "later", retryAfter: .seconds(60)))
    await store.skipReceivedActions()
    #expect(script.sets.pending == [])
    #expect(clock.sleepers == [TestInstant(offset: .seconds(60))])
    await clock.run()
    await finishFirstAttempt(.remove(1), ids: [], of: store)
  }

  @Test(.conformance(83)) func anIntentThatIsChangedBackDuringARequestedDelayHasItsOwnAttempts() async {
    let store = store(attempts: 1)
    await store.send(.add(1))
    await store.send(.remove(1))
    await script.sets.fail(FavoritesFailure(.busy, "later", retryAfter: .seconds(60)))
    await store.send(.add(1))
    await clock.run()
    await finishFirstAttempt(.add(1), ids: [1], of: store)
  }

  @Test(.conformance(83)) func anIntentThatIsChangedInTheQueueBeginsWithItsFirstAttempt() async {
    let store = store(limit: 1, attempts: 2)
    await store.send(.add(1))
    await script.sets.fail(FavoritesFailure(.offline, ""))
    await store.skipReceivedActions()
    await store.send(.add(2))
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state.bookkeeping.queue == [1])
    await store.send(.remove(1))
    await script.sets.succeed(())
    await finishFirstAttempt(.remove(1), ids: [2], of: store)
  }
}
