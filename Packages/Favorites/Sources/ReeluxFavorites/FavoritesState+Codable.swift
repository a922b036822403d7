extension FavoritesState {
  enum CodingKeys: CodingKey {
    case confirmed, items, load, isLoaded, notices, undoable, queue, requesting, lastNumber, confirmedDuringLoad
  }

  /// An item as it is written: a list in the order of the wishes, so that equal states give equal bytes.
  struct Entry {
    var id: ID
    var item: FavoritesItem
  }
}

extension FavoritesState.Entry: Encodable where ID: Encodable {}
extension FavoritesState.Entry: Decodable where ID: Decodable {}

extension FavoritesState: Encodable where ID: Encodable {
  /// Writes the whole state; equal states give equal output.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let entries = items.sorted { $0.value.order < $1.value.order }.map { Entry(id: $0.key, item: $0.value) }
    try container.encode(confirmed, forKey: .confirmed)
    try container.encode(entries, forKey: .items)
    try container.encode(load, forKey: .load)
    try container.encode(isLoaded, forKey: .isLoaded)
    try container.encode(notices, forKey: .notices)
    try container.encode(undoable, forKey: .undoable)
    try container.encode(queue, forKey: .queue)
    try container.encode(requesting, forKey: .requesting)
    try container.encode(lastNumber, forKey: .lastNumber)
    try container.encode(confirmedDuringLoad, forKey: .confirmedDuringLoad)
  }
}

extension FavoritesState: Decodable where ID: Decodable {
  /// Reads what `encode(to:)` wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let entries = try container.decode([Entry].self, forKey: .items)
    confirmed = try container.decode(OrderedIDs<ID>.self, forKey: .confirmed)
    items = Dictionary(entries.map { ($0.id, $0.item) }, uniquingKeysWith: { $1 })
    load = try container.decode(FavoritesLoad.self, forKey: .load)
    isLoaded = try container.decode(Bool.self, forKey: .isLoaded)
    notices = try container.decode([FavoritesNotice].self, forKey: .notices)
    undoable = try container.decode([FavoritesUndo<ID>].self, forKey: .undoable)
    queue = try container.decode(OrderedIDs<ID>.self, forKey: .queue)
    requesting = try container.decode(Int.self, forKey: .requesting)
    lastNumber = try container.decode(Int.self, forKey: .lastNumber)
    confirmedDuringLoad = try container.decode(OrderedIDs<ID>.self, forKey: .confirmedDuringLoad)
  }
}
