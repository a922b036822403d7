import ReeluxFavorites

/// A server according to its contract, written without the feature's code.
///
/// It has a set, applies requests, and reports each change to the clients that follow it.
struct ServerModel {
  /// A request when it arrives: the run of the app, and the arguments of the API.
  struct Call {
    var run: Int
    var request: FavoritesRequest<Int>
  }

  /// A guard against requests that arrive after their time limit.
  enum Guard {
    /// No guard, because such a request never arrives.
    case none
    /// The server remembers the last run and number for each item. It applies no older request, and none twice.
    case numbers
  }

  let safeguard: Guard
  private(set) var held: Set<Int>
  /// The favourites in the order of their addition.
  private(set) var order: [Int]
  private var done: [Int: (run: Int, number: Int)] = [:]
  /// The unread changes of the open stream, if there is one.
  var stream: [FavoritesChange<Int>]?

  init(_ ids: [Int], safeguard: Guard) {
    held = Set(ids)
    order = ids
    self.safeguard = safeguard
  }

  /// Applies a request unless it is an old one.
  mutating func serve(_ call: Call) {
    let request = call.request
    if safeguard == .numbers {
      if let last = done[request.id], (call.run, request.number) <= (last.run, last.number) { return }
      done[request.id] = (call.run, request.number)
    }
    put(request.id, request.isFavorite)
  }

  /// Makes an item a favourite or not. Another client's change uses this too.
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
