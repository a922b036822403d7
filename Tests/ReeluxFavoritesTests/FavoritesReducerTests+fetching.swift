import ReeluxCore
import ReeluxTestSupport
import Testing

@testable import ReeluxFavorites

/// Fetching and following the server's favourites.
extension FavoritesReducerTests {
  private func number(of state: State) throws -> Int {
    guard case .open(_, let number) = state.following else { throw NotFollowing() }
    return number
  }

  private struct NotFollowing: Error {}

  @Test(.conformance(114)) func changesThatAreFollowedAreNotFollowedTwice() {
    var state = state(after: .follow)
    let before = state
    #expect(!reducer.reduce(.follow, &state))
    #expect(state == before)
  }

  @Test(.conformance(114)) func whileChangesAreFollowedAnIntentThatIsTakenBackIsSent() {
    var state = state(after: .add(8), .add(9))
    state.bookkeeping.isCurrent = true
    for action: FavoritesAction<Int> in [.follow, .add(1), .remove(1)] { reducer.reduce(action, &state) }
    #expect(state.bookkeeping.queue == [1])
  }

  @Test(.conformance(114)) func aReportedChangeEndsTheCountOfFailedAttempts() throws {
    var state = state(after: .follow)
    reducer.reduce(.response(.followingEnded(nil, number: try number(of: state))), &state)
    reducer.reduce(.response(.followingDue(number: 1)), &state)
    let number = try number(of: state)
    #expect(state.following == .open(attempt: 2, number: number))
    reducer.reduce(.response(.pushed(.set(5, isFavorite: true), number: number)), &state)
    #expect(state.following == .open(attempt: 1, number: number))
  }

  @Test func aFetchThatWaitsIsNotBroughtForwardByAFailureThatNeedsAFetch() throws {
    var state = state(after: .load, .add(1), .add(2))
    let busy = FavoritesFailure(.busy, "busy", retryAfter: .seconds(60))
    reducer.reduce(.response(.loadFailed(busy, number: 1)), &state)
    let waiting = FavoritesLoad.waiting(attempt: 2, number: 1, after: .seconds(60))
    #expect(state.load == waiting)
    for id in 1...2 { reducer.reduce(.failed(try request(id, in: state), FavoritesFailure(.unknown, "")), &state) }
    reducer.reduce(.follow, &state)
    #expect(state.load == waiting)
    reducer.reduce(.load, &state)
    #expect(state.load.fetchNumber != nil)
  }

  @Test func aFetchKeepsWhatWasConfirmedMeanwhileAlsoIfAnotherFetchMustFollow() throws {
    var state = state(after: .load, .add(1), .add(2))
    reducer.reduce(.confirmed(try request(1, in: state)), &state)
    reducer.reduce(.failed(try request(2, in: state), FavoritesFailure(.unknown, "")), &state)
    reducer.reduce(.loaded([], number: 1), &state)
    #expect(state.confirmed == [1])
    #expect(state.load.isUnderWay)
    #expect(!state.bookkeeping.isCurrent)
    reducer.reduce(.loaded([], number: try #require(state.load.fetchNumber)), &state)
    #expect(state.confirmed == [])
    #expect(state.bookkeeping.isCurrent)
  }

  @Test(.conformance(114)) func aFetchKeepsTheFavoritesThatWereReportedMeanwhile() throws {
    var state = State(confirmed: [3])
    for action: FavoritesAction<Int> in [.load, .follow] { reducer.reduce(action, &state) }
    let report = FavoritesSnapshot([1, 2], dates: [2: 60])
    let fetch = try #require(state.load.fetchNumber)
    reducer.reduce(.response(.pushed(.replaced(report), number: try number(of: state))), &state)
    reducer.reduce(.loaded([3, 1, 4], number: fetch), &state)
    #expect(Set(state.confirmed) == [1, 2, 4])
    #expect(state.date(of: 2) == 60)
    // The response may be newer than the report, so another fetch follows.
    reducer.reduce(.loaded([3, 4], number: try #require(state.load.fetchNumber)), &state)
    #expect(Set(state.confirmed) == [3, 4])
  }

  @Test func aLaterFetchKeepsNothingThatWasConfirmedDuringAnEarlierOne() throws {
    var state = state(after: .load, .add(1))
    reducer.reduce(.confirmed(try request(1, in: state)), &state)
    reducer.reduce(.loaded([], number: 1), &state)
    #expect(state.confirmed == [1])
    reducer.reduce(.load, &state)
    reducer.reduce(.loaded([], number: try #require(state.load.fetchNumber)), &state)
    #expect(state.confirmed == [])
  }

  @Test func thePendingIntentAgainHasNoEffect() {
    var state = state(after: .add(1))
    let before = state
    #expect(!reducer.reduce(.add(1), &state))
    #expect(state == before)
  }

  @Test(.conformance(112)) func aResetOfANewStateHasNoEffect() {
    var state = State()
    #expect(!reducer.reduce(.reset, &state))
  }

  @Test func valuesConfirmedDuringAFetchFollowInTheOrderOfTheLastConfirmations() throws {
    var state = state(after: .load)
    for action: FavoritesAction<Int> in [.add(1), .add(2), .remove(1), .add(1)] {
      reducer.reduce(action, &state)
      reducer.reduce(.confirmed(state.bookkeeping.slots[0].requests[0]), &state)
    }
    reducer.reduce(.loaded([9], number: 1), &state)
    #expect(state.confirmed == [9, 2, 1])
  }

  // MARK: Reading

  @Test func aFailedItemCountsAsTheServerHasIt() throws {
    for (action, pending, failed) in [(FavoritesAction<Int>.add(2), 2, 1), (.remove(1), 0, 1)] {
      var state = state([1], after: action)
      #expect(state.count == pending)
      let request = state.bookkeeping.slots[0].requests[0]
      reducer.reduce(.failed(request, FavoritesFailure(.refused, "")), &state)
      #expect(state.count == failed)
      #expect(state.count == state.ids.count)
    }
  }

  @Test func theMirrorOfAnItemHasOnlyWhatIsUnusual() {
    var item = FavoritesItem(intent: true, phase: .queued(attempt: 1), order: 1)
    func labels() -> [String?] { Mirror(reflecting: item).children.map(\.label) }
    #expect(labels() == ["isFavorite", "phase"])
    item.isCertain = false
    #expect(labels() == ["isFavorite", "phase", "isCertain"])
    item.isContested = true
    #expect(labels() == ["isFavorite", "phase", "isCertain", "isContested"])
    item.isRenewed = true
    #expect(labels() == ["isFavorite", "phase", "isCertain", "isContested", "isRenewed"])
  }
}
