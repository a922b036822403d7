import Foundation
import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// Lost responses, restored states, removed features, and signing out.
@Suite(.timeLimit(.minutes(15))) struct LifeCycleTests {
  typealias State = FavoritesState<Int>

  let clock = TestClock()

  func store(
    _ state: State = State(), _ script: ScriptedAPI,
    policy: FavoritesPolicy = FavoritesPolicy(timeLimit: nil, jitter: 0),
    exhaustivity: Exhaustivity = [.runningEffects]
  ) -> TestStore<FavoritesAction<Int>, State> {
    TestStore(
      initialState: state, feature: .favorites(api: script.api, policy: policy, clock: clock, chance: { 0 }),
      exhaustivity: exhaustivity)
  }

  func restored(_ state: State) throws -> State {
    try JSONDecoder().decode(State.self, from: JSONEncoder().encode(state))
  }

  // MARK: Answers that cannot come

  @Test(.conformance(111)) func aRestoredStateMakesItsRequestsAgainWithTheirNumbers() async throws {
    let before = ScriptedAPI()
    let killed = store(State(), before)
    killed.exhaustivity = .none
    for id in 1...5 { await killed.send(.add(id)) }
    let script = ScriptedAPI()
    let store = store(try restored(killed.state), script)
    #expect(script.sets.pending == [.add(1), .add(2), .add(3), .add(4)])
    #expect(script.requests.withLock { $0 } == before.requests.withLock { $0 })
    for _ in 1...5 { await script.sets.succeed(()) }
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1, 2, 3, 4, 5])
    await store.assertFinished()
  }

  @Test(.conformance(111)) func aRestoredDelayAndARestoredFetchGoOn() async throws {
    let before = ScriptedAPI()
    let killed = store(State(), before)
    killed.exhaustivity = .none
    await killed.send(.add(1))
    await before.sets.fail(FavoritesFailure(.offline, "no network"))
    await killed.send(.load)
    await killed.skipReceivedActions()
    let script = ScriptedAPI()
    let store = store(try restored(killed.state), script)
    #expect(script.fetches.pending.count == 1)
    #expect(clock.sleepers.count == 2)  // One of the killed store, and one of this store.
    await clock.run()
    #expect(script.sets.pending == [.add(1)])
    await script.sets.succeed(())
    await script.fetches.succeed([])
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1])
    await store.assertFinished()
  }

  @Test(.conformance(111)) func afterARestoreTheServersValueIsUncertainUntilTheAnswer() async throws {
    let killed = store(State(), ScriptedAPI())
    killed.exhaustivity = .none
    await killed.send(.add(1))
    // The server may have applied the request before the app was killed. The repeated request does not reach the
    // server.
    let script = ScriptedAPI()
    let store = store(try restored(killed.state), script, policy: FavoritesPolicy(attempts: 1, timeLimit: nil))
    await script.sets.fail(FavoritesFailure(.refused, "no"))
    await store.skipReceivedActions()
    #expect(script.fetches.pending.count == 1)
    await script.fetches.succeed([1])
    await store.skipReceivedActions()
    #expect(store.state.ids == [1])
    await store.assertFinished()
  }

  @Test(.conformance(111)) func aFetchThatIsMadeAgainSeesWhatWasConfirmedDuringTheFirst() async throws {
    let before = ScriptedAPI()
    let killed = store(State(), before)
    killed.exhaustivity = .none
    await killed.send(.load)
    await killed.send(.add(1))
    await before.sets.succeed(())
    await killed.skipReceivedActions()
    let script = ScriptedAPI()
    let store = store(try restored(killed.state), script)
    await script.fetches.succeed([])  // Another device has removed it in the meantime.
    await store.skipReceivedActions()
    #expect(store.state.ids == [])
    await store.assertFinished()
  }

  enum WholeAction: Sendable {
    case favorites(FavoritesAction<Int>)
    case put(State?)
    case user(ElementAction<Int, FavoritesAction<Int>>)
    case signIn([User])
  }

  struct User: Identifiable, Sendable {
    var id: Int
    var favorites = State()
  }

  struct Whole: Sendable {
    var favorites: State?
    var users: [User] = []
  }

  /// A store in which favourites appear and disappear, as an optional and in a collection.
  func store(_ script: ScriptedAPI) -> Store<WholeAction, Whole> {
    let favorites = Feature<FavoritesAction<Int>, State>.favorites(
      api: script.api, policy: FavoritesPolicy(attempts: 1, timeLimit: nil))
    let only = Prism<WholeAction, FavoritesAction<Int>>(case: WholeAction.favorites) {
      if case .favorites(let part) = $0 { part } else { nil }
    }
    let one = Prism<WholeAction, ElementAction<Int, FavoritesAction<Int>>>(case: WholeAction.user) {
      if case .user(let part) = $0 { part } else { nil }
    }
    let inUser = favorites.lift(
      action: Prism<FavoritesAction<Int>, FavoritesAction<Int>>.identity, state: \User.favorites)
    return Store(
      initialState: Whole(),
      feature: Feature {
        favorites.lift(action: only, optional: \.favorites)
        inUser.lift(action: one, element: .byID(\.users))
        Feature(
          reducer: Reducer { action, state in
            if case .put(let favorites) = action { state.favorites = favorites }
            if case .signIn(let users) = action { state.users = users }
          })
      })
  }

  /// A state with a request that the server has applied, but whose response will not arrive.
  func interrupted() async -> State {
    let script = ScriptedAPI()
    let store = store(State(), script)
    store.exhaustivity = .none
    await store.send(.add(1))
    return store.state
  }

  @Test(.conformance(111), arguments: [true, false])
  func aStateThatEntersAnOptionalLaterIsUncertainAndIsSentAgain(isRestored: Bool) async throws {
    let script = ScriptedAPI()
    let store = store(script)
    let before = await interrupted()
    store.dispatch(.put(isRestored ? try restored(before) : before))
    await script.sets.pending(atLeast: 1)
    #expect(store.state.favorites?.isCertain(1) == false)
    await script.sets.fail(FavoritesFailure(.refused, "no"))
    // The first request may have arrived, so the favourites are fetched.
    await script.fetches.pending(atLeast: 1)
    await script.fetches.succeed([1])
    for await state in store.states where state.favorites?.isSettled == true { break }
    #expect(store.state.favorites?.ids == [1])
  }

  @Test(.conformance(111)) func aStateThatIsTakenAwayAndPutBackIsUncertainAndIsSentAgain() async {
    let script = ScriptedAPI()
    let store = store(script)
    store.dispatch(.put(State()))
    store.dispatch(.favorites(.add(1)))
    await script.sets.pending(atLeast: 1)
    #expect(store.state.favorites?.isCertain(1) == true)
    let kept = store.state.favorites
    store.dispatch(.put(nil))
    store.dispatch(.put(kept))
    await script.sets.pending(atLeast: 1)
    for await state in store.states where state.favorites?.isCertain(1) == false { break }
    #expect(script.requests.withLock { $0.map(\.number) } == [2, 2])
    await script.sets.succeed(())
    for await state in store.states where state.favorites?.isSettled == true { break }
    #expect(store.state.favorites?.confirmed == [1])
  }

  /// Both states give the same numbers to their requests and fetches.
  @Test(.conformance(111)) func theWorkOfAStateThatReplacesAnotherOneStarts() async throws {
    let script = ScriptedAPI(ignoresCancellation: true)
    let store = store(script)
    var before = State()
    let reducer = Reducer<FavoritesAction<Int>, State>.favorites()
    for action in [.add(1), .load] as [FavoritesAction<Int>] { reducer.reduce(action, &before) }
    store.dispatch(.put(State()))
    store.dispatch(.favorites(.add(2)))
    store.dispatch(.favorites(.load))
    await script.sets.pending(atLeast: 1)
    await script.fetches.pending(atLeast: 1)
    store.dispatch(.put(try restored(before)))
    await script.sets.pending(atLeast: 2)
    await script.fetches.pending(atLeast: 2)
    #expect(script.sets.pending == [.add(2), .add(1)])
    // The responses to the work of the first state are ignored.
    await script.sets.succeed(())
    await script.fetches.succeed([100])
    await script.sets.succeed(())
    await script.fetches.succeed([7])
    for await state in store.states where state.favorites?.isSettled == true { break }
    #expect(store.state.favorites?.confirmed == [7, 1])
  }

  @Test(.conformance(111)) func aStateThatEntersACollectionLaterIsUncertainAndIsSentAgain() async {
    let script = ScriptedAPI()
    let store = store(script)
    store.dispatch(.signIn([User(id: 7, favorites: await interrupted())]))
    await script.sets.pending(atLeast: 1)
    #expect(store.state.users[0].favorites.isCertain(1) == false)
    await script.sets.succeed(())
    for await state in store.states where state.users[0].favorites.isSettled { break }
    #expect(store.state.users[0].favorites.confirmed == [1])
  }

  @Test(.conformance(111)) func aRestoredFollowingFetchesWhatItHasMissed() async throws {
    var state = State(confirmed: [1])
    let reducer = Reducer<FavoritesAction<Int>, State>.favorites()
    reducer.reduce(.follow, &state)
    let number = try #require(state.load.fetchNumber)
    reducer.reduce(.response(.loaded([1], number: number)), &state)
    let script = ScriptedAPI()
    let store = store(try restored(state), script)
    await store.skipReceivedActions()
    #expect(script.fetches.pending.count == 1)
    await script.fetches.succeed([1, 2])
    await store.skipReceivedActions()
    #expect(store.state.ids == [1, 2])
    await store.send(.unfollow)
    await store.assertFinished()
  }

  // MARK: Intents that are changed back

  @Test(.conformance(83)) func anIntentThatIsChangedBackBeforeTheFirstFetchIsSent() async {
    let script = ScriptedAPI()
    let store = store(State(), script, policy: FavoritesPolicy(limit: 1, timeLimit: nil))
    await store.send(.add(9))
    await store.send(.add(1))
    await store.send(.remove(1))  // The server may have it.
    #expect(store.state.isPending(1))
    await script.sets.succeed(())
    #expect(script.sets.pending == [.remove(1)])
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.isSettled(1))
    await store.assertFinished()
  }

  @Test(.conformance(83)) func anIntentThatIsChangedBackAfterTheFetchRestsUnsent() async {
    let script = ScriptedAPI()
    let store = store(State(), script, policy: FavoritesPolicy(limit: 1, timeLimit: nil))
    await store.send(.load)
    await script.fetches.succeed([])
    await store.skipReceivedActions()
    await store.send(.add(9))
    await store.send(.add(1))
    await store.send(.remove(1))
    #expect(store.state.isSettled(1))
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(script.sets.pending == [])
    await store.assertFinished()
  }

  @Test(.conformance(83, 114)) func aLateReportOfAnEarlierRequestDoesNotAnswerTheLastIntent() {
    let reducer = Reducer<FavoritesAction<Int>, State>.favorites(policy: FavoritesPolicy(limit: 1))
    var state = State()
    func answer() {
      for request in state.bookkeeping.slots.flatMap(\.requests) {
        reducer.reduce(.response(.confirmed(request)), &state)
      }
    }
    reducer.reduce(.follow, &state)
    guard case .open(_, let number) = state.following else { return }
    reducer.reduce(.add(1), &state)
    answer()
    reducer.reduce(.remove(1), &state)
    answer()
    reducer.reduce(.add(9), &state)
    reducer.reduce(.add(1), &state)
    // The server reports the first two changes in their order.
    reducer.reduce(.response(.pushed(.set(1, isFavorite: true), number: number)), &state)
    #expect(state.isPending(1))
    reducer.reduce(.response(.pushed(.set(1, isFavorite: false), number: number)), &state)
    answer()
    #expect(state.bookkeeping.slots.flatMap { $0.requests.map(\.id) } == [1])
    #expect(state.contains(1))
  }

  @Test(.conformance(111)) func cancellingTheHandleOfAnIntentLeavesItsRequestUnderWay() async {
    let script = ScriptedAPI()
    let store = store(State(), script)
    let sent = await store.send(.add(1))
    await sent.cancel()
    #expect(script.sets.pending == [.add(1)])
    await script.sets.succeed(())
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [1])
    await store.assertFinished()
  }

  @Test(.conformance(111)) func aFeatureThatIsInstalledAgainMakesItsRequestsAgain() async {
    let script = ScriptedAPI()
    let store = Store(initialState: State(), reducer: .favorites())
    let feature = Feature<FavoritesAction<Int>, State>(
      middleware: Middleware(FavoritesAPIMiddleware(api: script.api, policy: FavoritesPolicy(timeLimit: nil))))
    let first = store.install(feature)
    store.dispatch(.add(1))
    await script.sets.pending(atLeast: 1)
    first.remove()
    #expect(script.sets.pending == [])
    let second = store.install(feature)
    await script.sets.pending(atLeast: 1)
    #expect(script.requests.withLock { $0.map(\.number) } == [2, 2])
    await script.sets.succeed(())
    for await state in store.states where state.isSettled { break }
    #expect(store.state.confirmed == [1])
    second.remove()
  }

  @Test(.conformance(111)) func anAPIThatNeverAnswersFreesItsPlaceAtTheTimeLimit() async {
    let script = ScriptedAPI(ignoresCancellation: true)
    let store = store(
      State(), script,
      policy: FavoritesPolicy(limit: 1, attempts: 2, timeLimit: .seconds(5), backoff: Backoff(first: .seconds(1))))
    await store.send(.add(1))
    await store.send(.add(2))
    #expect(script.sets.requests == [.add(1)])
    await clock.advance(by: .seconds(5))
    #expect(script.sets.requests == [.add(1), .add(2)])
    await clock.advance(by: .seconds(60))
    await store.skipReceivedActions()
    #expect(script.sets.requests.count == 4)
    for id in [1, 2] {
      #expect(store.state.failure(of: id)?.kind == .timeout)
      #expect(store.state.failure(of: id)?.reason == "there was no response within 5.0 seconds")
    }
    // The result on the server is unknown, so the favourites are fetched. This fetch gets no response either.
    #expect(store.state.load.failure?.kind == .timeout)
    #expect(store.state.isSettled)
    for _ in script.sets.pending { await script.sets.succeed(()) }
    await store.skipReceivedActions()
    #expect(store.state.confirmed == [])
    for _ in script.fetches.pending { await script.fetches.succeed([]) }
  }
}
