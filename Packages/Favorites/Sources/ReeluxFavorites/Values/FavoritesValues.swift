/// One request for one item: it is to be a favourite, or it is not.
public struct FavoritesRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Which item it is about.
  public var id: ID

  /// Whether the item is to be a favourite.
  public var isFavorite: Bool

  /// Which attempt this is, from 1.
  public var attempt: Int

  /// The number of the request; it grows with each new value that is asked for, and every attempt at that value has
  /// the same one.
  ///
  /// A state never gives a number twice, not after ``FavoritesAction/reset`` either. It is the part of an idempotency
  /// key that changes: put something in front of it that is different in each run of the app, because a state that is
  /// restored from an older copy counts on from there.
  public var number: Int

  /// Describes a request.
  public init(id: ID, isFavorite: Bool, attempt: Int = 1, number: Int) {
    self.id = id
    self.isFavorite = isFavorite
    self.attempt = attempt
    self.number = number
  }
}

extension FavoritesRequest: Encodable where ID: Encodable {}
extension FavoritesRequest: Decodable where ID: Decodable {}

/// The favourites as the server holds them at one moment, in the order of their addition.
public struct FavoritesSnapshot<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The favourites, the one added first at the front.
  public var ids: OrderedIDs<ID>

  /// When a favourite was added, in seconds since 1970 (UTC); ids whose date is not known have none.
  public var dates: [ID: Double]

  /// What to show about the kept favourites, usually nothing.
  public var notices: [FavoritesNotice]

  /// Makes a snapshot of ids in the order of their addition.
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
  /// Writes the snapshot; equal snapshots give equal output.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(ids, forKey: .ids)
    if !dates.isEmpty { try container.encode(FavoriteDate.list(dates, inOrderOf: ids), forKey: .dates) }
    try container.encode(notices, forKey: .notices)
  }
}

extension FavoritesSnapshot: Decodable where ID: Decodable {
  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let dates = try container.decodeIfPresent([FavoriteDate<ID>].self, forKey: .dates) ?? []
    self.init(
      try container.decode(OrderedIDs<ID>.self, forKey: .ids), dates: FavoriteDate.dictionary(dates),
      notices: try container.decode([FavoritesNotice].self, forKey: .notices))
  }
}

/// A date of addition as it is written: in a list, so that equal values give equal output.
struct FavoriteDate<ID: Hashable & Sendable>: Hashable, Sendable {
  var id: ID
  var date: Double

  static func list(_ dates: [ID: Double], inOrderOf ids: OrderedIDs<ID>) -> [FavoriteDate] {
    ids.compactMap { id in dates[id].map { FavoriteDate(id: id, date: $0) } }
  }

  static func dictionary(_ list: [FavoriteDate]) -> [ID: Double] {
    Dictionary(list.map { ($0.id, $0.date) }, uniquingKeysWith: { $1 })
  }
}

extension FavoriteDate: Encodable where ID: Encodable {}
extension FavoriteDate: Decodable where ID: Decodable {}

/// A change that the server reports by itself, such as one that was made on another device.
public enum FavoritesChange<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The item is a favourite now, or is none; `date`: when it was added, in seconds since 1970, if that is known.
  case set(ID, isFavorite: Bool, date: Double? = nil)

  /// These are all favourites now.
  case replaced(FavoritesSnapshot<ID>)
}

extension FavoritesChange: Encodable where ID: Encodable {}
extension FavoritesChange: Decodable where ID: Decodable {}

/// Something about the kept favourites that the app should show.
///
/// It comes with the next successful fetch and stays in the state until
/// ``FavoritesAction/dismissNotices``.
public struct FavoritesNotice: Hashable, Codable, Sendable {
  /// What happened.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// The file could not be understood and was kept aside.
    case damaged
    /// The file was written by a newer version and was kept aside.
    case newer
  }

  /// What happened.
  public var kind: Kind

  /// What happened, to what, and where it is now, in words for the user.
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
