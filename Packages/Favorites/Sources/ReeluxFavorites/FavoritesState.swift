/// The favourites: confirmed values, the app's intents, running requests, and failures.
///
/// The intent is shown (``contains(_:)``, ``ids``), so a toggle is visible immediately. The state takes memory for its
/// favourites, for the items that are not at rest, and for the ids in its undo steps.
///
/// ```swift
/// var state = FavoritesState(confirmed: ["nosferatu-1922"])
/// let reducer = Reducer<FavoritesAction<String>, FavoritesState<String>>.favorites()
/// reducer.reduce(.toggle("metropolis-1927"), &state)
/// state.contains("metropolis-1927")      // true, at once
/// state.isPending("metropolis-1927")     // true, until the server has answered
/// ```
///
/// An intent for an id that is not equal to itself, such as `Double.nan`, is ignored.
///
/// An encoded state includes running requests. A store that is created with the decoded state sends them again.
///
/// Reading or changing one item takes constant time. Comparing two states takes time proportional to the number of
/// favourites and of items that are not at rest. Reading ``ids`` also sorts these items.
public struct FavoritesState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The favourites that the server last confirmed, in the order of addition.
  public var confirmed: OrderedIDs<ID>

  /// The phase of fetching the server's favourites.
  public internal(set) var load = FavoritesLoad.idle

  /// Whether a fetch has succeeded. Before that, ``confirmed`` is the initial value with the changes that the server
  /// has confirmed or reported.
  public internal(set) var isLoaded = false

  /// Messages about the stored favourites. The app should show each message once.
  public internal(set) var notices: [FavoritesNotice] = []

  /// The items that are not at rest: an intent is pending, or the item is failed or uncertain.
  @usableFromInline var items: [ID: FavoritesItem] = [:]

  /// The known dates of addition of confirmed favourites, in seconds since 1970.
  var dates: [ID: Double] = [:]

  /// The phase of following the server's changes.
  var following = FavoritesFollowing.off

  /// Bookkeeping of the feature.
  var bookkeeping = FavoritesBookkeeping<ID>()

  /// Creates a state with known favourites, in the order of their addition.
  public init(confirmed: some Sequence<ID>) {
    self.confirmed = OrderedIDs(confirmed)
  }

  /// Creates a state without favourites.
  public init() {
    self.confirmed = OrderedIDs()
  }
}

// MARK: - Reading

extension FavoritesState {
  /// Whether the item is shown as a favourite. The displayed value is the last intent. After a failure, it is the
  /// confirmed value.
  @inlinable public func contains(_ id: ID) -> Bool {
    guard let item = items[id], item.isPending else { return confirmed.contains(id) }
    return item.intent
  }

  /// The displayed favourites: the confirmed ones in the order of addition, then the others in the order of their
  /// intents. Takes time proportional to the number of favourites and of items not at rest. It also sorts the displayed
  /// items that are not confirmed.
  public var ids: [ID] {
    if items.isEmpty { return Array(confirmed) }
    return confirmed.filter(contains)
      + ordered { $0.value.isPending && $0.value.intent && !confirmed.contains($0.key) }
  }

  /// The number of displayed favourites. Takes time proportional to the number of items not at rest.
  public var count: Int {
    items.reduce(confirmed.count) { count, entry in
      guard entry.value.isPending else { return count }
      switch (confirmed.contains(entry.key), entry.value.intent) {
      case (true, false): return count - 1
      case (false, true): return count + 1
      default: return count
      }
    }
  }

  /// The date of addition of a favourite, in seconds since 1970 (UTC). `nil` if it is unknown or the item is not a
  /// favourite.
  public func date(of id: ID) -> Double? { contains(id) ? dates[id] : nil }

  /// Whether an intent for this item is pending.
  @inlinable public func isPending(_ id: ID) -> Bool { items[id]?.isPending ?? false }

  /// The failure of the last intent for this item, if any.
  @inlinable public func failure(of id: ID) -> FavoritesFailure? { items[id]?.failure }

  /// Whether this item is at rest: no intent is pending or has failed, and the server's value is known.
  /// Before the first fetch, the server's value may still differ from the displayed one.
  @inlinable public func isSettled(_ id: ID) -> Bool { items[id] == nil }

  /// Whether the server is known to have the last confirmed value of this item.
  ///
  /// This is false after a failure with ``FavoritesFailure/leavesServerUnknown``, and after an interrupted request. It
  /// is true again when a request of the item is confirmed, or when a fetch succeeds while no intent is pending.
  public func isCertain(_ id: ID) -> Bool { items[id]?.isCertain ?? true }

