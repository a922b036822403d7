/// The encoded items of a state, in the order of their intents. Equal states therefore have equal bytes.
///
/// In a long list, one item changes at a time. The recorder compares the bits of each element with those in the
/// previous state, and does not encode an unchanged element again. The bits of unused bytes could differ between equal
/// items. So a ``Packed`` item has no unused bytes, if its id has none and fills whole words.
struct WrittenItems<ID: Hashable & Sendable>: Sendable {
  var items: [ID: FavoritesItem]

  /// An item that is packed into whole words.
  struct Packed: Sendable {
    private enum Phase: Int { case queued, requesting, waiting, failed, uncertain }

    private var id: ID
    private var flags: Int
    private var phase: Int
    private var attempt = 0
    private var slot = 0
    private var number: Int
    private var order: Int
    private var kind = 0
    private var reason = ""
    private var seconds: Int64 = 0
    private var attoseconds: Int64 = 0

    private static var intent: Int { 1 }
    private static var certain: Int { 2 }
    private static var contested: Int { 4 }
    private static var sent: Int { 8 }
    private static var sentFavorite: Int { 16 }
    private static var delayed: Int { 32 }
    private static var renewed: Int { 64 }

    init(_ id: ID, _ item: FavoritesItem) {
      self.id = id
      flags = (item.intent ? Self.intent : 0) | (item.isCertain ? Self.certain : 0)
      if item.isContested { flags |= Self.contested }
      if item.isRenewed { flags |= Self.renewed }
      if let sent = item.sent { flags |= Self.sent | (sent.isFavorite ? Self.sentFavorite : 0) }
      number = item.sent?.number ?? 0
      order = item.order
      var delay: Duration?
      switch item.phase {
      case .queued(let attempt):
        phase = Phase.queued.rawValue
        self.attempt = attempt
      case .requesting(let attempt, let slot):
        phase = Phase.requesting.rawValue
        self.attempt = attempt
        self.slot = slot
      case .waiting(let attempt, let after):
        phase = Phase.waiting.rawValue
        self.attempt = attempt
        delay = after
      case .failed(let failure):
        phase = Phase.failed.rawValue
        kind = FavoritesFailure.Kind.allCases.firstIndex(of: failure.kind) ?? 0
        reason = failure.reason
        delay = failure.retryAfter
      case .uncertain: phase = Phase.uncertain.rawValue
      }
      guard let delay else { return }
      flags |= Self.delayed
      // To read the components of a longer delay traps.
      (seconds, attoseconds) = min(max(.seconds(Int64.min), delay), .seconds(Int64.max)).components
    }

    private func has(_ flag: Int) -> Bool { flags & flag != 0 }

    private var delay: Duration? {
      has(Self.delayed) ? Duration(secondsComponent: seconds, attosecondsComponent: attoseconds) : nil
    }

    private var itemPhase: FavoritesItem.Phase {
      switch Phase(rawValue: phase) {
      case .queued: .queued(attempt: attempt)
      case .requesting: .requesting(attempt: attempt, slot: slot)
      case .waiting: .waiting(attempt: attempt, after: delay)
      case .failed: .failed(FavoritesFailure(FavoritesFailure.Kind.allCases[kind], reason, retryAfter: delay))
      case .uncertain, nil: .uncertain
      }
    }

    /// The item and its id.
    var entry: FavoritesState<ID>.Entry {
      let item = FavoritesItem(
        intent: has(Self.intent), phase: itemPhase,
        sent: has(Self.sent) ? FavoritesItem.Sent(isFavorite: has(Self.sentFavorite), number: number) : nil,
        isCertain: has(Self.certain), isContested: has(Self.contested), isRenewed: has(Self.renewed), order: order)
      return FavoritesState<ID>.Entry(id: id, item: item)
    }
  }
}

extension WrittenItems.Packed: Encodable where ID: Encodable {
  func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }
}

extension WrittenItems: Encodable where ID: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(packed())
  }
}

extension WrittenItems {
  /// The items in the order of their intents.
  ///
  /// A recording calls it for most actions. For ids that are texts, the module contains specialised code.
  @_specialize(where ID == String)
  private func packed() -> [Packed] {
    // Sorting moves numbers only.
    var positions: [(order: Int, index: Dictionary<ID, FavoritesItem>.Index)] = []
    positions.reserveCapacity(items.count)
    var index = items.startIndex
    while index != items.endIndex {
      positions.append((items.values[index].order, index))
      items.formIndex(after: &index)
    }
    positions.sort { $0.order < $1.order }
    return positions.map { Packed(items[$0.index].key, items[$0.index].value) }
  }
}
