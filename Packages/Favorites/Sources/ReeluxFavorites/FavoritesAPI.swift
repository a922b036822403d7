/// What the outside must offer: the server's favourites, and a way to change one.
///
/// ```swift
/// let api = FavoritesAPI<Int>(
///   fetch: { FavoritesSnapshot(try await client.favorites()) },
///   set: { request in
///     try await client.put(request.id, request.isFavorite, key: "\(launch)-\(request.number)")
///   })
/// ```
///
/// Throw a ``FavoritesFailure``: its kind decides whether the request is made
/// again. Any other error counts as `unknown`, which is not.
///
/// The feature asks for one thing at a time per item, and for the same thing
/// again after a failure, when the app was killed before the answer, and when
/// the feature was removed and installed again; so `set` must be idempotent,
/// and when it throws, what it has sent must not take effect any later. A
/// request that the feature gives up, because its time limit has passed, is
/// cancelled as a task. A server where such a request can still arrive should
/// ignore a request that has a lower number than one it has done for the item.
public struct FavoritesAPI<ID: Hashable & Sendable>: Sendable {
  /// Asks for the favourites, in the order of their addition.
  public var fetch: @Sendable () async throws -> FavoritesSnapshot<ID>

  /// Makes an item a favourite, or not; returns when the server has acknowledged it.
  public var set: @Sendable (_ request: FavoritesRequest<ID>) async throws -> Void

  /// Sets several items in one request, and returns the failures of those that were not set; `nil` if the server has
  /// no such request.
  ///
  /// If it throws, all of them have failed in that way. Used when ``FavoritesPolicy/batch`` is more than 1.
  public var setSeveral: (@Sendable (_ requests: [FavoritesRequest<ID>]) async throws -> [ID: FavoritesFailure])?

  /// Reports the changes that the server makes by itself; `nil` if the server reports none.
  ///
  /// The stream must report changes in the order in which they took effect, those of this client among them. It is
  /// opened again when it ends or throws, after a delay, and the favourites are fetched then.
  public var changes: (@Sendable () -> AsyncThrowingStream<FavoritesChange<ID>, any Error>)?

  /// The date of addition, in seconds since 1970, of a favourite that is being confirmed; default none.
  ///
  /// It holds until a fetch or a reported change says otherwise.
  public var date: @Sendable () -> Double?

  /// Makes an API of its calls; only the first two are needed.
  public init(
    fetch: @escaping @Sendable () async throws -> FavoritesSnapshot<ID>,
    set: @escaping @Sendable (_ request: FavoritesRequest<ID>) async throws -> Void,
    setSeveral: (@Sendable (_ requests: [FavoritesRequest<ID>]) async throws -> [ID: FavoritesFailure])? = nil,
    changes: (@Sendable () -> AsyncThrowingStream<FavoritesChange<ID>, any Error>)? = nil,
    date: @escaping @Sendable () -> Double? = { nil }
  ) {
    self.fetch = fetch
    self.set = set
    self.setSeveral = setSeveral
    self.changes = changes
    self.date = date
  }
}
