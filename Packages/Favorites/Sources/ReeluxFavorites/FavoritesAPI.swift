/// What the outside must offer: the server's favourites, and a way to change one.
///
/// ```swift
/// let api = FavoritesAPI<Int>(
///   fetch: { FavoritesSnapshot(try await client.favorites()) },
///   set: { id, isFavorite in try await client.put(id, isFavorite) })
/// ```
///
/// Throw a ``FavoritesFailure``: its kind decides whether the request is made
/// again. Any other error counts as `unknown`, which is not.
///
/// The feature asks for one thing at a time per item, and for the same thing
/// again after a failure; so `set` must be idempotent, and when it throws, what
/// it has sent must not take effect any later.
public struct FavoritesAPI<ID: Hashable & Sendable>: Sendable {
  /// Asks for the favourites, in the order of their addition.
  public var fetch: @Sendable () async throws -> FavoritesSnapshot<ID>

  /// Makes an item a favourite, or not; returns when the server has acknowledged it.
  public var set: @Sendable (_ id: ID, _ isFavorite: Bool) async throws -> Void

  /// Makes an API of its two calls.
  public init(
    fetch: @escaping @Sendable () async throws -> FavoritesSnapshot<ID>,
    set: @escaping @Sendable (_ id: ID, _ isFavorite: Bool) async throws -> Void
  ) {
    self.fetch = fetch
    self.set = set
  }
}
