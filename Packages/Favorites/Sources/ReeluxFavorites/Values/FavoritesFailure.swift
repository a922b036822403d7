/// The failure of a request.
///
/// The feature acts on the kind. The reason is a text of the API. ``Kind/text`` is a sentence for the user.
///
/// | kind | sent again | the server's value afterwards |
/// |---|---|---|
/// | `offline` | yes | unchanged: the request did not reach the server |
/// | `timeout` | yes | unknown: the response did not arrive |
/// | `busy` | yes | unchanged: the server rejected the request for now |
/// | `refused` | no | unchanged |
/// | `unauthorized` | no | unchanged |
/// | `conflict` | no | different from the expected value: it is fetched again |
/// | `storage` | no | unknown: it is fetched again |
/// | `unknown` | no | unknown: it is fetched again |
public struct FavoritesFailure: Error, Hashable, Codable, Sendable {
  /// The kind of a failure.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The request did not reach the server.
    case offline
    /// The server did not respond in time. It may have applied the request.
    case timeout
    /// The server did not process the request. A later attempt may succeed.
    case busy
    /// The server refuses this request permanently.
    case refused
    /// The server does not accept the credentials.
    case unauthorized
    /// The server's favourites differ from those that the request expects.
    case conflict
    /// The favourites could not be read or written.
    case storage
    /// The API threw an error that is not a `FavoritesFailure`.
    case unknown
  }

  /// The kind of the failure.
  public var kind: Kind

  /// The failure and its reason. For an error that is not a `FavoritesFailure`, the description of this error.
  public var reason: String

  /// The delay that the server requests before the next attempt. With `nil`, the policy determines the delay.
  public var retryAfter: Duration?

  /// Creates a failure.
  public init(_ kind: Kind, _ reason: String, retryAfter: Duration? = nil) {
    self.kind = kind
    self.reason = reason
    self.retryAfter = retryAfter.map { max(.zero, $0) }
  }

  /// Converts any error. An error that is not a `FavoritesFailure` has the kind `unknown`.
  public init(_ error: any Error) {
    self = error as? FavoritesFailure ?? FavoritesFailure(.unknown, "\(error)")
  }

  /// Whether the same request may succeed later. The feature then sends it again.
  public var canSucceedLater: Bool {
    switch kind {
    case .offline, .timeout, .busy: true
    case .refused, .unauthorized, .conflict, .storage, .unknown: false
    }
  }

  /// Whether the server's value may differ from the last confirmed value.
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

extension FavoritesFailure: CustomReflectable {
  /// The kind as an enum case with the reason, and with the delay if the server requests one.
  public var customMirror: Mirror {
    let payload: Any = retryAfter.map { (reason, retryAfter: $0) } ?? reason
    return Mirror(self, children: [kind.rawValue: payload], displayStyle: .enum)
  }
}

extension FavoritesFailure.Kind {
  /// A sentence for the user that applies to every failed change of this kind. The failure's own reason is more
  /// specific, but it may be the description of an error.
  public var text: String {
    switch self {
    case .offline: "You are offline. Your favourites were not changed."
    case .timeout: "The server did not answer. Your favourites are being checked."
    case .busy: "The server is busy. Try again later."
    case .refused: "The server did not accept this request."
    case .unauthorized: "Sign in again to change your favourites."
    case .conflict: "Your favourites were changed elsewhere. The list is being updated."
    case .storage: "Your favourites could not be read or saved."
    case .unknown: "Something went wrong. Your favourites are being checked."
    }
  }

  /// Whether an app should offer to try again. False only for ``refused``: the server refuses the same request again.
  public var offersRetry: Bool { self != .refused }
}
