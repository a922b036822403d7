/// The favourites as the server holds them at one moment, in the order of their addition.
public struct FavoritesSnapshot<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The favourites, the one added first at the front.
  public var ids: OrderedIDs<ID>

  /// What a person should be told about them, usually nothing.
  public var notices: [FavoritesNotice]

  /// Makes a snapshot of ids in the order of their addition.
  public init(_ ids: some Sequence<ID>, notices: [FavoritesNotice] = []) {
    self.ids = OrderedIDs(ids)
    self.notices = notices
  }
}

extension FavoritesSnapshot: ExpressibleByArrayLiteral {
  /// A snapshot of these ids without notices.
  public init(arrayLiteral elements: ID...) { self.init(elements) }
}

extension FavoritesSnapshot: Encodable where ID: Encodable {}
extension FavoritesSnapshot: Decodable where ID: Decodable {}
