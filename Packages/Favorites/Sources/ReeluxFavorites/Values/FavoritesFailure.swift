/// Why the outside did not do what was asked.
///
/// The kind decides what happens next; the reason is for people.
///
/// | kind | tried again | what the server holds afterwards |
/// |---|---|---|
/// | `offline` | yes | unchanged: the request did not get there |
/// | `timeout` | yes | unknown: the answer did not come back |
/// | `busy` | yes | unchanged: the server had no time for it |
/// | `refused` | no | unchanged |
/// | `unauthorized` | no | unchanged |
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
    /// The server did nothing and asks to try later.
    case busy
    /// The server said no, and would again.
    case refused
    /// The server does not accept the credentials.
    case unauthorized
    /// The server's favourites are not those that the request was made for.
    case conflict
    /// What was to be kept could not be read or written.
    case storage
    /// The API threw an error that is not a `FavoritesFailure`.
    case unknown
  }

  /// What kind of failure it is.
  public var kind: Kind

  /// What failed and why, in words for the user.
  public var reason: String

  /// How long the server asks to wait before the next attempt; `nil` leaves it to the policy.
  public var retryAfter: Duration?

  /// Describes a failure.
  public init(_ kind: Kind, _ reason: String, retryAfter: Duration? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter.map { max(.zero, $0) }
  }

  /// Describes any error; one that is not a `FavoritesFailure` is of kind `unknown`.
  public init(_ error: any Error) {
    self = error as? FavoritesFailure ?? FavoritesFailure(.unknown, "\(error)")
  }

  /// Whether the same request may succeed later; the feature then tries again by itself.
  public var canSucceedLater: Bool {
    switch kind {
    case .offline, .timeout, .busy: true
    case .refused, .unauthorized, .conflict, .storage, .unknown: false
    }
  }

  /// Whether the server may hold something else than it last confirmed.
  public var leavesServerUnknown: Bool {
    switch kind {
    case .offline, .busy, .refused, .unauthorized: false
    case .timeout, .conflict, .storage, .unknown: true
    }
  }
}

extension FavoritesFailure: CustomStringConvertible {
  /// The reason.
  public var description: String { reason }
}

extension FavoritesFailure.Kind {
  /// A sentence for the user that fits every failure of this kind; the failure's own reason says more.
  public var text: String {
    switch self {
    case .offline: "You are offline. Your favourites were not changed."
    case .timeout: "The server did not answer. Your favourites are being checked."
    case .busy: "The server is busy. Try again later."
    case .refused: "The server did not accept this favourite."
    case .unauthorized: "Sign in again to change your favourites."
    case .conflict: "Your favourites were changed elsewhere. This is how they are now."
    case .storage: "Your favourites could not be saved."
    case .unknown: "Something went wrong. Your favourites are being checked."
    }
  }

  /// Whether an app should offer to try again: the same request may succeed after the user has done something about
  /// the cause, or simply later.
  public var offersRetry: Bool { self != .refused }
}
