import Foundation
import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxFavorites

/// The feature in a test store, with an API to which the test responds.
@Suite(.timeLimit(.minutes(15))) struct FavoritesFeatureTests {
  typealias State = FavoritesState<Int>

  let script = ScriptedAPI()
  let clock = TestClock()

  /// A test store that requires all actions. It compares only stated parts of the state.
  func store(
    _ confirmed: [Int] = [], policy: FavoritesPolicy = FavoritesPolicy(timeLimit: nil, jitter: 0),
    isCurrent: Bool = false
  ) -> TestStore<FavoritesAction<Int>, State> {
    var state = State(confirmed: confirmed)
    state.bookkeeping.isCurrent = isCurrent
    return TestStore(
      initialState: state,
      feature: .favorites(api: script.api, policy: policy, clock: clock, chance: { 0 }),
      exhaustivity: [.receivedActions, .runningEffects])
  }

  func request(_ id: Int, _ value: Bool, attempt: Int = 1, number: Int) -> FavoritesRequest<Int> {
    FavoritesRequest(id: id, isFavorite: value, attempt: attempt, number: number)
  }

  @Test func aFailureHasALocalizedDescription() {
    let failure = FavoritesFailure(.refused, "not on Sundays")
    #expect((failure as any Error).localizedDescription == "not on Sundays")
  }

  @Test(.conformance(82)) func aToggleIsSeenAtOnceAndConfirmedByTheAnswer() async {
    let store = store()
    store.exhaustivity = .all
    await store.send(.toggle(1)) {
      $0.items[1] = FavoritesItem(
        intent: true, phase: .requesting(attempt: 1, slot: 1),
        sent: FavoritesItem.Sent(isFavorite: true, number: 2), order: 1)
      $0.bookkeeping.undoable = [FavoritesBookkeeping.Undo(ids: [1], isFavorite: false)]
      $0.bookkeeping.slots = [FavoritesBookkeeping.Slot(number: 1, requests: [request(1, true, number: 2)])]
      $0.bookkeeping.lastSlot = 1
      $0.bookkeeping.lastNumber = 2
    }
    #expect(store.state.contains(1))
    #expect(script.sets.pending == [.add(1)])
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, true, number: 2))) {
      $0.confirmed = [1]
      $0.items = [:]
      $0.bookkeeping.slots = []
    }
    await store.assertFinished()
  }

  @Test(.conformance(82)) func refusalRollsBackAndSaysWhyWithoutAnotherAttempt() async {
    let store = store([1])
    let no = FavoritesFailure(.refused, "not on Sundays")
    await store.send(.toggle(1))
    #expect(store.state.ids == [])
    await script.sets.fail(no)
    await store.receive(.failed(request(1, false, number: 2), no)) { $0.items[1]?.phase = .failed(no) }
    #expect(store.state.ids == [1])
    #expect(store.state.failure(of: 1) == no)
    await store.assertFinished()
  }

  @Test func anErrorOfAnyOtherKindRollsBackAndFetches() async {
    struct Odd: Error {}
    let store = store()
    await store.send(.toggle(1))
    await script.sets.fail(Odd())
    await store.receive(.failed(request(1, true, number: 2), FavoritesFailure(.unknown, "Odd()"))) {
      $0.load = .loading(attempt: 1, number: 3, again: false)
    }
    await script.fetches.succeed([])
    await store.receive(.loaded([], number: 3)) { $0.isLoaded = true }
    #expect(store.state.ids == [])
    #expect(store.state.failure(of: 1)?.kind == .unknown)
    await store.assertFinished()
  }

  @Test(.conformance(82)) func whatCanSucceedLaterIsTriedAgainAfterGrowingDelaysAndThenGivenUp() async {
    let store = store(
      policy: FavoritesPolicy(
        attempts: 4, timeLimit: nil, backoff: Backoff(first: .seconds(1), factor: 3, longest: .seconds(5)), jitter: 0))
    let no = FavoritesFailure(.offline, "no network")
    await store.send(.toggle(1))
    for (attempt, delay) in [1: 1, 2: 3, 3: 5].sorted(by: { $0.key < $1.key }) {
      await script.sets.fail(no)
      await store.receive(.failed(request(1, true, attempt: attempt, number: 2), no))
      #expect(store.state.contains(1))
      #expect(clock.sleepers == [clock.now.advanced(by: .seconds(delay))])
      #expect(script.sets.pending == [])
      await clock.advance(by: .seconds(delay))
      await store.receive(.due(1, number: 2, attempt: attempt + 1))
      #expect(script.sets.pending == [.add(1)])
    }
    await script.sets.fail(no)
    await store.receive(.failed(request(1, true, attempt: 4, number: 2), no))
    #expect(store.state.ids == [])
    #expect(store.state.failure(of: 1) == no)
    await store.assertFinished()
  }

  @Test func jitterIsDrawnForEachDelay() async {
    let chances = [0.0, 1.0, 0.5]
    let drawn = Locked(0)
    let store = TestStore(
      initialState: State(),
      feature: .favorites(
        api: script.api,
        policy: FavoritesPolicy(
          attempts: 4, timeLimit: nil, backoff: Backoff(first: .seconds(1), factor: 1), jitter: 0.5),
        clock: clock,
        chance: {
          drawn.withLock { drawn in
            defer { drawn += 1 }
            return chances[drawn]
          }
        }),
      exhaustivity: .none)
    await store.send(.toggle(1))
    for delay in [Duration.seconds(1), .milliseconds(500), .milliseconds(750)] {
      await script.sets.fail(FavoritesFailure(.offline, ""))
      #expect(clock.sleepers == [clock.now.advanced(by: delay)])
      await clock.advance(by: delay)
    }
    await script.sets.succeed(())
  }

  @Test func aSuccessAfterFailuresConfirms() async {
    let store = store()
    let late = FavoritesFailure(.timeout, "late")
    await store.send(.toggle(1))
    await script.sets.fail(late)
    await store.receive(.failed(request(1, true, number: 2), late))
    await clock.run()
    await store.receive(.due(1, number: 2, attempt: 2))
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, true, attempt: 2, number: 2))) { $0.items = [:] }
    #expect(script.requests.withLock { $0.map(\.number) } == [2, 2])
    #expect(store.state.confirmed == [1])
    await store.assertFinished()
  }

  @Test func afterTheLastTimeoutTheServersFavoritesAreFetched() async {
    let store = store(policy: FavoritesPolicy(attempts: 1, timeLimit: nil))
    let late = FavoritesFailure(.timeout, "late")
    await store.send(.toggle(1))
    await script.sets.fail(late)
    await store.receive(.failed(request(1, true, number: 2), late))
    #expect(store.state.ids == [])
    await script.fetches.succeed([1, 5])
    await store.receive(.loaded([1, 5], number: 3)) { $0.items = [:] }
    #expect(store.state.ids == [1, 5])
    await store.assertFinished()
  }

  /// So a replay that leaves actions out finds the request by its content.
  @Test func theTimeLimitOfOneRequestFailsThisRequest() async {
    let store = store(policy: FavoritesPolicy(attempts: 1, timeLimit: .seconds(10)))
    await store.send(.toggle(1))
    await clock.advance(by: .seconds(10))
    let late = FavoritesFailure(.timeout, "there was no response within \(Duration.seconds(10))")
    await store.receive(.failed(request(1, true, number: 2), late))
    await script.fetches.succeed([])
    await store.receive(.loaded([], number: 3))
    await store.assertFinished()
  }

  @Test func aConflictFetchesAndTakesWhatTheServerHolds() async {
    let store = store([1])
    let conflict = FavoritesFailure(.conflict, "changed elsewhere")
    await store.send(.toggle(1))
    await script.sets.fail(conflict)
    await store.receive(.failed(request(1, false, number: 2), conflict))
    #expect(store.state.failure(of: 1) == conflict)
    await script.fetches.succeed([2])
    await store.receive(.loaded([2], number: 3)) { $0.items = [:] }
    #expect(store.state.ids == [2])
    await store.assertFinished()
  }

  @Test(.conformance(83)) func requestsForOneItemNeverRace() async {
    let store = store()
    for _ in 1...4 { await store.send(.toggle(1)) }
    #expect(script.sets.requests == [.add(1)])
    #expect(!store.state.contains(1))
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, true, number: 2)))
    #expect(script.sets.pending == [.remove(1)])
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, false, number: 6)))
    #expect(script.sets.requests == [.add(1), .remove(1)])
    #expect(store.state.confirmed == [])
    await store.assertFinished()
  }

  @Test(.conformance(83)) func requestsForDifferentItemsRunSideBySideUpToTheLimit() async {
    let store = store(policy: FavoritesPolicy(limit: 3, timeLimit: nil))
    store.exhaustivity = .none
    for id in 1...5 { await store.send(.add(id)) }
    #expect(script.sets.pending == [.add(1), .add(2), .add(3)])
    #expect(store.state.bookkeeping.queue == [4, 5])
    #expect(store.state.ids == [1, 2, 3, 4, 5])
    await script.sets.succeed((), at: 1)
    #expect(script.sets.pending == [.add(1), .add(3), .add(4)])
    await script.sets.fail(FavoritesFailure(.offline, ""), at: 0)  // A delay occupies no slot.
    #expect(script.sets.pending == [.add(3), .add(4), .add(5)])
    for _ in 1...3 { await script.sets.succeed(()) }
    await clock.run()
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [2, 3, 4, 5, 1])
    #expect(store.state.isSettled)
  }

  @Test func afterATimeoutTheOppositeIntentIsSentAndNotAssumed() async {
    let store = store([1])
    let late = FavoritesFailure(.timeout, "late")
    await store.send(.remove(1))
    await script.sets.fail(late)
    await store.receive(.failed(request(1, false, number: 2), late))
    await store.send(.add(1))
    #expect(store.state.isPending(1))
    await store.send(.retry(1))
    #expect(script.sets.pending == [.add(1)])
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, true, number: 4))) { $0.items = [:] }
    await store.assertFinished()
  }

  @Test func afterTheLastTimeoutOfAnOlderIntentTheLastOneGetsItsOwnAttempts() async {
    let store = store(policy: FavoritesPolicy(attempts: 1, timeLimit: nil))
    let late = FavoritesFailure(.timeout, "late")
    await store.send(.add(1))
    await store.send(.remove(1))
    await script.sets.fail(late)
    await store.receive(.failed(request(1, true, number: 2), late))
    #expect(store.state.failure(of: 1) == nil)
    #expect(script.sets.pending == [.remove(1)])
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, false, number: 4))) { $0.items = [:] }
    await store.assertFinished()
  }

  @Test func togglingBackDuringADelayEndsTheDelay() async {
    let store = store(isCurrent: true)
    let no = FavoritesFailure(.offline, "")
    await store.send(.toggle(1))
    await script.sets.fail(no)
    await store.receive(.failed(request(1, true, number: 2), no))
    #expect(clock.sleepers.count == 1)
    await store.send(.toggle(1)) { $0.items = [:] }
    #expect(clock.sleepers.isEmpty)
    await store.assertFinished()
  }

  @Test func retryAllTriesEveryFailedIntentInTheOrderOfIntent() async {
    let store = store(policy: FavoritesPolicy(limit: 1, timeLimit: nil))
    store.exhaustivity = .none
    for id in [3, 1, 2] { await store.send(.add(id)) }
    for _ in 1...3 { await script.sets.fail(FavoritesFailure(.refused, "")) }
    await store.skipReceivedActions()
    #expect(store.state.failed == [3, 1, 2])
    await store.send(.retryAll)
    for id in [3, 1, 2] {
      #expect(script.sets.pending == [.add(id)])
      await script.sets.succeed(())
    }
    await store.skipReceivedActions()
    #expect(store.state.ids == [3, 1, 2])
  }

  @Test func retryAllBringsForwardWhatWaitsAndLeavesAloneWhatIsWithTheServer() async {
    let store = store()
    let no = FavoritesFailure(.offline, "")
    await store.send(.add(1))
    await store.send(.add(2))
    await script.sets.fail(no)
    await store.receive(.failed(request(1, true, number: 2), no))
    await store.send(.retryAll)
    #expect(clock.sleepers.isEmpty)
    #expect(script.sets.pending == [.add(2), .add(1)])
    for number in [4, 5] {
      await script.sets.succeed(())
      await store.receive(.confirmed(request(number == 4 ? 2 : 1, true, number: number)))
    }
    await store.assertFinished()
  }

  @Test func undoAsksTheServerToo() async {
    let store = store([1])
    await store.send(.remove(1))
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, false, number: 2)))
    await store.send(.undo)
    #expect(store.state.bookkeeping.undoable.isEmpty)
    #expect(script.sets.pending == [.add(1)])
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, true, number: 4))) { $0.confirmed = [1] }
    await store.assertFinished()
  }

  @Test func aLoadThatFailsIsTriedAgainAndThenSaysWhy() async {
    let store = store(
      [4], policy: FavoritesPolicy(attempts: 2, timeLimit: nil, backoff: Backoff(first: .seconds(2)), jitter: 0))
    let no = FavoritesFailure(.offline, "no network")
    await store.send(.load)
    await script.fetches.fail(no)
    await store.receive(.loadFailed(no, number: 1)) { $0.load = .waiting(attempt: 2, number: 1) }
    await clock.advance(by: .seconds(2))
    await store.receive(.loadDue(number: 1))
    await script.fetches.fail(no)
    await store.receive(.loadFailed(no, number: 2)) { $0.load = .failed(no) }
    #expect(store.state.ids == [4])
    #expect(!store.state.isLoaded)
    await store.assertFinished()
  }

  @Test func aLoadDuringTheDelayIsMadeAtOnce() async {
    let store = store()
    let no = FavoritesFailure(.offline, "no network")
    await store.send(.load)
    await script.fetches.fail(no)
    await store.receive(.loadFailed(no, number: 1))
    await store.send(.load)
    #expect(clock.sleepers.isEmpty)
    await script.fetches.succeed([1])
    await store.receive(.loaded([1], number: 2)) { $0.confirmed = [1] }
    await store.assertFinished()
  }

  @Test func anIntentDuringTheLoadIsKeptWhateverTheLoadBrings() async {
    let store = store()
    await store.send(.load)
    await store.send(.add(1))
    await script.sets.succeed(())
    await store.receive(.confirmed(request(1, true, number: 3)))
    await script.fetches.succeed([7])
    await store.receive(.loaded([7], number: 1)) { $0.confirmed = [7, 1] }
    await store.assertFinished()
  }

  @Test func theHandleOfAnIdThatIsNotEqualToItselfFinishes() async {
    let fetches = ScriptedCalls<String, FavoritesSnapshot<Double>>()
    let api = FavoritesAPI<Double>(fetch: { try await fetches("fetch") }, set: { _ in })
    let store = Store(initialState: FavoritesState<Double>(), feature: .favorites(api: api, clock: TestClock()))
    store.dispatch(.load)
    await fetches.pending(atLeast: 1)
    let handle = store.dispatch(.toggle(.nan))
    await fetches.succeed([2])
    await handle.finish()
    #expect(store.state.ids == [2])
  }

  @Test func aStoreThatIsGoneCancelsItsRequests() async {
    var store: Store<FavoritesAction<Int>, State>? = Store(
      initialState: State(), feature: .favorites(api: script.api, policy: FavoritesPolicy(timeLimit: nil)))
    store?.dispatch(.toggle(1))
    await script.sets.pending(atLeast: 1)
    store = nil
    #expect(script.sets.pending == [])
  }
}
