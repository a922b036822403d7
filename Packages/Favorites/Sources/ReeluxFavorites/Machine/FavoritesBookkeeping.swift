import ReeluxCore

/// Bookkeeping of the feature: queues, request slots, and the last used numbers.
struct FavoritesBookkeeping<ID: Hashable & Sendable>: Hashable, Sendable {
  /// One running request: the items whose answers are still missing.
  struct Place: Hashable, Sendable {
    /// The number of the slot; each slot has another one.
    var number: Int
    /// The requests that were not answered yet.
    var requests: [FavoritesRequest<ID>]
    /// Whether the requests were made already.
    var opening = FavoritesOpening()
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

  /// Whether what is confirmed is what the server holds, as far as this client can know.
  ///
  /// It is from a fetch on, and not while changes are followed: one that was reported may be older than an answer.
  var isCurrent = false

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

extension FavoritesBookkeeping.Place: CustomReflectable {
  enum CodingKeys: CodingKey { case number, requests }

  var customMirror: Mirror { Mirror(self, children: ["number": number, "requests": requests], displayStyle: .struct) }
}

extension FavoritesBookkeeping.Place: Encodable where ID: Encodable {}

extension FavoritesBookkeeping.Place: Decodable where ID: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    requests = try container.decode([FavoritesRequest<ID>].self, forKey: .requests)
    // Another run of the app has made them, or another store.
    opening = FavoritesOpening(isBegun: true)
  }
}

extension FavoritesBookkeeping.Undo: Encodable where ID: Encodable {}
extension FavoritesBookkeeping.Undo: Decodable where ID: Decodable {}

/// Whether a piece of work has been begun, in any copy of the state that wants it.
///
/// The one part of the state that is shared by its copies. A state that is taken away and put back says so by it: its
/// requests were made before, and the server may have done them. It decides nothing in the reducer, is equal to every
/// other one, and is neither written nor shown.
struct FavoritesOpening: Hashable, Sendable {
  private final class Flag: Sendable {
    let isBegun: Locked<Bool>

    init(_ isBegun: Bool) { self.isBegun = Locked(isBegun) }
  }

  private let flag: Flag

  init(isBegun: Bool = false) { flag = Flag(isBegun) }

  /// Says that the work begins, and returns whether it was begun before.
  func begin() -> Bool {
    flag.isBegun.withLock { isBegun in
      defer { isBegun = true }
      return isBegun
    }
  }

  static func == (lhs: FavoritesOpening, rhs: FavoritesOpening) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
