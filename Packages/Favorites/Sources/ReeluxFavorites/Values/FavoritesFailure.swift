/// Why the outside did not do what was asked.
///
/// The kind decides what happens next; the reason is for people.
///
/// | kind | tried again | what the server holds afterwards |
/// |---|---|---|
/// | `offline` | yes | unchanged: the request did not get there |
/// | `timeout` | yes | unknown: the answer did not come back |
/// | `refused` | no | unchanged |
/// | `conflict` | no | something else than was thought: it is fetched again |
/// | `storage` | no | unknown: it is fetched again |
/// | `unknown` | no | unknown: it is fetched again |
public struct FavoritesFailure: Error, Hashable, Codable, Sendable {
  /// What kind of failure it is.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The request did not reach the server.
    case offline
    /// The server did not answer in time; it may have done what was asked.
    case timeout
    /// The server said no, and would again.
    case refused
    /// The server's favourites are not those that the request was made for.
    case conflict
    /// What was to be kept could not be read or written.
    case storage
    /// The API threw an error that is not a `FavoritesFailure`.
    case unknown
  }

  /// What kind of failure it is.
  public var kind: Kind

  /// What failed and why, in words for the person at the screen.
  public var reason: String

  /// Describes a failure.
  public init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }

  /// Describes any error; one that is not a `FavoritesFailure` is of kind `unknown`.
  public init(_ error: any Error) {
    self = error as? FavoritesFailure ?? FavoritesFailure(.unknown, "\(error)")
  }

  /// Whether the same request may succeed later.
  public var canSucceedLater: Bool {
    switch kind {
    case .offline, .timeout: true
    case .refused, .conflict, .storage, .unknown: false
    }
  }

  /// Whether the server may hold something else than it last confirmed.
  public var leavesServerUnknown: Bool {
    switch kind {
    case .offline, .refused: false
    case .timeout, .conflict, .storage, .unknown: true
    }
  }
}

extension FavoritesFailure: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}
