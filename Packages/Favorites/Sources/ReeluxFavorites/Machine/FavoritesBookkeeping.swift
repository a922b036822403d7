/// Bookkeeping of the feature: queues, request slots, and the last used numbers.
struct FavoritesBookkeeping<ID: Hashable & Sendable>: Hashable, Sendable {
  /// One running request: the items whose answers are still missing.
  struct Place: Hashable, Sendable {
    /// The number of the slot; each slot has another one.
    var number: Int
    /// The requests that were not answered yet.
    var requests: [FavoritesRequest<ID>]
  }

  /// The undo step of one change: these ids show this value again.
  struct Undo: Hashable, Sendable {
    var ids: [ID]
    var isFavorite: Bool
  }

  /// The items that wait for a request slot; the first has waited longest.
  var queue = OrderedIDs<ID>()

  /// The items that wait for the end of a delay, in the order in which they failed.
  var waiting = OrderedIDs<ID>()

  /// The running requests, the oldest first.
  var places: [Place] = []

  /// The last used number of a slot.
  var lastPlace = 0

  /// The last used number of a request, a fetch or an intent.
  var lastNumber = 0

  /// The items about which the server reported something during the running fetch, which may have missed it.
  var newerThanFetch = OrderedIDs<ID>()

  /// The changes that can be undone, the last one at the end.
  var undoable: [Undo] = []

  /// The next number for a request, a fetch or an intent.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Notes that the running fetch may have missed a report about this item.
  mutating func noteNewerThanFetch(_ id: ID) {
    newerThanFetch.remove(id)
    newerThanFetch.append(id)
  }

  /// Removes an item from the queue, the delays or its slot, for the phase that it leaves.
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

  /// Adds an item to the queue or the delays, for the phase that it enters.
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
