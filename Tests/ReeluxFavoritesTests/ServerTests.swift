import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// Optional functions of a server: setting several items at once, reporting changes, dates, and a time for the next
/// attempt.
@Suite(.timeLimit(.minutes(15))) struct ServerTests {
  typealias State = FavoritesState<Int>

  let script = ScriptedAPI()
  let clock = TestClock()

  func store(
    _ confirmed: [Int] = [], api: FavoritesAPI<Int>? = nil,
    policy: FavoritesPolicy = FavoritesPolicy(timeLimit: nil, jitter: 0), isCurrent: Bool = false
  ) -> TestStore<FavoritesAction<Int>, State> {
    var state = State(confirmed: confirmed)
    state.bookkeeping.isCurrent = isCurrent
    return TestStore(
      initialState: state,
      feature: .favorites(api: api ?? script.api, policy: policy, clock: clock, chance: { 0 }),
      exhaustivity: [.runningEffects])
  }

  // MARK: Numbers and times

  @Test(.conformance(114)) func anotherAttemptHasTheSameNumberAndAnotherValueHasANewOne() async {
    let store = store(isCurrent: true)
    await store.send(.add(1))
    await script.sets.fail(FavoritesFailure(.offline, ""))
    await clock.run()
    await script.sets.fail(FavoritesFailure(.offline, ""))
    await store.send(.remove(1))
    await store.send(.add(1))
    await clock.run()
    await script.sets.fail(FavoritesFailure(.timeout, ""))
    await store.send(.remove(1))
    await clock.run()
    await script.sets.succeed(())
    let requests = script.requests.withLock { $0 }
    #expect(requests.map(\.isFavorite) == [true, true, true, false])
    #expect(requests.map(\.attempt) == [1, 2, 1, 1])
    #expect(requests[0].number == requests[1].number)
    #expect(Set(requests.map(\.number)).count == 3)
    await store.skipReceivedActions()
    await store.assertFinished()
  }

  @Test(.conformance(114), arguments: [0, 1, 90]) func theServerSaysWhenToTryAgain(seconds: Int) async {
    let store = store()
    await store.send(.add(1))
    await script.sets.fail(FavoritesFailure(.busy, "later", retryAfter: .seconds(seconds)))
    if seconds > 0 {
      #expect(clock.sleepers == [clock.now.advanced(by: .seconds(seconds))])
      await clock.advance(by: .seconds(seconds))
    }
    await script.sets.succeed(())
    await store.send(.load)
    await script.fetches.fail(FavoritesFailure(.busy, "later", retryAfter: .seconds(77)))
    #expect(clock.sleepers == [clock.now.advanced(by: .seconds(77))])
    await clock.run()
    await script.fetches.succeed([1])
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1])
    await store.assertFinished()
  }

  /// More items than delays that run at once. The server refuses all requests of the first minute.
  @Test(.conformance(114), arguments: [(limit: 1, batch: 64), (limit: 4, batch: 1), (limit: 500, batch: 1)])
  func manyItemsThatFailTogetherAreSentAgainTogether(limit: Int, batch: Int) async {
    let minute = clock.now.advanced(by: .seconds(60))
    let times = Locked<[TestInstant]>([])
    let ask: @Sendable () throws -> Void = { [clock] in
      times.withLock { $0.append(clock.now) }
      if clock.now < minute { throw FavoritesFailure(.busy, "later", retryAfter: .seconds(60)) }
    }
    let api = FavoritesAPI<Int>(
      fetch: { FavoritesSnapshot([]) }, set: { _ in try ask() },
      setSeveral: { _ in
        try ask()
        return [:]
      })
    let policy = FavoritesPolicy(limit: limit, batch: batch, timeLimit: nil, jitter: 0)
    let store = store(api: api, policy: policy)
    await store.send(.setAll(Array(0..<300), isFavorite: true))
    await clock.advance(by: .seconds(60))
    await store.skipReceivedActions()
    #expect(store.state.confirmed.count == 300)
    #expect(times.withLock { $0 }.allSatisfy { $0 == minute || $0 == minute.advanced(by: .seconds(-60)) })
    await store.assertFinished()
  }

  // MARK: Several items

  @Test(.conformance(114)) func severalItemsAreSetInOneRequestAndEachHasItsAnswer() async {
    let several = ScriptedCalls<[SetCall], [Int: FavoritesFailure]>()
    var api = script.api
    api.setSeveral = { try await several($0.map { SetCall(id: $0.id, value: $0.isFavorite) }) }
    let store = store([9], api: api, policy: FavoritesPolicy(limit: 1, batch: 3, timeLimit: nil))
    await store.send(.setAll([1, 2, 9, 3, 4], isFavorite: true))
    #expect(several.pending == [[.add(1), .add(2), .add(3)]])
    await several.succeed([2: FavoritesFailure(.refused, "not this one")])
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [9, 1, 3])
    #expect(store.state.failure(of: 2)?.reason == "not this one")
    #expect(script.sets.pending == [.add(4)])  // A single item is set with `set`.
    await script.sets.succeed(())
    await store.skipReceivedActions()
    await store.assertFinished()
  }

  @Test(.conformance(114)) func aBatchThatThrowsFailsEachOfItsItems() async {
    var api = script.api
    api.setSeveral = { _ in throw FavoritesFailure(.refused, "full") }
    let store = store(api: api, policy: FavoritesPolicy(batch: 10, timeLimit: nil))
    await store.send(.setAll([1, 2], isFavorite: true))
    await store.skipReceivedActions()
    #expect(store.state.failed == [1, 2])
    #expect(store.state.ids == [])
    await store.assertFinished()
  }

  @Test(.conformance(114)) func withoutABatchRequestItsItemsAreSetOneAfterTheOther() async {
    let store = store(policy: FavoritesPolicy(limit: 1, batch: 2, timeLimit: nil))
    await store.send(.setAll([1, 2, 3], isFavorite: true))
    for id in [1, 2, 3] {
      #expect(script.sets.pending == [.add(id)])
      await script.sets.succeed(())
    }
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1, 2, 3])
    await store.assertFinished()
  }

  @Test(.conformance(114)) func theTimeLimitOfABatchBeginsAgainWithEachAnswer() async {
    let store = store(policy: FavoritesPolicy(limit: 1, batch: 3, attempts: 1, timeLimit: .seconds(10)))
    await store.send(.setAll([1, 2, 3, 4], isFavorite: true))
    for id in [1, 2] {
      #expect(script.sets.pending == [.add(id)])
      await clock.advance(by: .seconds(9))
      await script.sets.succeed(())
    }
    #expect(script.sets.pending == [.add(3)])
    await clock.advance(by: .seconds(10))
    await script.sets.succeed(())
    await script.fetches.succeed([1, 2, 4])
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1, 2, 4])
    #expect(store.state.failure(of: 3)?.kind == .timeout)
    await store.assertFinished()
  }

  @Test(.conformance(114)) func eachItemOfABatchFailsAtTheTimeLimit() async {
    let several = ScriptedCalls<[SetCall], [Int: FavoritesFailure]>()
    var api = script.api
    api.setSeveral = { try await several($0.map { SetCall(id: $0.id, value: $0.isFavorite) }) }
    let store = store(api: api, policy: FavoritesPolicy(batch: 2, attempts: 1, timeLimit: .seconds(10)))
    await store.send(.setAll([1, 2], isFavorite: true))
    #expect(several.pending == [[.add(1), .add(2)]])
    await clock.advance(by: .seconds(10))
    await store.skipReceivedActions()
    #expect(store.state.failure(of: 1)?.kind == .timeout)
    #expect(store.state.failure(of: 2)?.kind == .timeout)
    await script.fetches.succeed([])
    await store.skipReceivedActions()
    #expect(script.fetches.pending.isEmpty)
    await store.assertFinished()
  }

  @Test(.conformance(114)) func aBatchThatThrowsIsCheckedByOneFetch() async {
    var api = script.api
    api.setSeveral = { _ in throw FavoritesFailure(.unknown, "what?") }
    let store = store(api: api, policy: FavoritesPolicy(batch: 10, timeLimit: nil))
    await store.send(.setAll([1, 2, 3], isFavorite: true))
    await script.fetches.succeed([1])
    await store.skipReceivedActions()
    #expect(script.fetches.pending.isEmpty)
    #expect(store.state.failed == [2, 3])  // The server has added 1.
    #expect([1, 2, 3].allSatisfy(store.state.isCertain))
    await store.assertFinished()
  }

  @Test(.conformance(114)) func removeAllIsUndoneAsOneChange() async {
    let store = store([1, 2], policy: FavoritesPolicy(limit: 9, timeLimit: nil))
    await store.send(.add(3))
    await store.send(.removeAll)
    #expect(store.state.ids == [])
    #expect(script.sets.pending == [.add(3), .remove(1), .remove(2)])
    await store.send(.undo)
    #expect(Set(store.state.ids) == [1, 2, 3])
    for _ in 1...3 { await script.sets.succeed(()) }
    for _ in 1...2 { await script.sets.succeed(()) }
    await store.skipReceivedActions()
    #expect(Set(store.state.confirmed) == [1, 2, 3])
    await store.send(.undo)  // The addition of 3.
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(Set(store.state.confirmed) == [1, 2])
    #expect(!store.state.canUndo)
    await store.assertFinished()
  }

  // MARK: The server's own changes

  @Test(.conformance(114)) func changesOfTheServerArriveWhileTheyAreFollowed() async {
    let store = store([1])
    await store.send(.follow)
    #expect(store.state.isFollowing)
    await script.fetches.succeed([1])
    await script.changes.send(.set(2, isFavorite: true, date: 60))
    await script.changes.send(.set(1, isFavorite: false))
    await store.skipReceivedActions()
    #expect(store.state.ids == [2])
    #expect(store.state.date(of: 2) == 60)
    await script.changes.send(.replaced([5, 2]))
    await store.skipReceivedActions()
    #expect(store.state.ids == [5, 2])
    await store.send(.unfollow)
    #expect(script.changes.readerCount == 0)
    await store.assertFinished()
  }

  /// Records the requests of a batch. The first one waits until it is answered.
  private final class SlowServer: Sendable {
    private let requests = Locked<[Int]>([])
    private let answer = Locked<CheckedContinuation<Void, Never>?>(nil)
    private let isReleased = Locked(false)
    private let changes = ChangeCounter()

    /// The API keeps an object whose release shows that no request runs.
    var api: FavoritesAPI<Int> {
      let use = Use { [self] in
        isReleased.withLock { $0 = true }
        changes.add()
      }
      return FavoritesAPI(fetch: { [] }) { [self, use] request in
        requests.withLock { $0.append(request.id) }
        await withCheckedContinuation { continuation in
          answer.withLock { $0 = continuation }
          changes.add()
        }
        withExtendedLifetime(use) {}
      }
    }

    final class Use: Sendable {
      private let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }

    var sent: [Int] { requests.withLock { $0 } }

    func isAsked() async -> Bool {
      await changes.wait(until: { answer.withLock { $0 != nil } }, timeout: .seconds(120))
    }

    /// Answers the present request. Returns when no request runs and the API is released.
    func answerAndEnd() async -> Bool {
      answer.withLock { $0.take() }?.resume()
      return await changes.wait(
        until: { isReleased.withLock { $0 } || answer.withLock { $0 != nil } }, timeout: .seconds(120))
    }
  }

  @Test(.conformance(56, 112)) func aBatchSendsNoRequestAfterTheStoreIsReleased() async {
    let server = SlowServer()
    do {
      let store = Store(
        initialState: FavoritesState<Int>(),
        feature: .favorites(api: server.api, policy: FavoritesPolicy(batch: 5, timeLimit: nil)))
      store.dispatch(.setAll([1, 2, 3], isFavorite: true))
      #expect(await server.isAsked())
    }
    #expect(await server.answerAndEnd())
    #expect(server.sent == [1])
  }

  @Test(.conformance(114)) func theHandleOfFollowingWaitsForItsFetch() async {
    let (changes, _) = AsyncThrowingStream.makeStream(of: FavoritesChange<Int>.self)
    var api = FavoritesAPI<Int>(fetch: { [5] }, set: { _ in })
    api.changes = { changes }
    let store = Store(
      initialState: FavoritesState<Int>(), feature: .favorites(api: api, policy: FavoritesPolicy(timeLimit: nil)))
    await store.dispatch(.follow).finish()
    #expect(store.state.ids == [5])
    #expect(store.state.isFollowing)
  }

  @Test func followingAnAPIWithoutChangesEndsAtOnceAndFetches() async {
    let store = Store(
      initialState: FavoritesState<Int>(),
      feature: .favorites(
        api: FavoritesAPI<Int>(fetch: { [5] }, set: { _ in }), policy: FavoritesPolicy(timeLimit: nil)))
    await store.dispatch(.follow).finish()
    #expect(store.state.ids == [5])
    for await state in store.states where !state.isFollowing { break }
  }

  @Test(.conformance(114), arguments: [nil, FavoritesFailure(.offline, "no network")])
  func aStreamThatEndsIsOpenedAgainAndTheFavoritesAreFetched(failure: FavoritesFailure?) async {
    let store = store()
    await store.send(.follow)
    await script.fetches.succeed([])
    if let failure { await script.changes.fail(failure) } else { await script.changes.finish() }
    #expect(clock.sleepers.count == 1)
    await clock.run()
    #expect(script.changes.readerCount == 1)
    await script.fetches.succeed([4])
    await store.skipReceivedActions()
    #expect(store.state.ids == [4])
    await store.send(.unfollow)
    await store.assertFinished()
  }

  @Test(.conformance(114)) func aChangeOfAnotherClientDuringARequestIsCheckedAfterTheAnswer() async {
    let store = store()
    await store.send(.follow)
    await script.fetches.succeed([])
    await store.send(.add(1))
    // The server added it for this client, and another client removed it. Both changes are reported before the
    // response.
    await script.changes.send(.set(1, isFavorite: true))
    await script.changes.send(.set(1, isFavorite: false))
    await script.sets.succeed(())
    await script.fetches.succeed([])
    await store.skipReceivedActions()
    #expect(store.state.ids == [])
    await store.send(.unfollow)
    await store.assertFinished()
  }

  @Test(.conformance(114)) func anAnswerToARequestFromBeforeFollowingIsCheckedByAFetch() async {
    let store = store()
    await store.send(.add(1))
    // The server added it for this client, and another client removed it. Then the stream is opened.
    await store.send(.follow)
    await script.fetches.succeed([])
    await script.sets.succeed(())
    await script.fetches.succeed([])
    await store.skipReceivedActions()
    #expect(store.state.ids == [])
    await store.send(.unfollow)
    await store.assertFinished()
  }

  @Test(.conformance(114)) func anAnswerDuringTheFirstFetchOfFollowingIsCheckedByAnotherFetch() async {
    let store = store()
    await store.send(.add(1))
    await store.send(.follow)
    await script.sets.succeed(())
    await script.fetches.succeed([])
    await script.fetches.succeed([])
    await store.skipReceivedActions()
    #expect(store.state.ids == [])
    await store.send(.unfollow)
    await store.assertFinished()
  }

  @Test func withoutAStreamFollowingOnlyFetches() async {
    let api = FavoritesAPI<Int>(fetch: { [3] }, set: { _ in })
    let store = store(api: api)
    await store.send(.follow)
    await store.skipReceivedActions()
    #expect(store.state.ids == [3])
    await store.assertFinished()
  }

  // MARK: Dates

  @Test(.conformance(114)) func datesOfAdditionComeFromTheServer() async {
    var api = script.api
    api.date = { 100 }
    let store = store(api: api)
    await store.send(.load)
    await script.fetches.succeed(FavoritesSnapshot([1, 2], dates: [1: 10, 7: 70]))
    await store.send(.add(3))
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect([1, 2, 3, 7].map { store.state.date(of: $0) } == [10, nil, 100, nil])
    await store.send(.remove(1))
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.date(of: 1) == nil)
    await store.assertFinished()
  }
}
