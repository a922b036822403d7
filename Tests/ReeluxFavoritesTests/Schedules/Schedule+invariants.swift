import ReeluxCore

@testable import ReeluxFavorites

/// The conditions after each step and at the end.
extension Schedule {
  mutating func check() {
    if violation == nil { violation = present }
  }

  var present: String? {
    let slots = state.bookkeeping.slots
    let asked = slots.flatMap { $0.requests.map(\.id) }
    for id in 0..<Self.items where state.isPending(id) {
      if let intent = intents[id], state.contains(id) != intent { return "\(id) does not show the last intent" }
    }
    for (index, id) in asked.enumerated() where asked[..<index].contains(id) { return "an item is in two requests" }
    if slots.count > policy.limit { return "more requests than the limit" }
    if slots.contains(where: { $0.requests.count > policy.batch }) { return "more items than the batch" }
    if !state.bookkeeping.queue.isEmpty, slots.count < policy.limit { return "an item waits although a slot is free" }
    if !state.isSettled, work.isEmpty { return "something waits for nothing" }
    if let contradiction = state.contradiction { return contradiction }
    // If the last fetch failed, it may be the one that would have included an unknown change. The state has its
    // failure.
    let isFetched = !state.load.isUnderWay && (unknown.isEmpty || state.load.failure == nil)
    if knowsServer, server.stream?.isEmpty != false, isFetched,
      !hasOthers || server.safeguard == .none
    {
      for id in 0..<Self.items where state.isSettled(id) && state.contains(id) != server.held.contains(id) {
        return "\(id) is at rest and not what the server holds"
      }
    }
    return nil
  }

  /// Lets everything respond, and then fetches the favourites once more.
  mutating func finish() {
    for round in 0..<2 where violation == nil {
      if round == 1 {
        dispatch(.unfollow)
        for call in strays { arrive(call) }
        strays = []
        dispatch(.load)
      }
      var steps = 0
      while violation == nil {
        steps += 1
        if steps > 1_000 {
          violation = "it does not come to an end"
        } else if let flight = flights.popLast() {
          deliver(flight, reliable: true)
        } else if let delay = work.first(where: Self.isDelay) {
          pass(delay)
        } else if case .open? = Optional(state.following), server.stream?.isEmpty == false {
          readStream(mayBreak: false)
        } else {
          break
        }
      }
    }
    if violation == nil { violation = final }
  }

  static func isDelay(_ work: FavoritesWork<Int>) -> Bool {
    switch work {
    case .delay, .fetchDelay, .followDelay: true
    default: false
    }
  }

  var final: String? {
    if !state.isSettled { return "something is still under way" }
    if Set(state.ids) != server.held { return "the client shows \(state.ids), the server holds \(server.order)" }
    for (id, intent) in intents
    where server.held.contains(id) != intent && state.failure(of: id) == nil && !excused.contains(id) {
      return "\(id) is not what was wanted last, and nothing says why"
    }
    return nil
  }
}
