import ReeluxCore

/// A storage of favourites, with functions to read and change them.
///
/// `update` returns only when the change is safely stored.
public struct FavoritesStorage<ID: Hashable & Sendable>: Sendable {
  /// Reads the favourites in the order of their addition. A new storage is empty. Throws if the favourites cannot be
  /// read.
  public var read: @Sendable () async throws -> FavoritesSnapshot<ID>

  /// Changes the stored favourites. Throws if it is not certain that the change is stored.
  public var update: @Sendable (_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws -> Void

  /// Returns the date of addition, in seconds since 1970, for a favourite that is added now; `nil` for none.
  public var date: @Sendable () -> Double?

  /// Creates a storage from its functions.
  public init(
    read: @escaping @Sendable () async throws -> FavoritesSnapshot<ID>,
    update: @escaping @Sendable (_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws -> Void,
    date: @escaping @Sendable () -> Double? = { nil }
  ) {
    self.read = read
    self.update = update
    self.date = date
  }

  /// A storage in memory, which lasts as long as the value. It keeps no dates of addition.
  ///
  /// - Parameter ids: The favourites at the start.
  public static func memory(_ ids: OrderedIDs<ID> = OrderedIDs()) -> FavoritesStorage {
    let memory = Memory(ids)
    return FavoritesStorage(
      read: { memory.ids.withLock { FavoritesSnapshot($0) } },
      update: { change in memory.ids.withLock { change(&$0) } })
  }

  /// The ids in memory, protected by a lock. The lock is held for one read or change.
  private final class Memory: Sendable {
    let ids: Locked<OrderedIDs<ID>>

    init(_ ids: OrderedIDs<ID>) { self.ids = Locked(ids) }
  }
}

extension FavoritesAPI {
  /// An API for favourites in a storage, without a server.
  ///
  /// ```swift
  /// let feature = Feature.favorites(api: FavoritesAPI<String>.stored(in: .file(at: path)))
  /// ```
  ///
  /// If the policy's `batch` is more than 1, several items are set in one change of the storage.
  ///
  /// An error of the storage becomes the failure of the fetch or of the request. An error that is not a
  /// ``FavoritesFailure`` has the kind `unknown`.
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
