import ReeluxCore

/// A place where favourites are kept: read them, change them.
///
/// `update` returns when the change is kept for good, and never before.
public struct FavoritesStorage<ID: Hashable & Sendable>: Sendable {
  /// Reads the favourites, in the order of their addition; what has never been written is empty.
  public var read: @Sendable () async throws -> FavoritesSnapshot<ID>

  /// Changes the favourites that are kept now; throws when the change may not be kept.
  public var update: @Sendable (_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws -> Void

  /// Makes a storage of its two calls.
  public init(
    read: @escaping @Sendable () async throws -> FavoritesSnapshot<ID>,
    update: @escaping @Sendable (_ change: @escaping @Sendable (inout OrderedIDs<ID>) -> Void) async throws -> Void
  ) {
    self.read = read
    self.update = update
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
