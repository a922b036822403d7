/// The functions of a favourites server: fetch the favourites, and change one.
///
/// ```swift
/// let api = FavoritesAPI<Int>(
///   fetch: { FavoritesSnapshot(try await client.favorites()) },
///   set: { request in
///     try await client.put(request.id, request.isFavorite, key: "\(request.session)-\(request.number)")
///   })
/// ```
///
/// The ``FavoritesRequest/session`` is different for each state, so the keys of several stores and rows are different.
///
/// Throw a ``FavoritesFailure``. Its kind decides whether the request is sent again. Any other error counts as
/// `unknown` and is not sent again.
///
/// The feature has at most one running request for each item. It sends a request again after a failure. It also does so
/// if the app was killed before the response arrived, and if the feature was removed and installed again. So `set` must
/// be idempotent. After `set` has thrown, its request must not take effect later. When the time limit of a request
/// passes, its task is cancelled. If such a request can still arrive at the server, the server should remember the
/// last request that it has applied to each item, and ignore a request of the same session with a lower number.
public struct FavoritesAPI<ID: Hashable & Sendable>: Sendable {
  /// Returns the favourites in the order of their addition.
  public var fetch: @Sendable () async throws -> FavoritesSnapshot<ID>

  /// Adds an item to the favourites, or removes it. Returns when the server has confirmed the change.
  public var set: @Sendable (_ request: FavoritesRequest<ID>) async throws -> Void

  /// Sets several items in one request, and returns the failures of the items that were not set. `nil` if the server
  /// has no such request.
  ///
  /// If it throws, all items have failed with this error. It is used for requests of more than one item, which occur
  /// only if ``FavoritesPolicy/batch`` is more than 1. For a request of one item, `set` is used.
  public var setSeveral: (@Sendable (_ requests: [FavoritesRequest<ID>]) async throws -> [ID: FavoritesFailure])?

  /// Reports the changes of the favourites on the server. `nil` if the server reports none.
  ///
  /// The stream must report all changes in the order in which the server applied them, including those of this client.
  /// The feature opens the stream and fetches the favourites at the same time. So the stream must also report the
  /// changes from shortly before it was opened, or begin with `.replaced` and the present favourites. Otherwise a
  /// change between the response to the fetch and the opening is lost until the next fetch.
  /// If it ends or throws, the feature opens it again after a delay, and fetches the favourites.
  public var changes: (@Sendable () -> AsyncThrowingStream<FavoritesChange<ID>, any Error>)?

  /// Returns the date of addition, in seconds since 1970, for a favourite that has just been confirmed. Default: none.
  ///
  /// A fetch or a reported change may replace this date.
  public var date: @Sendable () -> Double?

  /// Creates an API from its functions. Only the first two are required.
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
