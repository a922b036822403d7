import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Foundation
import Testing

@testable import ReeluxFavorites

/// The reducer alone: no store, no API.
@Suite(.timeLimit(.minutes(15))) struct FavoritesReducerTests {
  typealias State = FavoritesState<Int>
  let reducer = Reducer<FavoritesAction<Int>, State>.favorites(policy: FavoritesPolicy(limit: 2, attempts: 2))

  func state(_ confirmed: [Int] = [], after actions: FavoritesAction<Int>...) -> State {
    var state = State(confirmed: confirmed)
    for action in actions { reducer.reduce(action, &state) }
    return state
  }

  /// The running request of an item.
  func request(_ id: Int, in state: State) throws -> FavoritesRequest<Int> {
    try #require(state.bookkeeping.slots.flatMap(\.requests).first { $0.id == id })
  }

  @Test(.conformance(82)) func aToggleIsSeenAtOnce() {
    let state = state([1], after: .toggle(2), .toggle(1))
    #expect(state.contains(2))
    #expect(!state.contains(1))
    #expect(state.ids == [2])
    #expect(state.confirmed == [1])
    #expect(state.pending == [2, 1])
  }

  @Test(.conformance(82)) func confirmationBringsAnItemToRest() throws {
    var state = state(after: .add(1))
    reducer.reduce(.confirmed(try request(1, in: state)), &state)
    #expect(state.confirmed == [1])
    #expect(state.items.isEmpty)
    #expect(state.isSettled)
  }

  @Test(.conformance(82)) func refusalShowsWhatTheServerLastConfirmedAndSaysWhy() throws {
    var state = state([1, 2], after: .remove(1))
    reducer.reduce(.failed(try request(1, in: state), FavoritesFailure(.refused, "not yours")), &state)
    #expect(state.ids == [1, 2])
    #expect(state.failure(of: 1) == FavoritesFailure(.refused, "not yours"))
    #expect(state.failed == [1])
    #expect(state.isSettled)
  }

  @Test func anItemBeyondTheLimitWaitsForAPlace() throws {
    var state = state(after: .add(1), .add(2), .add(3), .add(4))
    #expect(state.bookkeeping.slots.count == 2)
    #expect(state.bookkeeping.queue == [3, 4])
    reducer.reduce(.confirmed(try request(2, in: state)), &state)
    #expect(state.bookkeeping.slots.count == 2)
    #expect(state.bookkeeping.queue == [4])
    #expect(try request(3, in: state).isFavorite)
  }

  @Test func aQueuedItemThatIsToggledBackLeavesTheQueueWithoutARequest() {
    var state = state(after: .add(1), .add(2), .add(3))
    state.bookkeeping.isCurrent = true
    reducer.reduce(.toggle(3), &state)
    #expect(state.bookkeeping.queue.isEmpty)
    #expect(state.items[3] == nil)
  }

  @Test func anAnswerToAnOlderRequestIsNotAccepted() throws {
    var state = state(after: .add(1))
    let old = try request(1, in: state)
    reducer.reduce(.confirmed(old), &state)
    reducer.reduce(.remove(1), &state)
    let before = state
    #expect(!reducer.reduce(.confirmed(old), &state))
    #expect(!reducer.reduce(.failed(old, FavoritesFailure(.refused, "")), &state))
    #expect(state == before)
  }

  @Test(
    arguments: [
      .set(1, isFavorite: true), .set(2, isFavorite: false), .setAll([1], isFavorite: true), .undo, .retry(1),
      .retry(2),
      .retryAll, .dismiss(1), .dismissNotices, .unfollow, .response(.interrupted(slot: 1)),
      .response(.expired(FavoritesFailure(.timeout, ""), slot: 1)), .response(.followingDue(number: 1)),
      .due(1, number: 1, attempt: 2), .loadDue(number: 1), .loaded([], number: 1),
      .loadFailed(FavoritesFailure(.offline, ""), number: 1),
    ] as [FavoritesAction<Int>])
  func whatMeansNothingIsNotAcceptedAndChangesNothing(action: FavoritesAction<Int>) {
    var state = state([1])
    let before = state
    #expect(!reducer.reduce(action, &state))
    #expect(state == before)
  }

  @Test func undoTakesBackTheLastChangeThatStillShows() {
    var state = state([1], after: .add(2), .remove(1), .add(3))
    #expect(state.canUndo)
    reducer.reduce(.undo, &state)
    #expect(state.ids == [2])
    reducer.reduce(.undo, &state)
    #expect(Set(state.ids) == [1, 2])
    reducer.reduce(.undo, &state)
    #expect(state.ids == [1])
    #expect(!state.canUndo)
    #expect(!reducer.reduce(.undo, &state))
  }

  @Test func undoPassesOverAChangeThatWasRolledBack() throws {
    var state = state(after: .add(1), .add(2))
    reducer.reduce(.failed(try request(2, in: state), FavoritesFailure(.refused, "")), &state)
    reducer.reduce(.undo, &state)
    #expect(!state.contains(1))
  }

  @Test func anIntentThatOnlyClearsAFailureCannotBeUndone() throws {
    var state = state([1], after: .remove(1))
    reducer.reduce(.failed(try request(1, in: state), FavoritesFailure(.refused, "")), &state)
    #expect(reducer.reduce(.set(1, isFavorite: true), &state))
    #expect(!reducer.reduce(.undo, &state))
    #expect(state.contains(1))
  }

  @Test func theDelayOfAnOlderRequestStartsNoAttemptOfANewerOne() throws {
    var state = state([1], after: .remove(1))
    let old = try request(1, in: state)
    reducer.reduce(.failed(old, FavoritesFailure(.timeout, "")), &state)
    reducer.reduce(.add(1), &state)
    reducer.reduce(.retry(1), &state)
    let new = try request(1, in: state)
    #expect(new.number != old.number)
    reducer.reduce(.failed(new, FavoritesFailure(.timeout, "")), &state)
    let before = state
    #expect(!reducer.reduce(.due(1, number: old.number, attempt: 2), &state))
    #expect(state == before)
    #expect(reducer.reduce(.due(1, number: new.number, attempt: 2), &state))
  }

  @Test func eachEndOfTheServersChangesCountsAnAttempt() {
    var state = state(after: .follow)
    for attempt in 2...4 {
      guard case .open(_, let number) = state.following else {
        Issue.record("The stream is not open.")
        return
      }
      reducer.reduce(.response(.followingEnded(nil, number: number)), &state)
      #expect(state.following == .waiting(attempt: attempt, number: number, after: nil))
      reducer.reduce(.response(.followingDue(number: number)), &state)
    }
  }

  @Test(.conformance(114)) func aFavoriteThatIsAddedAgainHasNoDateBeforeItIsConfirmed() throws {
    var state = state(after: .add(1))
    reducer.reduce(.response(.confirmed(try request(1, in: state), date: 5)), &state)
    #expect(state.date(of: 1) == 5)
    reducer.reduce(.remove(1), &state)
    reducer.reduce(.confirmed(try request(1, in: state)), &state)
    reducer.reduce(.add(1), &state)
    #expect(state.contains(1))
    #expect(state.date(of: 1) == nil)
  }

  @Test(.conformance(114), arguments: [nil, 7.0])
  func theFetchedDateIsKeptIfARequestDuringTheFetchHasNone(date: Double?) throws {
    var state = state(after: .load, .add(1))
    reducer.reduce(.response(.confirmed(try request(1, in: state), date: date)), &state)
    reducer.reduce(.loaded(FavoritesSnapshot([1], dates: [1: 5]), number: 1), &state)
    #expect(state.date(of: 1) == date ?? 5)
  }

  @Test func anotherValueHasAllItsAttempts() throws {
    var state = state(after: .add(1))
    let no = FavoritesFailure(.offline, "")
    reducer.reduce(.failed(try request(1, in: state), no), &state)
    reducer.reduce(.remove(1), &state)
    reducer.reduce(.due(1, number: try #require(state.items[1]?.sent?.number), attempt: 2), &state)
    #expect(try request(1, in: state).attempt == 1)
    reducer.reduce(.failed(try request(1, in: state), no), &state)
    #expect(state.failure(of: 1) == nil)
    #expect(state.items[1]?.phase == .waiting(attempt: 2))
  }

  @Test func aFetchThatFailsIsFollowedByTheOneThatAnEventNeeds() throws {
    var state = state(after: .load, .add(1))
    reducer.reduce(.failed(try request(1, in: state), FavoritesFailure(.unknown, "")), &state)
    let no = FavoritesFailure(.unauthorized, "")
    reducer.reduce(.loadFailed(no, number: 1), &state)
    #expect(state.load == .loading(attempt: 1, number: state.bookkeeping.lastNumber, again: false))
    reducer.reduce(.loadFailed(no, number: state.bookkeeping.lastNumber), &state)
    #expect(state.load == .failed(no))
  }

  @Test func anIdThatIsNotEqualToItselfIsIgnored() {
    let reducer = Reducer<FavoritesAction<Double>, FavoritesState<Double>>.favorites()
    var state = FavoritesState<Double>()
    for action: FavoritesAction<Double> in [.toggle(.nan), .set(.nan, isFavorite: true), .retry(.nan), .dismiss(.nan)] {
      #expect(!reducer.reduce(action, &state))
    }
    #expect(state == FavoritesState())
    reducer.reduce(.setAll([.nan, 1, .nan], isFavorite: true), &state)
    #expect(state.ids == [1])
    #expect(state.bookkeeping.undoable.map(\.ids) == [[1]])
    reducer.reduce(.load, &state)
    reducer.reduce(.response(.loaded([.nan, 2], number: state.bookkeeping.lastNumber)), &state)
    #expect(state.confirmed == [2])
    #expect(state.contradiction == nil)
  }

  @Test(arguments: [Int.min, 0, Int.max]) func aStateWithASenselessAttemptIsNotRead(attempt: Int) throws {
    let written = String(decoding: try JSONEncoder().encode(state(after: .add(1))), as: UTF8.self)
    let changed = written.replacingOccurrences(of: #""attempt":1"#, with: #""attempt":\#(attempt)"#)
    #expect(changed != written)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(State.self, from: Data(changed.utf8)) }
  }

  @Test(arguments: [1e19, -1e19]) func aDelayOfAnyLengthIsWritten(seconds: Double) throws {
    let item = FavoritesItem(
      intent: true, phase: .waiting(attempt: 2, after: .seconds(seconds)),
      sent: FavoritesItem.Sent(isFavorite: true, number: 5), isCertain: true, isContested: false, order: 6)
    let written = try JSONEncoder().encode(WrittenItems(items: [7: item]))
    let read = try JSONDecoder().decode([FavoritesState<Int>.Entry].self, from: written)
    #expect(read[0].item.phase == .waiting(attempt: 2, after: .seconds(seconds < 0 ? Int64.min : Int64.max)))
  }

  @Test func onlyTheLastChangesCanBeUndone() {
    let reducer = Reducer<FavoritesAction<Int>, State>.favorites(policy: FavoritesPolicy(undoDepth: 2))
    var state = State()
    for id in 1...5 { reducer.reduce(.add(id), &state) }
    #expect(state.bookkeeping.undoable.map(\.ids) == [[4], [5]])
  }

  @Test func dismissingAFailureForgetsItAndItsIntent() throws {
    var state = state(after: .add(1))
    reducer.reduce(.failed(try request(1, in: state), FavoritesFailure(.refused, "")), &state)
    reducer.reduce(.dismiss(1), &state)
    #expect(state.items.isEmpty)
    #expect(!reducer.reduce(.retry(1), &state))
  }

  @Test func retryMakesTheFailedRequestAgain() throws {
    var state = state(after: .add(1))
    reducer.reduce(.failed(try request(1, in: state), FavoritesFailure(.refused, "")), &state)
    #expect(!state.contains(1))
    reducer.reduce(.retry(1), &state)
    #expect(state.contains(1))
    #expect(try request(1, in: state).attempt == 1)
  }

  @Test func aFetchKeepsTheServersOrderAndPendingIntentsFollow() {
    let state = state([9], after: .load, .add(7), .loaded([3, 1, 2], number: 1))
    #expect(state.ids == [3, 1, 2, 7])
    #expect(state.isLoaded)
  }

  @Test func aFetchThatBringsTheFailedIntentSettlesIt() throws {
    var state = state(after: .add(1))
    reducer.reduce(.failed(try request(1, in: state), FavoritesFailure(.refused, "")), &state)
    reducer.reduce(.load, &state)
    reducer.reduce(.loaded([1], number: state.bookkeeping.lastNumber), &state)
    #expect(state.ids == [1])
    #expect(state.items.isEmpty)
  }

  @Test func aLoadJoinsTheFetchThatIsUnderWay() {
    var state = state(after: .load)
    #expect(!reducer.reduce(.load, &state))
  }

  @Test func noticesStayUntilTheyAreDismissed() {
    let notice = FavoritesNotice(.damaged, "kept aside")
    var state = state(after: .load, .loaded(FavoritesSnapshot([1], notices: [notice]), number: 1))
    #expect(state.notices == [notice])
    reducer.reduce(.load, &state)
    reducer.reduce(.response(.loaded(FavoritesSnapshot([1], notices: [notice]), number: 2)), &state)
    #expect(state.notices == [notice])
    reducer.reduce(.dismissNotices, &state)
    #expect(state.notices.isEmpty)
  }

  @Test(.conformance(84)) func itIsGenericOverTheID() {
    struct Place: Hashable, Sendable { var x, y: Int }
    let reducer = Reducer<FavoritesAction<Place>, FavoritesState<Place>>.favorites()
    var state = FavoritesState<Place>()
    reducer.reduce(.toggle(Place(x: 1, y: 2)), &state)
    #expect(state.ids == [Place(x: 1, y: 2)])
  }

  @Test func everyStateIsReadAsItWasWritten() throws {
    var state = state([1, 2], after: .load, .add(3), .remove(1), .add(4), .add(5), .remove(5))
    reducer.reduce(.loaded(FavoritesSnapshot([1, 2], dates: [2: 5]), number: 1), &state)
    #expect(state.date(of: 2) == 5)
    reducer.reduce(.failed(try request(3, in: state), FavoritesFailure(.refused, "no")), &state)
    reducer.reduce(.confirmed(try request(1, in: state)), &state)
    let bytes = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(State.self, from: bytes) == state)
  }

  @Test func equalStatesAreWrittenAsEqualBytes() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var first = State()
    var second = State()
    second.items.reserveCapacity(5_000)  // The dictionary then has another order.
    for id in 0..<200 {
      reducer.reduce(.add(id), &first)
      reducer.reduce(.add(id), &second)
    }
    #expect(first == second)
    #expect(try encoder.encode(first) == encoder.encode(second))
  }

  @Test func everyItemIsReadAsItWasWritten() throws {
    var phases: [FavoritesItem.Phase] = [.queued(attempt: 2), .requesting(attempt: 3, slot: 4)]
    phases += [.waiting(attempt: 2), .failed(FavoritesFailure(.timeout, "late")), .uncertain]
    for phase in phases {
      for bits in 0..<16 {
        let sent = FavoritesItem.Sent(isFavorite: bits & 8 != 0, number: 5)
        for sent in [sent, nil] {
          let item = FavoritesItem(
            intent: bits & 1 != 0, phase: phase, sent: sent, isCertain: bits & 2 != 0, isContested: bits & 4 != 0,
            order: 6)
          let written = try JSONEncoder().encode(WrittenItems(items: [7: item]))
          let read = try JSONDecoder().decode([FavoritesState<Int>.Entry].self, from: written)
          #expect(read.map(\.id) == [7])
          #expect(read.map(\.item) == [item])
        }
      }
    }
  }

  @Test func everyActionIsReadAsItWasWritten() throws {
    let failure = FavoritesFailure(.timeout, "late")
    let request = FavoritesRequest(id: 7, isFavorite: true, attempt: 2, number: 9)
    let actions: [FavoritesAction<Int>] = [
      .load, .toggle(1), .set(2, isFavorite: true), .setAll([1, 2], isFavorite: false), .removeAll, .retry(3),
      .retryAll,
      .undo, .dismiss(4), .dismissNotices, .follow, .unfollow, .reset, .response(.interrupted(slot: 1)),
      .response(.fetchInterrupted(number: 1)), .response(.followingInterrupted(number: 1)),
      .response(.expired(failure, slot: 3)), .response(.pushed(.set(1, isFavorite: true, date: 5), number: 1)),
      .response(.pushed(.replaced([1]), number: 1)), .response(.followingEnded(nil, number: 1)),
      .response(.followingDue(number: 1)), .response(.confirmed(request, date: 12.5)),
      .loaded(FavoritesSnapshot([1], notices: [FavoritesNotice(.damaged, "x")]), number: 1),
      .loadFailed(failure, number: 2), .loadDue(number: 3), .confirmed(request), .failed(request, failure),
      .due(5, number: 4, attempt: 2),
    ]
    let bytes = try JSONEncoder().encode(actions)
    #expect(try JSONDecoder().decode([FavoritesAction<Int>].self, from: bytes) == actions)
  }

  @Test func oneStepTakesTheSameTimeWhateverTheNumberOfFavorites() throws {
    // The processor time of this thread. It does not depend on other work on the machine.
    func processorTime() -> Int {
      var time = timespec()
      unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    func time(_ count: Int) throws -> Int {
      var state = State(confirmed: 0..<count)
      let start = processorTime()
      for _ in 0..<2_000 {
        reducer.reduce(.toggle(5), &state)
        reducer.reduce(.confirmed(try request(5, in: state)), &state)
      }
      return processorTime() - start
    }
    _ = try time(100)
    #expect(try time(200_000) < time(100) * 20 + 50_000_000)
  }

  @Test func aReportedIDThatIsNotEqualToItselfLeavesNoDate() {
    var state = FavoritesState<Double>()
    let reducer = Reducer<FavoritesAction<Double>, FavoritesState<Double>>.favorites()
    reducer.reduce(.follow, &state)
    let number = state.bookkeeping.lastNumber
    for number in 1...number {
      reducer.reduce(.response(.pushed(.set(.nan, isFavorite: true, date: 1), number: number)), &state)
    }
    #expect(state.dates.isEmpty)
  }

  @Test func aDecodedSnapshotHasTheEffectOfTheOriginal() throws {
    let snapshot = FavoritesSnapshot([2], dates: [1: 5, 2: 6])
    let decoded = try JSONDecoder().decode(FavoritesSnapshot<Int>.self, from: JSONEncoder().encode(snapshot))
    let states = try [snapshot, decoded].map { snapshot in
      var state = state(after: .load, .add(1))
      reducer.reduce(.response(.confirmed(try request(1, in: state), date: nil)), &state)
      reducer.reduce(.loaded(snapshot, number: 1), &state)
      return state
    }
    #expect(states[0] == states[1])
    #expect(states[0].date(of: 1) == nil)
  }
}
