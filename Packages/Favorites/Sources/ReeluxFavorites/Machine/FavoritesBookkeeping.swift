/// What the feature remembers for its own work: who waits for what, and which numbers were given.
struct FavoritesBookkeeping<ID: Hashable & Sendable>: Hashable, Sendable {
  /// One request that is with the server: the items that it still has to answer for.
  struct Place: Hashable, Sendable {
    /// The number of the place; no two have the same one.
    var number: Int
    /// What is asked, without what was answered already.
    var requests: [FavoritesRequest<ID>]
  }

  /// What undoing one change means: these ids show this value again.
  struct Undo: Hashable, Sendable {
    var ids: [ID]
    var isFavorite: Bool
  }

  /// The items that wait for a place at the server, the one that waits longest at the front.
  var queue = OrderedIDs<ID>()

  /// The items that wait for the end of a delay, in the order in which they failed.
  var waiting = OrderedIDs<ID>()

  /// The requests that are with the server, the oldest first.
  var places: [Place] = []

  /// The last number given to a place.
  var lastPlace = 0

  /// The last number given to a request, a fetch or an intent; each gets its own.
  var lastNumber = 0

  /// The items about which the server said something while a fetch is under way, which may not have seen it.
  var newerThanFetch = OrderedIDs<ID>()

  /// The changes that can be undone, the last one at the end.
  var undoable: [Undo] = []

  /// The next number for a request, a fetch or an intent.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Remembers that the fetch under way may not have seen what the server said about this item.
  mutating func noteNewerThanFetch(_ id: ID) {
    newerThanFetch.remove(id)
    newerThanFetch.append(id)
  }

  /// Takes an item out of the queue, the delays or its place, according to the phase that it leaves.
  mutating func leave(_ phase: FavoritesItem.Phase, _ id: ID) {
    switch phase {
    case .queued: queue.remove(id)
    case .waiting: waiting.remove(id)
    case .requesting(_, let place):
      guard let index = places.firstIndex(where: { $0.number == place }) else { return }
      places[index].requests.removeAll { $0.id == id }
      if places[index].requests.isEmpty { places.remove(at: index) }
    case .failed, .uncertain: break
    }
  }

  /// Adds an item to the queue or the delays, according to the phase that it enters.
  mutating func enter(_ phase: FavoritesItem.Phase, _ id: ID) {
    switch phase {
    case .queued: queue.append(id)
    case .waiting: waiting.append(id)
    case .requesting, .failed, .uncertain: break
    }
  }
}

extension FavoritesBookkeeping: Encodable where ID: Encodable {}
extension FavoritesBookkeeping: Decodable where ID: Decodable {}
extension FavoritesBookkeeping.Place: Encodable where ID: Encodable {}
extension FavoritesBookkeeping.Place: Decodable where ID: Decodable {}
extension FavoritesBookkeeping.Undo: Encodable where ID: Encodable {}
extension FavoritesBookkeeping.Undo: Decodable where ID: Decodable {}
