import ReeluxCore

/// A storage of favourites, with functions to read and change them.
///
/// `update` returns only when the change is safely stored.
public struct FavoritesStorage<ID: Hashable & Sendable>: Sendable {
  /// Reads the favourites, in the order of their addition; a new storage is empty.
  public var read: @Sendable () async throws -> FavoritesSnapshot<ID>

  /// Changes the stored favourites; throws if the change may not be stored.
  public var update: @Sendable (_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws -> Void

  /// The date of addition of a favourite that is added now, in seconds since 1970; `nil` for none.
  public var date: @Sendable () -> Double?

  /// Makes a storage of its calls.
  public init(
    read: @escaping @Sendable () async throws -> FavoritesSnapshot<ID>,
    update: @escaping @Sendable (_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws -> Void,
    date: @escaping @Sendable () -> Double? = { nil }
  ) {
    self.read = read
    self.update = update
    self.date = date
  }

  /// Keeps the favourites in memory, as long as the storage is kept.
  ///
  /// - Parameter ids: The favourites at the start.
  public static func memory(_ ids: OrderedIDs<ID> = OrderedIDs()) -> FavoritesStorage {
    let memory = Memory(ids)
    return FavoritesStorage(
      read: { memory.ids.withLock { FavoritesSnapshot($0) } },
      update: { change in memory.ids.withLock { change(&$0) } })
  }

  /// Protects the ids in memory; held for one read or change.
  private final class Memory: Sendable {
    let ids: Locked<OrderedIDs<ID>>

    init(_ ids: OrderedIDs<ID>) { self.ids = Locked(ids) }
  }
}

extension FavoritesAPI {
  /// Favourites in a storage, without a server.
  ///
  /// ```swift
  /// let feature = Feature.favorites(api: FavoritesAPI<String>.stored(in: .file(at: path)))
  /// ```
  ///
  /// Several items are set in one change of the storage if the policy's `batch` is more than 1.
  public static func stored(in storage: FavoritesStorage<ID>) -> FavoritesAPI {
    let set: @Sendable ([FavoritesRequest<ID>]) async throws -> Void = { requests in
      try await storage.update { ids in
        for request in requests {
          if request.isFavorite { ids.append(request.id) } else { ids.remove(request.id) }
        }
      }
    }
    return FavoritesAPI(
      fetch: storage.read, set: { try await set([$0]) },
      setSeveral: {
        try await set($0)
        return [:]
      }, date: storage.date)
  }
}