  /// The items with a pending intent, in the order of the intents. Each read goes through the items not at rest, and
  /// sorts the pending ones.
  public var pending: [ID] { ordered(where: \.value.isPending) }

  /// The items whose last intent has failed, in the order of the intents. Each read goes through the items not at rest,
  /// and sorts the failed ones.
  public var failed: [ID] { ordered { $0.value.failure != nil } }

  /// Whether no request, delay or fetch is in progress.
  public var isSettled: Bool {
    !load.isUnderWay && bookkeeping.slots.isEmpty && bookkeeping.queue.isEmpty && bookkeeping.waiting.isEmpty
  }

  /// Whether the server's changes are followed.
  public var isFollowing: Bool { following != .off }

  /// Whether ``FavoritesAction/undo`` would change something. Takes at most time proportional to the number of items in
  /// all undo steps.
  public var canUndo: Bool { lastUndoable != nil }

  /// The last change that is still displayed: its index, and the items that undoing it changes.
  var lastUndoable: (index: Int, ids: [ID], isFavorite: Bool)? {
    for (index, undo) in bookkeeping.undoable.enumerated().reversed() {
      let ids = undo.ids.filter { contains($0) != undo.isFavorite }
      if !ids.isEmpty { return (index, ids, undo.isFavorite) }
    }
    return nil
  }

  /// The items that fulfil a predicate, in the order of their intents.
  func ordered(where isIncluded: ((key: ID, value: FavoritesItem)) -> Bool) -> [ID] {
    // Sorting moves numbers only, and no id is hashed.
    var places: [(order: Int, place: Dictionary<ID, FavoritesItem>.Index)] = []
    for place in items.indices where isIncluded(items[place]) { places.append((items[place].value.order, place)) }
    places.sort { $0.order < $1.order }
    return places.map { items[$0.place].key }
  }
}

// MARK: - Showing

extension FavoritesState: CustomReflectable {
  /// The parts that logs, differences and failing tests show. The feature's numbers and queues are one text.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "confirmed": confirmed, "intents": items, "load": load, "isLoaded": isLoaded, "notices": notices,
        "dates": dates, "following": following, "requests": bookkeeping,
      ], displayStyle: .struct)
  }
}

// MARK: - Coding

extension FavoritesState {
  enum CodingKeys: String, CodingKey {
    case confirmed, dates, items, load, isLoaded, notices, following
    case bookkeeping = "requests"
  }

  /// An item in the encoded state. Items are encoded in the order of their intents, so equal states have equal bytes.
  struct Entry {
    var id: ID
    var item: FavoritesItem
  }
}

extension FavoritesState.Entry: Encodable where ID: Encodable {}
extension FavoritesState.Entry: Decodable where ID: Decodable {}

extension FavoritesState: Encodable where ID: Encodable {
  /// Encodes the whole state. Equal states have equal output.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(confirmed, forKey: .confirmed)
    if !dates.isEmpty { try container.encode(FavoriteDate.list(dates, inOrderOf: confirmed), forKey: .dates) }
    try container.encode(WrittenItems(items: items), forKey: .items)
    try container.encode(load, forKey: .load)
    try container.encode(isLoaded, forKey: .isLoaded)
    try container.encode(notices, forKey: .notices)
    try container.encode(following, forKey: .following)
    try container.encode(bookkeeping, forKey: .bookkeeping)
  }
}

extension FavoritesState: Decodable where ID: Decodable {
  /// Decodes a state that `encode(to:)` wrote.
  ///
  /// Throws if the parts of the state contradict each other, because `encode(to:)` does not write such a state.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    confirmed = try container.decode(OrderedIDs<ID>.self, forKey: .confirmed)
    dates = FavoriteDate.dictionary(try container.decodeIfPresent([FavoriteDate<ID>].self, forKey: .dates) ?? [])
    let entries = try container.decode([Entry].self, forKey: .items)
    items = Dictionary(entries.map { ($0.id, $0.item) }, uniquingKeysWith: { $1 })
    load = try container.decode(FavoritesLoad.self, forKey: .load)
    isLoaded = try container.decode(Bool.self, forKey: .isLoaded)
    notices = try container.decode([FavoritesNotice].self, forKey: .notices)
    following = try container.decode(FavoritesFollowing.self, forKey: .following)
    bookkeeping = try container.decode(FavoritesBookkeeping<ID>.self, forKey: .bookkeeping)
    if let contradiction {
      throw DecodingError.dataCorruptedError(forKey: .bookkeeping, in: container, debugDescription: contradiction)
    }
  }
}
