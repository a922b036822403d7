/// One request that is, or was, with the server: this id is to be a favourite, or is not.
public struct FavoritesRequest<ID: Hashable & Sendable>: Hashable, Sendable {
  /// Which item it is about.
  public var id: ID

  /// Whether it is to be a favourite.
  public var value: Bool

  /// Which attempt this is, from 1.
  public var attempt: Int

  /// The number of the request, different for each one of a state's life.
  public var number: Int

  /// Describes a request.
  public init(id: ID, value: Bool, attempt: Int = 1, number: Int) {
    self.id = id
    self.value = value
    self.attempt = attempt
    self.number = number
  }
}

extension FavoritesRequest: Encodable where ID: Encodable {}
extension FavoritesRequest: Decodable where ID: Decodable {}
