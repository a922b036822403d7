import Core
import CoreTesting
import Favorites
import Testing

/// The feature in a real store, with an API that the test answers.
@Suite struct FavoritesFeatureTests {
  let script = ScriptedAPI()
  let clock = RecordingClock()

  func store(
    _ confirmed: [Int] = [], policy: FavoritesPolicy = FavoritesPolicy(jitter: 0)
  ) -> Store<FavoritesAction<Int>, FavoritesState<Int>> {
    Store(
      initialState: FavoritesState(confirmed: confirmed),
      feature: .favorites(api: script.api, policy: policy, clock: clock, chance: { 0 }))
  }

  @Test(.conformance(82)) func aToggleIsSeenAtOnceAndConfirmedByTheAnswer() async {
    let store = store()
    let toggle = store.dispatch(.toggle(1))
    #expect(store.state.contains(1))
    #expect(store.state.confirmed == [])
    let call = await script.next()
    #expect(call.request == .set(1, true))
    call.succeed()
    await toggle.finish()
    #expect(store.state.confirmed == [1])
    #expect(store.state.isSettled)
  }

  @Test(.conformance(82)) func refusalRollsBackAndSaysWhyWithoutAnotherAttempt() async {
    let store = store([1])
    let toggle = store.dispatch(.toggle(1))
    await script.next().fail(.refused, "not on Sundays")
    await toggle.finish()
    #expect(store.state.ids == [1])
    #expect(store.state.failure(of: 1) == FavoritesFailure(.refused, "not on Sundays"))
    #expect(script.untaken == 0)
    #expect(clock.sleeps.isEmpty)
  }

  @Test func anErrorOfAnyOtherKindRollsBackAndFetches() async {
    struct Odd: Error {}
    let store = store()
    let toggle = store.dispatch(.toggle(1))
    await script.next().fail(with: Odd())
    let fetch = await script.next()
    #expect(fetch.request == .fetch)
    fetch.succeed([])
    await toggle.finish()
    #expect(store.state.ids == [])
    #expect(store.state.failure(of: 1)?.kind == .unknown)
    #expect(store.state.failure(of: 1)?.reason == "Odd()")
  }

  @Test(.conformance(82)) func whatCanSucceedLaterIsTriedAgainAfterGrowingPausesAndThenGivenUp() async {
    let store = store(
      policy: FavoritesPolicy(attempts: 4, firstPause: .seconds(1), growth: 3, longestPause: .seconds(5), jitter: 0))
    let toggle = store.dispatch(.toggle(1))
    for _ in 1...4 { await script.next().fail(.offline, "no network") }
    await toggle.finish()
    #expect(clock.sleeps == [.seconds(1), .seconds(3), .seconds(5)])
    #expect(store.state.ids == [])
    #expect(store.state.failure(of: 1) == FavoritesFailure(.offline, "no network"))
    #expect(script.untaken == 0)
  }

  @Test func jitterIsDrawnForEachPause() async {
    let chances = [0.0, 1.0, 0.5]
    let drawn = Locked(0)
    let store = Store(
      initialState: FavoritesState<Int>(),
      feature: .favorites(
        api: script.api, policy: FavoritesPolicy(attempts: 4, firstPause: .seconds(1), growth: 1, jitter: 0.5),
        clock: clock,
        chance: {
          drawn.withLock { drawn in
            defer { drawn += 1 }
            return chances[drawn]
          }
        }))
    let toggle = store.dispatch(.toggle(1))
    for _ in 1...4 { await script.next().fail(.offline) }
    await toggle.finish()
    #expect(clock.sleeps == [.seconds(1), .milliseconds(500), .milliseconds(750)])
  }

  @Test func aSuccessAfterFailuresConfirms() async {
    let store = store()
    let toggle = store.dispatch(.toggle(1))
    await script.next().fail(.offline)
    await script.next().fail(.timeout)
    await script.next().succeed()
    await toggle.finish()
    #expect(store.state.confirmed == [1])
    #expect(store.state.items.isEmpty)
    #expect(script.untaken == 0)
  }

  @Test func afterTheLastTimeoutTheServersFavoritesAreFetched() async {
    let store = store(policy: FavoritesPolicy(attempts: 1))
    let toggle = store.dispatch(.toggle(1))
    await script.next().fail(.timeout)
    let fetch = await script.next()
    #expect(fetch.request == .fetch)
    fetch.succeed([1, 5])
    await toggle.finish()
    #expect(store.state.ids == [1, 5])
    #expect(store.state.items.isEmpty)
  }

  @Test func aConflictFetchesAndTakesWhatTheServerHolds() async {
    let store = store([1])
    let toggle = store.dispatch(.toggle(1))
    await script.next().fail(.conflict, "changed elsewhere")
    await script.next().succeed([2])
    await toggle.finish()
    #expect(store.state.ids == [2])
    #expect(store.state.failure(of: 1) == nil)
  }

  @Test(.conformance(83)) func requestsForOneItemNeverRace() async {
    let store = store()
    store.dispatch(.toggle(1))
    let first = await script.next()
    store.dispatch(.toggle(1))
    store.dispatch(.toggle(1))
    store.dispatch(.toggle(1))
    #expect(script.untaken == 0)
    #expect(!store.state.contains(1))
    first.succeed()
    let second = await script.next()
    #expect(second.request == .set(1, false))
    second.succeed()
    await store.settle()
    #expect(store.state.ids == [])
    #expect(script.untaken == 0)
  }

