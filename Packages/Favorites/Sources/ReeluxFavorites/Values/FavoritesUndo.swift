/// What undoing one wish means: this id shows this value again.
public struct FavoritesUndo<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Which item.
  public var id: ID

  /// Whether it was shown as a favourite before the wish.
  public var value: Bool

  /// Describes what undoing means.
  public init(id: ID, value: Bool) {
    self.id = id
    self.value = value
  }
}

extension FavoritesUndo: Encodable where ID: Encodable {}
extension FavoritesUndo: Decodable where ID: Decodable {}
