/// Where the fetching of the server's favourites stands.
public enum FavoritesLoad: Hashable, Codable, Sendable {
  /// The state before the first fetch.
  case idle
  /// The state while a fetch is with the server.
  ///
  /// `again`: something happened meanwhile that this fetch may not have seen; another one follows.
  case loading(attempt: Int, number: Int, again: Bool)
  /// The state during the pause before an attempt.
  case waiting(attempt: Int, number: Int)
  /// The state after a fetch succeeded.
  case loaded
  /// The state after the last attempt failed; what was known before is kept.
  case failed(FavoritesFailure)

  /// Whether a fetch is under way, pauses included.
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
