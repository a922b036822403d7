/// Where the fetching of the server's favourites stands.
///
/// ```text
///     idle, loaded, failed ──load, reconcile──▶ loading ──fetched──▶ loaded
///                                               ▲  │ │
///                            due, load, reconcile  │ └──final failure──▶ failed
///                                               │  ▼
///                                             waiting        failure that can succeed later
/// ```
///
/// One fetch at a time: a `load` while one is under way joins it. What needs
/// the server's present favourites (`reconcile`) cannot join a fetch that began
/// earlier: another one follows it.
public enum FavoritesLoad: Hashable, Codable, Sendable {
  /// The state before the first fetch.
  case idle
  /// The state while a fetch is with the server.
  ///
  /// `again`: something happened meanwhile that this fetch may not have seen; another one follows.
  case loading(attempt: Int, number: Int, again: Bool)
  /// The state during the delay before an attempt; `after`: how long the server asked to wait, if it did.
  case waiting(attempt: Int, number: Int, after: Duration? = nil)
  /// The state after a fetch succeeded.
  case loaded
  /// The state after the last attempt failed; what was known before is kept.
  case failed(FavoritesFailure)

  /// Whether a fetch is under way, delays included.
  public var isUnderWay: Bool {
    switch self {
    case .loading, .waiting: true
    case .idle, .loaded, .failed: false
    }
  }

  /// Why the last fetch was given up, if it was.
  public var failure: FavoritesFailure? {
    guard case .failed(let failure) = self else { return nil }
    return failure
  }
}

extension FavoritesLoad {
  /// What happens to the fetching.
  enum Event {
    /// The app wants the server's favourites.
    case load
    /// Something happened after which the server's favourites are not known any more.
    case reconcile
    /// They have come.
    case fetched(number: Int)
    /// They have not.
    case failed(number: Int, FavoritesFailure)
    /// The delay has passed.
    case due(number: Int)
  }

  /// The state that an event leads to, or `nil` if it means nothing in this state.
  ///
  /// - Parameter number: The number of the fetch that may begin.
  func next(on event: Event, number: Int, attempts: Int) -> FavoritesLoad? {
    let first = FavoritesLoad.loading(attempt: 1, number: number, again: false)
    switch (self, event) {
    case (.idle, .load), (.loaded, .load), (.failed, .load), (.waiting, .load), (.idle, .reconcile),
      (.loaded, .reconcile), (.failed, .reconcile), (.waiting, .reconcile):
      return first
    case (.loading(let attempt, let current, again: false), .reconcile):
      return .loading(attempt: attempt, number: current, again: true)
    case (.loading(_, let current, let again), .fetched(let answered)) where answered == current:
      return again ? first : .loaded
    case (.loading(let attempt, let current, _), .failed(let answered, let failure)) where answered == current:
      guard failure.canSucceedLater, attempt < attempts else { return .failed(failure) }
      return .waiting(attempt: attempt + 1, number: current, after: failure.retryAfter)
    case (.waiting(let attempt, let waiting, _), .due(let passed)) where passed == waiting:
      return .loading(attempt: attempt, number: number, again: false)
    default:
      return nil
    }
  }

  /// The number of the fetch that is with the server.
  var fetchNumber: Int? {
    guard case .loading(_, let number, _) = self else { return nil }
    return number
  }
}

/// Where the following of the server's own changes stands.
///
/// ```text
///     off ──follow──▶ open ──ended──▶ waiting ──due──▶ open …      unfollow leads to off from everywhere
/// ```
enum FavoritesFollowing: Hashable, Codable, Sendable {
  /// The state while changes are not followed.
  case off
  /// The state while the stream of changes is open, or is being opened.
  case open(attempt: Int, number: Int)
  /// The state during the delay before the stream is opened again.
  case waiting(attempt: Int, number: Int, after: Duration?)
}
