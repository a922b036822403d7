import ReeluxFavorites

/// A server as its contract describes it, written without the feature's code.
///
/// It holds a set, does what a request says, and reports each change to the clients that follow it.
struct ServerModel {
  /// A request as it arrives: the run of the app, and what the API was given.
  struct Call {
    var run: Int
    var request: FavoritesRequest<Int>
  }

  /// How it guards against a request that arrives after the client has given it up.
  enum Guard {
    /// It need not: such a request never arrives.
    case none
    /// It remembers the last run and number that it has done for each item, and does no older one and none twice.
    case numbers
  }

  let safeguard: Guard
  private(set) var held: Set<Int>
  /// The favourites in the order of their addition.
  private(set) var order: [Int]
  private var done: [Int: (run: Int, number: Int)] = [:]
  /// The changes that were not read yet from the stream that is open, if one is.
  var stream: [FavoritesChange<Int>]?

  init(_ ids: [Int], safeguard: Guard) {
    held = Set(ids)
    order = ids
    self.safeguard = safeguard
  }

  /// Does what a request says, unless it is an old one.
  mutating func serve(_ call: Call) {
    let request = call.request
    if safeguard == .numbers {
      if let last = done[request.id], (call.run, request.number) <= (last.run, last.number) { return }
      done[request.id] = (call.run, request.number)
    }
    put(request.id, request.isFavorite)
  }

  /// Makes an item a favourite, or not; also what another client does.
  mutating func put(_ id: Int, _ isFavorite: Bool) {
    if held.contains(id) == isFavorite { return }
    if isFavorite {
      held.insert(id)
      order.append(id)
    } else {
      held.remove(id)
      order.removeAll { $0 == id }
    }
    stream?.append(.set(id, isFavorite: isFavorite))
  }
}
