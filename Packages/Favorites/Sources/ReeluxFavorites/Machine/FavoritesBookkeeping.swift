import ReeluxCore

/// Bookkeeping of the feature: queues, request slots, and the last used numbers.
struct FavoritesBookkeeping<ID: Hashable & Sendable>: Hashable, Sendable {
  /// One request slot, with the requests that have no response yet.
  struct Slot: Hashable, Sendable {
    /// The number of the slot. Each slot has a different one.
    var number: Int
    /// The requests without a response so far.
    var requests: [FavoritesRequest<ID>]
    /// Whether the requests were started.
    var started = StartFlag()
  }

  /// The undo step of one change: these ids get this value again.
  struct Undo: Hashable, Sendable {
    var ids: [ID]
    var isFavorite: Bool
  }

  /// The items that wait for a request slot. The first has waited longest.
  var queue = OrderedIDs<ID>()

  /// The items that wait for the end of a delay, in the order of their failures.
  var waiting = OrderedIDs<ID>()

  /// The running requests, the oldest first.
  var slots: [Slot] = []

  /// The last used number of a slot.
  var lastSlot = 0

  /// The last used number of a request, a fetch or an intent.
  var lastNumber = 0

  /// The items whose change the server confirmed or reported during the running fetch. The fetch may have missed these
  /// changes.
  var newerThanFetch = OrderedIDs<ID>()

  /// Whether the confirmed values are those of the server, as far as this client can know.
  ///
  /// This holds after a fetch. It does not hold while changes are followed, because a reported change may be older than
  /// a response.
  var isCurrent = false

  /// The changes that can be undone, in their order.
  var undoable: [Undo] = []

  /// The session of the state's requests.
  var session = FavoritesSession()

  /// The next number for a request, a fetch or an intent. The last number of a decoded state is at most half of the
  /// largest integer, so the addition does not wrap in practice.
  mutating func nextNumber() -> Int {
    lastNumber &+= 1
    return lastNumber
  }

  /// Records that the running fetch may have missed a change of this item.
  mutating func noteNewerThanFetch(_ id: ID) {
    newerThanFetch.remove(id)
    newerThanFetch.append(id)
  }

  /// Removes an item from the queue, the delays or its slot, for the phase that it leaves.
  mutating func leave(_ phase: FavoritesItem.Phase, _ id: ID) {
    switch phase {
    case .queued: queue.remove(id)
    case .waiting: waiting.remove(id)
    case .requesting(_, let number):
      guard let index = slots.firstIndex(where: { $0.number == number }) else { return }
      // Responses usually arrive in the order of the requests, so the first request is usually the one.
      guard let place = slots[index].requests.firstIndex(where: { $0.id == id }) else { return }
      slots[index].requests.remove(at: place)
      if slots[index].requests.isEmpty { slots.remove(at: index) }
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

extension FavoritesBookkeeping {
  enum CodingKeys: String, CodingKey {
    case queue, waiting, lastSlot, lastNumber, newerThanFetch, isCurrent, undoable
    case slots = "running"
  }
}

extension FavoritesBookkeeping: CustomStringConvertible, CustomReflectable {
  /// The last number, and the number of items in each list: `last number 3, 1 requesting, 1 change to undo`.
  var description: String {
    let counts = [
      (slots.reduce(0) { $0 + $1.requests.count }, "requesting"), (queue.count, "queued"), (waiting.count, "waiting"),
      (newerThanFetch.count, "newer than the fetch"),
      (undoable.count, undoable.count == 1 ? "change to undo" : "changes to undo"),
    ]
    let parts = ["last number \(lastNumber)"] + counts.filter { $0.0 > 0 }.map { "\($0) \($1)" }
    return parts.joined(separator: ", ") + (isCurrent ? "" : ", not fetched")
  }

  /// No parts, so the description is shown.
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension FavoritesBookkeeping: Encodable where ID: Encodable {}
extension FavoritesBookkeeping: Decodable where ID: Decodable {}

extension FavoritesBookkeeping.Slot {
  enum CodingKeys: CodingKey { case number, requests }
}

extension FavoritesBookkeeping.Slot: Encodable where ID: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(number, forKey: .number)
    try container.encode(WrittenRequest.list(requests), forKey: .requests)
  }
}

/// An encoded request of a slot. It consists of whole words, for the reason that `WrittenItems` states.
struct WrittenRequest<ID: Hashable & Sendable>: Sendable {
  private var id: ID
  private var isFavorite: Int
  private var attempt: Int
  private var number: Int

  /// A recording calls it for most responses. For ids that are texts, the module contains specialised code.
  @_specialize(where ID == String)
  static func list(_ requests: [FavoritesRequest<ID>]) -> [WrittenRequest] {
    requests.map {
      WrittenRequest(id: $0.id, isFavorite: $0.isFavorite ? 1 : 0, attempt: $0.attempt, number: $0.number)
    }
  }
}

extension WrittenRequest: Encodable where ID: Encodable {
  func encode(to encoder: any Encoder) throws {
    try FavoritesRequest(id: id, isFavorite: isFavorite != 0, attempt: attempt, number: number).encode(to: encoder)
  }
}

extension FavoritesBookkeeping.Slot: Decodable where ID: Decodable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    number = try container.decode(Int.self, forKey: .number)
    requests = try container.decode([FavoritesRequest<ID>].self, forKey: .requests)
    // Another run of the app, or another store, started these requests.
    started = StartFlag(isSet: true)
  }
}

extension FavoritesBookkeeping.Undo: Encodable where ID: Encodable {}
extension FavoritesBookkeeping.Undo: Decodable where ID: Decodable {}

/// Whether a piece of work was started. The copies of a state share the flag.
///
/// Only this flag and the ``FavoritesSession`` are shared. The flag shows that a state was removed and added again. The
/// requests of this state were started before, and the server may have applied them. The flag has no influence on the
/// reducer, is equal to any other value of this type, and is neither encoded nor displayed.
struct StartFlag: Hashable, Sendable {
  private final class Flag: Sendable {
    let isSet: Locked<Bool>

    init(_ isSet: Bool) { self.isSet = Locked(isSet) }
  }

  private let flag: Flag

  init(isSet: Bool = false) { flag = Flag(isSet) }

  /// Sets the flag. Returns whether it was set before.
  func set() -> Bool {
    flag.isSet.withLock { isSet in
      defer { isSet = true }
      return isSet
    }
  }

  static func == (lhs: StartFlag, rhs: StartFlag) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
