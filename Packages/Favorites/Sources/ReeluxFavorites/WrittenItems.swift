/// The items of a state as they are written: a list in the order of intent, so that equal states give equal bytes.
///
/// The items of a long list change one by one. An encoder that compares the bits of an element with those of the last state
/// does not write an unchanged item again, because a ``Packed`` item has no unused bytes that differ from copy to copy.
struct WrittenItems<ID: Hashable & Sendable>: Sendable {
  var items: [ID: FavoritesItem]

  /// An item that is queued or requesting, in whole words.
  struct Packed: Sendable {
    private var id: ID
    private var flags: Int
    private var attempt: Int
    private var place = 0
    private var number: Int
    private var order: Int

    private static var intent: Int { 1 }
    private static var certain: Int { 2 }
    private static var contested: Int { 4 }
    private static var requesting: Int { 8 }
    private static var sent: Int { 16 }
    private static var sentFavorite: Int { 32 }

    /// Packs an item; `nil` if it is in another phase.
    init?(_ id: ID, _ item: FavoritesItem) {
      self.id = id
      flags = (item.intent ? Self.intent : 0) | (item.isCertain ? Self.certain : 0)
      if item.isContested { flags |= Self.contested }
      if let sent = item.sent { flags |= Self.sent | (sent.isFavorite ? Self.sentFavorite : 0) }
      number = item.sent?.number ?? 0
      order = item.order
      switch item.phase {
      case .queued(let attempt): self.attempt = attempt
      case .requesting(let attempt, let place):
        flags |= Self.requesting
        self.attempt = attempt
        self.place = place
      case .waiting, .failed, .uncertain: return nil
      }
    }

    private func has(_ flag: Int) -> Bool { flags & flag != 0 }

    /// The item and its id.
    var entry: FavoritesState<ID>.Entry {
      let item = FavoritesItem(
        intent: has(Self.intent),
        phase: has(Self.requesting) ? .requesting(attempt: attempt, place: place) : .queued(attempt: attempt),
        sent: has(Self.sent) ? FavoritesItem.Sent(isFavorite: has(Self.sentFavorite), number: number) : nil,
        isCertain: has(Self.certain), isContested: has(Self.contested), order: order)
      return FavoritesState<ID>.Entry(id: id, item: item)
    }
  }
}

extension WrittenItems.Packed: Encodable where ID: Encodable {
  func encode(to encoder: any Encoder) throws { try entry.encode(to: encoder) }
}

extension WrittenItems: Encodable where ID: Encodable {
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    let entries = Array(items)
    // Sorting the positions moves numbers only.
    let orders = items.values.map(\.order)
    for position in orders.indices.sorted(by: { orders[$0] < orders[$1] }) {
      let (id, item) = entries[position]
      if let packed = Packed(id, item) {
        try list.encode(packed)
      } else {
        try list.encode(FavoritesState<ID>.Entry(id: id, item: item))
      }
    }
  }
}
