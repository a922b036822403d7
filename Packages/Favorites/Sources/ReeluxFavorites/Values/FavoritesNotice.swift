/// Something about the kept favourites that a person should be told.
///
/// It comes with the next successful fetch and stays in the state until
/// ``FavoritesAction/dismissNotices``.
public struct FavoritesNotice: Hashable, Codable, Sendable {
  /// What happened.
  public enum Kind: String, Codable, Sendable {
    /// The file could not be understood and was kept aside.
    case damaged
    /// The file was written by a newer version and was kept aside.
    case newer
  }

  /// What happened.
  public var kind: Kind

  /// What happened, to what, and where it is now, in words for the person at the screen.
  public var message: String

  /// Makes a notice.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension FavoritesNotice: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
