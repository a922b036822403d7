/// The phase of fetching the server's favourites.
///
/// ```text
///     idle, loaded, failed ──load, reconcile──▶ loading ──fetched──▶ loaded
///                                               ▲  │ │
///                                       due, load  │ └──final failure──▶ failed
///                                               │  │ temporary failure
///                                               │  ▼
///                                             waiting
/// ```
///
/// One fetch runs at a time. A `load` during a fetch has no effect. `reconcile` is an event after which the server's
/// value is unknown, such as a lost response. It needs a fetch that starts after the event. So another fetch follows a
/// running one, and a fetch that waits for its next attempt is enough.
public enum FavoritesLoad: Hashable, Codable, Sendable {
  /// The state before the first fetch.
  case idle
  /// The state while a fetch is running.
  ///
  /// `attempt`: the number of this attempt, from 1. `number`: the number of the fetch; each attempt has its own.
  /// `again`: the fetch may have missed an event, so another fetch follows.
  case loading(attempt: Int, number: Int, again: Bool)
  /// The state during the delay before an attempt.
  ///
  /// `attempt`: the number of the attempt after the delay, at least 2. `number`: the number of the fetch that failed.
  /// `after`: the delay that the server requested, if any.
  case waiting(attempt: Int, number: Int, after: Duration? = nil)
  /// The state after a fetch succeeded.
  case loaded
  /// The state after the last attempt failed. The known favourites are kept.
  case failed(FavoritesFailure)

  /// Whether a fetch is running or waits for another attempt.
  public var isUnderWay: Bool {
    switch self {
    case .loading, .waiting: true
    case .idle, .loaded, .failed: false
    }
  }

  /// The failure of the last fetch, if any.
  public var failure: FavoritesFailure? {
    guard case .failed(let failure) = self else { return nil }
    return failure
  }
}

extension FavoritesLoad {
  /// An event of the fetching.
  enum Event {
    /// The app requests the server's favourites.
    case load
    /// The server's favourites are unknown after an event.
    case reconcile
    /// The fetch succeeded.
    case fetched(number: Int)
    /// The fetch failed.
    case failed(number: Int, FavoritesFailure)
    /// The delay has passed.
    case due(number: Int)
  }

  /// The next state, or `nil` if the event has no effect in this state.
  ///
  /// - Parameter number: The number of the fetch that may start.
  func next(on event: Event, number: Int, attempts: Int) -> FavoritesLoad? {
    let first = FavoritesLoad.loading(attempt: 1, number: number, again: false)
    switch (self, event) {
    case (.idle, .load), (.loaded, .load), (.failed, .load), (.waiting, .load), (.idle, .reconcile),
      (.loaded, .reconcile), (.failed, .reconcile):
      return first
    case (.loading(let attempt, let current, again: false), .reconcile):
      return .loading(attempt: attempt, number: current, again: true)
    case (.loading(_, let current, let again), .fetched(let answered)) where answered == current:
      return again ? first : .loaded
    case (.loading(let attempt, let current, let again), .failed(let answered, let failure)) where answered == current:
      guard failure.canSucceedLater, attempt < attempts else { return again ? first : .failed(failure) }
      return .waiting(attempt: attempt + 1, number: current, after: failure.retryAfter)
    case (.waiting(let attempt, let waiting, _), .due(let passed)) where passed == waiting:
      return .loading(attempt: attempt, number: number, again: false)
    default:
      return nil
    }
  }

  /// The number of the running fetch.
  var fetchNumber: Int? {
    guard case .loading(_, let number, _) = self else { return nil }
    return number
  }
}

/// The phase of following the server's changes.
///
/// ```text
///     off ──follow──▶ open ──ended──▶ waiting ──due──▶ open …      unfollow leads to off from everywhere
/// ```
enum FavoritesFollowing: Hashable, Codable, Sendable {
  /// The state while changes are not followed.
  case off
  /// The state while the stream of changes is open or being opened.
  case open(attempt: Int, number: Int)
  /// The state during the delay before the stream is opened again.
  case waiting(attempt: Int, number: Int, after: Duration?)
}
