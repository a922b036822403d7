/// A request to add one item to the favourites, or to remove it.
public struct FavoritesRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The id of the item.
  public var id: ID

  /// The desired value.
  public var isFavorite: Bool

  /// The number of the attempt, from 1. A new desired value begins with 1.
  public var attempt: Int

  /// The number of the request. It increases with each new desired value. All automatic attempts for this value have
  /// the same number. ``FavoritesAction/retry(_:)`` and ``FavoritesAction/retryAll`` begin a new number.
  ///
  /// A state never uses a number twice, not even after ``FavoritesAction/reset``. Other states use the same numbers.
  public var number: Int

  /// A text that is different for each state. The idempotency key of a request is `"\(session)-\(number)"`.
  ///
  /// A state that was created or decoded has a new session. ``FavoritesAction/reset`` does not change it. The copies of
  /// a state share it, so give each store and each row a state that was created for it. If the app restores a copy that
  /// it made earlier in the same run, numbers of this session occur again. In place of the copy, restore an encoded
  /// state.
  ///
  /// The feature sets the session of a request when it calls a function of the API. In a request that you create, the
  /// session is empty. It is not compared, not encoded and not displayed. So tests and recordings do not depend on it.
  public var session: String { origin.text }

  var origin = FavoritesSession.none

  /// Creates a request without a session.
  public init(id: ID, isFavorite: Bool, attempt: Int = 1, number: Int) {
    self.id = id
    self.isFavorite = isFavorite
    self.attempt = attempt
    self.number = number
  }
}

extension FavoritesRequest: CustomReflectable {
  /// The parts that are compared and encoded.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["id": id, "isFavorite": isFavorite, "attempt": attempt, "number": number], displayStyle: .struct)
  }
}

extension FavoritesRequest {
  enum CodingKeys: CodingKey { case id, isFavorite, attempt, number }

  /// The request with the session of its state.
  func sent(in session: FavoritesSession) -> FavoritesRequest {
    var request = self
    request.origin = session
    return request
  }
}

extension FavoritesRequest: Encodable where ID: Encodable {}
extension FavoritesRequest: Decodable where ID: Decodable {}

/// The server's favourites at one moment, in the order of their addition.
public struct FavoritesSnapshot<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The favourites. The one that was added first is at the front.
  public var ids: OrderedIDs<ID>

  /// The dates of addition, in seconds since 1970 (UTC). Ids without a known date have none.
  public var dates: [ID: Double]

  /// Notices about the stored favourites, usually none.
  public var notices: [FavoritesNotice]

  /// Creates a snapshot of ids in the order of their addition.
  public init(_ ids: some Sequence<ID>, dates: [ID: Double] = [:], notices: [FavoritesNotice] = []) {
    self.ids = OrderedIDs(ids)
    self.dates = dates
    self.notices = notices
  }
}

extension FavoritesSnapshot: ExpressibleByArrayLiteral {
  /// A snapshot of these ids without dates and notices.
  public init(arrayLiteral elements: ID...) { self.init(elements) }
}

extension FavoritesSnapshot {
  enum CodingKeys: CodingKey { case ids, dates, notices }
}

extension FavoritesSnapshot: Encodable where ID: Encodable {
  /// Encodes the snapshot. Equal snapshots have equal output.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ids, forKey: .ids)
    if !dates.isEmpty { try container.encode(FavoriteDate.list(dates, inOrderOf: ids), forKey: .dates) }
    try container.encode(notices, forKey: .notices)
  }
}

extension FavoritesSnapshot: Decodable where ID: Decodable {
  /// Decodes a snapshot that `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let dates = try container.decodeIfPresent([FavoriteDate<ID>].self, forKey: .dates) ?? []
    self.init(
      try container.decode(OrderedIDs<ID>.self, forKey: .ids), dates: FavoriteDate.dictionary(dates),
      notices: try container.decode([FavoritesNotice].self, forKey: .notices))
  }
}

/// An encoded date of addition. Dates are encoded as a list, so equal values have equal output.
struct FavoriteDate<ID: Hashable & Sendable>: Hashable, Sendable {
  var id: ID
  var date: Double

  /// A recording calls it for each encoded state of the favourites that has changed; see `WrittenItems`.
  @_specialize(where ID == String)
  static func list(_ dates: [ID: Double], inOrderOf ids: OrderedIDs<ID>) -> [FavoriteDate] {
    var list: [FavoriteDate] = []
    list.reserveCapacity(dates.count)
    for id in ids {
      if let date = dates[id] { list.append(FavoriteDate(id: id, date: date)) }
    }
    return list
  }

  static func dictionary(_ list: [FavoriteDate]) -> [ID: Double] {
    Dictionary(list.map { ($0.id, $0.date) }, uniquingKeysWith: { $1 })
  }
}

extension FavoriteDate: Encodable where ID: Encodable {}
extension FavoriteDate: Decodable where ID: Decodable {}

/// A change that the server reports, such as a change on another device.
public enum FavoritesChange<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The item is now a favourite or not. `date`: the date of addition, in seconds since 1970, if known.
  case set(ID, isFavorite: Bool, date: Double? = nil)

  /// These are now all favourites.
  case replaced(FavoritesSnapshot<ID>)
}

extension FavoritesChange: Encodable where ID: Encodable {}
extension FavoritesChange: Decodable where ID: Decodable {}

/// A message about the stored favourites that the app should show.
///
/// It arrives with a successful fetch, or with a reported change that replaces all favourites. It stays in the state
/// until ``FavoritesAction/dismissNotices`` or ``FavoritesAction/reset``.
public struct FavoritesNotice: Hashable, Codable, Sendable {
  /// The kind of a notice.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The file is damaged. The next change renames it.
    case damaged
  }

  /// The kind of the notice.
  public var kind: Kind

  /// A text for the user: the file, the reason, and what to do.
  public var message: String

  /// Creates a notice.
  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

extension FavoritesNotice: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
