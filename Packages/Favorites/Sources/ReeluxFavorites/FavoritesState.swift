/// The favourites: what the server confirmed, what is wished, what is under way, what failed and why.
///
/// What is shown is the wish (``contains(_:)``, ``ids``): a toggle is seen at
/// once. Only items that are not at rest have an entry in ``items``, so the
/// state costs what its favourites cost.
///
/// ```swift
/// var state = FavoritesState(confirmed: ["nosferatu-1922"])
/// let reducer = Reducer<FavoritesAction<String>, FavoritesState<String>>.favorites()
/// reducer.reduce(.toggle("metropolis-1927"), &state)
/// state.contains("metropolis-1927")      // true, at once
/// state.isPending("metropolis-1927")     // true, until the server has answered
/// ```
///
/// Looking at one item and changing one item take constant time; ``ids`` and
/// comparing two states take time proportional to the number of favourites.
public struct FavoritesState<ID: Hashable & Sendable>: Sendable {
  /// What the server last confirmed, in the order of addition.
  public var confirmed: OrderedIDs<ID>

  /// The items that are not at rest: wished otherwise than confirmed, with a request under way, or failed.
  public var items: [ID: FavoritesItem] = [:]

  /// Where the fetching of the server's favourites stands.
  public var load = FavoritesLoad.idle

  /// Whether a fetch has ever succeeded; before that, ``confirmed`` is only what the state began with.
  public var isLoaded = false

  /// What a person should be told about the kept favourites.
  public var notices: [FavoritesNotice] = []

  /// The wishes that can be undone, the last one at the end.
  public var undoable: [FavoritesUndo<ID>] = []

  /// The items that wait for a place at the server, the one that waits longest at the front.
  public var queue = OrderedIDs<ID>()

  /// How many items have a request with the server.
  public var requesting = 0

  /// The last number given to a request, a fetch or a wish; each gets its own.
  public var lastNumber = 0

  /// The items whose request was confirmed while a fetch is under way, which may not have seen it.
  public var confirmedDuringLoad = OrderedIDs<ID>()

  /// Favourites that are known at the start, in the order of their addition.
  public init(confirmed: some Sequence<ID>) {
    self.confirmed = OrderedIDs(confirmed)
  }

  /// No favourites are known yet.
  public init() {
    self.confirmed = OrderedIDs()
  }
}

// MARK: - Reading

extension FavoritesState {
  /// Whether this is shown as a favourite: the last wish, or after a failure what the server confirmed.
  @inlinable
  public func contains(_ id: ID) -> Bool {
    guard let item = items[id], item.isPending else { return confirmed.contains(id) }
    return item.wish
  }

  /// The favourites as shown: the confirmed ones in the order of addition, then the wished ones in the order of wish.
  public var ids: [ID] {
    let shown = confirmed.filter(contains)
    let wished = items.filter { $0.value.isPending && $0.value.wish && !confirmed.contains($0.key) }
    return shown + wished.sorted { $0.value.order < $1.value.order }.map(\.key)
  }

  /// The number of favourites as shown; takes time proportional to the number of items not at rest.
  public var count: Int {
    items.reduce(confirmed.count) { count, entry in
      guard entry.value.isPending else { return count }
      switch (confirmed.contains(entry.key), entry.value.wish) {
      case (true, false): return count - 1
      case (false, true): return count + 1
      default: return count
      }
    }
  }

  /// Whether a wish for this item is still under way.
  @inlinable
  public func isPending(_ id: ID) -> Bool { items[id]?.isPending ?? false }

  /// Why the last wish for this item was given up, if it was.
  @inlinable
  public func failure(of id: ID) -> FavoritesFailure? { items[id]?.failure }

  /// The items with a wish under way, in the order of wish.
  public var pending: [ID] {
    items.filter(\.value.isPending).sorted { $0.value.order < $1.value.order }.map(\.key)
  }

  /// The items whose last wish was given up, in the order of wish.
  public var failed: [ID] {
    items.filter { !$0.value.isPending }.sorted { $0.value.order < $1.value.order }.map(\.key)
  }

  /// The items whose wish a retry would bring forward, in the order of wish.
  @usableFromInline var retriable: [ID] {
    items.filter { $0.value.failure != nil || $0.value.isWaiting }.sorted { $0.value.order < $1.value.order }.map(\.key)
  }

  /// Whether nothing is under way: no request, no pause, no fetch.
  public var isSettled: Bool {
    !load.isUnderWay && !items.contains { $0.value.isPending }
  }

  /// Whether ``FavoritesAction/undo`` would change something; takes at most time proportional to the undo depth.
  public var canUndo: Bool {
    undoable.contains { contains($0.id) != $0.value }
  }
}

extension FavoritesState: Hashable {}