  @Test(.conformance(83)) func requestsForDifferentItemsRunSideBySideUpToTheLimit() async {
    let store = store(policy: FavoritesPolicy(limit: 3))
    for id in 1...5 { store.dispatch(.add(id)) }
    var calls: [ScriptedAPI.Call] = []
    for _ in 1...3 { calls.append(await script.next()) }
    #expect(Set(calls.map(\.request)) == [.set(1, true), .set(2, true), .set(3, true)])
    #expect(script.untaken == 0)
    #expect(store.state.queue == [4, 5])
    calls.removeLast().succeed()
    let fourth = await script.next()
    #expect(fourth.request == .set(4, true))
    fourth.succeed()
    calls.append(await script.next())
    for call in calls { call.succeed() }
    await store.settle()
    #expect(Set(store.state.ids) == [1, 2, 3, 4, 5])
  }

  @Test func aWishDuringAPauseIsWhatTheNextAttemptAsksFor() async {
    let store = Store(
      initialState: FavoritesState(confirmed: [1]),
      feature: .favorites(api: script.api, clock: TestClock(), chance: { 0 }))
    store.dispatch(.remove(1))
    await script.next().fail(.timeout)
    await reaches(store) { if case .waiting = $0.items[1]?.phase { true } else { false } }
    store.dispatch(.add(1))  // Equal to what was confirmed, but after a timeout that is not certain.
    #expect(store.state.isPending(1))
    store.dispatch(.retry(1))
    let second = await script.next()
    #expect(second.request == .set(1, true))
    second.succeed()
    await store.settle()
    #expect(store.state.ids == [1])
  }

  @Test func togglingBackDuringAPauseEndsThePause() async {
    let store = Store(
      initialState: FavoritesState<Int>(),
      feature: .favorites(api: script.api, clock: TestClock(), chance: { 0 }))
    let toggle = store.dispatch(.toggle(1))
    await script.next().fail(.offline)
    await reaches(store) { if case .waiting = $0.items[1]?.phase { true } else { false } }
    store.dispatch(.toggle(1))
    await toggle.finish()  // Would not return if the pause went on.
    #expect(store.state.items.isEmpty)
    #expect(script.untaken == 0)
  }

  @Test func retryAllTriesEveryFailedWishInTheOrderOfWish() async {
    let store = store(policy: FavoritesPolicy(limit: 1))
    for id in [3, 1, 2] { store.dispatch(.add(id)) }
    for _ in 1...3 { await script.next().fail(.refused) }
    await store.settle()
    #expect(store.state.failed == [3, 1, 2])
    store.dispatch(.retryAll)
    for id in [3, 1, 2] {
      let call = await script.next()
      #expect(call.request == .set(id, true))
      call.succeed()
    }
    await store.settle()
    #expect(store.state.ids == [3, 1, 2])
  }

  @Test func undoAsksTheServerToo() async {
    let store = store([1])
    store.dispatch(.remove(1))
    await script.next().succeed()
    await store.settle()
    store.dispatch(.undo)
    let call = await script.next()
    #expect(call.request == .set(1, true))
    call.succeed()
    await store.settle()
    #expect(store.state.confirmed == [1])
  }

  @Test func aLoadThatFailsIsTriedAgainAndThenSaysWhy() async {
    let store = store([4], policy: FavoritesPolicy(attempts: 2, firstPause: .seconds(2), jitter: 0))
    let load = store.dispatch(.load)
    await script.next().fail(.offline)
    await script.next().fail(.offline, "still no network")
    await load.finish()
    #expect(clock.sleeps == [.seconds(2)])
    #expect(store.state.load == .failed(FavoritesFailure(.offline, "still no network")))
    #expect(store.state.ids == [4])
    #expect(!store.state.isLoaded)
  }

  @Test func aWishDuringTheLoadIsKeptWhateverTheLoadBrings() async {
    let store = store()
    store.dispatch(.load)
    let fetch = await script.next()
    store.dispatch(.add(1))
    let set = await script.next()
    set.succeed()
    await reaches(store) { $0.confirmed.contains(1) }
    fetch.succeed([7])
    await store.settle()
    #expect(store.state.ids == [7, 1])
  }

  @Test func aStoreThatIsGoneCancelsItsRequests() async {
    let ended = Locked(false)
    let started = AsyncStream<Void>.makeStream()
    var store: Store<FavoritesAction<Int>, FavoritesState<Int>>? = Store(
      initialState: FavoritesState(),
      feature: .favorites(
        api: FavoritesAPI(fetch: { [] }) { _, _ in
          started.continuation.yield()
          await withTaskCancellationHandler {
            for await _ in AsyncStream<Never>.makeStream().stream {}
          } onCancel: {
            ended.withLock { $0 = true }
          }
        }))
    store?.dispatch(.toggle(1))
    for await _ in started.stream { break }
    store = nil
    #expect(ended.withLock { $0 })
  }

  /// Returns when the state is as described.
  private func reaches(
    _ store: Store<FavoritesAction<Int>, FavoritesState<Int>>, _ isReached: (FavoritesState<Int>) -> Bool
  ) async {
    for await state in store.states where isReached(state) { return }
  }
}
