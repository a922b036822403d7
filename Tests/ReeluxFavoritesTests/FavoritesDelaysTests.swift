import ReeluxCore
import ReeluxTesting
import Testing

@testable import ReeluxFavorites

/// The times since failures that are kept for later delays.
@Suite(.timeLimit(.minutes(15))) struct FavoritesDelaysTests {
  private let delays = FavoritesDelays<Int>()
  private let clock = TestClock()
  private let request = FavoritesRequest(id: 1, isFavorite: true, number: 7)

  /// The time since the failure of the request, one second later.
  private func elapsed(_ state: FavoritesState<Int>) async -> Duration {
    await clock.advance(by: .seconds(1))
    return delays.take(number: 7, attempt: 2, of: state.bookkeeping.session)
  }

  /// A state in which no further delay can begin at once.
  private var crowded: FavoritesState<Int> {
    var state = FavoritesState<Int>()
    state.bookkeeping.waiting = OrderedIDs(100..<165)
    return state
  }

  @Test(arguments: FavoritesFailure.Kind.allCases)
  func onlyAFailureThatIsNotFinalKeepsItsTime(kind: FavoritesFailure.Kind) async {
    let (state, failure) = (crowded, FavoritesFailure(kind, ""))
    delays.begin([request], after: failure, in: state, clock: clock)
    #expect(await elapsed(state) == (failure.canSucceedLater ? .seconds(1) : .zero))
  }

  @Test func theNextFailureRemovesTheTimesOfItemsThatNoLongerWait() async {
    var state = crowded
    let failure = FavoritesFailure(.busy, "")
    delays.begin([request], after: failure, in: state, clock: clock)
    state.bookkeeping.waiting = []
    delays.begin([FavoritesRequest(id: 2, isFavorite: true, number: 8)], after: failure, in: state, clock: clock)
    #expect(await elapsed(state) == .zero)
  }

  /// The item waits, but its delay has not taken its time yet.
  @Test func theNextFailureKeepsTheTimesOfItemsThatWait() async {
    var state = crowded
    let failure = FavoritesFailure(.busy, "")
    delays.begin([request], after: failure, in: state, clock: clock)
    state.items[1] = FavoritesItem(
      intent: true, phase: .waiting(attempt: 2, after: .seconds(60)), sent: .init(isFavorite: true, number: 7), order: 1
    )
    state.bookkeeping.waiting = [1]
    delays.begin([FavoritesRequest(id: 2, isFavorite: true, number: 8)], after: failure, in: state, clock: clock)
    #expect(await elapsed(state) == .seconds(1))
  }
}
