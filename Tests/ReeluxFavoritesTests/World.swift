import ReeluxCore

@testable import ReeluxFavorites

/// A client and a server with everything between them, as one value.
///
/// A test can try each thing that may happen next, one after the other, on a
/// copy: that is how every interleaving is seen. No task, no clock.
struct World: Hashable {
  /// A message on its way.
  enum Message: Hashable {
    /// A request that has not been served.
    case request(FavoritesRequest<Int>)
    /// Its answer, not delivered yet.
    case answer(FavoritesRequest<Int>, FavoritesFailure.Kind?)
    case fetch(number: Int)
    case fetched(OrderedIDs<Int>, number: Int)
    case fetchLost(number: Int)
    /// A pause that will end.
    case pause(Int, number: Int)
    case fetchPause(number: Int)
  }

  /// What the server makes of a request.
  enum Outcome: Hashable, CaseIterable {
    case done, offline, refused, timeoutDone, timeoutUndone, conflict
  }

  var state = FavoritesState<Int>()
  var server: OrderedIDs<Int> = []
  var messages: [Message] = []
  /// The last wish of each item, and whether the client was told that it failed.
  var wishes: [Int: Bool] = [:]
  var policy: FavoritesPolicy { FavoritesPolicy(limit: limit, attempts: attempts) }
  private let limit: Int
  private let attempts: Int

  /// A client that has loaded nothing yet.
  init(server: OrderedIDs<Int> = [], limit: Int = 4, attempts: Int = 2) {
    self.server = server
    self.limit = limit
    self.attempts = attempts
  }

  /// A client that knows what the server holds.
  init(known: OrderedIDs<Int>, limit: Int = 4, attempts: Int = 2) {
    self.init(server: known, limit: limit, attempts: attempts)
    state = FavoritesState(confirmed: known)
    state.load = .loaded
    state.isLoaded = true
  }

  /// Reduces an action, and puts what it asks of the outside on its way.
  mutating func dispatch(_ action: FavoritesAction<Int>) {
    guard let plan = state.plan(for: action, policy: policy) else { return }
    let isAccepted = Reducer<FavoritesAction<Int>, FavoritesState<Int>>.favorites(policy: policy).reduce(action, &state)
    precondition(isAccepted)
    for command in plan.commands {
      switch command {
      case .request(let request): messages.append(.request(request))
      case .pause(let id, let number, _): messages.append(.pause(id, number: number))
      case .fetch(let number): messages.append(.fetch(number: number))
      case .pauseFetch(let number, _): messages.append(.fetchPause(number: number))
      case .endPause(let number):
        messages.removeAll {
          switch $0 {
          case .pause(_, number), .fetchPause(number): true
          default: false
          }
        }
      }
    }
  }

  mutating func wish(_ id: Int) {
    wishes[id] = !state.contains(id)
    dispatch(.toggle(id))
  }

  /// Everything that may happen to the message at this place.
  func futures(of index: Int, outcomes: [Outcome], fetchMayFail: Bool) -> [World] {
    var next = self
    let message = next.messages.remove(at: index)
    switch message {
    case .request(let request): return outcomes.map { next.serving(request, $0) }
    case .answer(let request, nil): next.dispatch(.confirmed(request))
    case .answer(let request, let kind?): next.dispatch(.failed(request, FavoritesFailure(kind, "no")))
    case .fetch(let number):
      var lost = next
      next.messages.append(.fetched(server, number: number))
      lost.messages.append(.fetchLost(number: number))
      return fetchMayFail ? [next, lost] : [next]
    case .fetched(let ids, let number): next.dispatch(.loaded(FavoritesSnapshot(ids), number: number))
    case .fetchLost(let number): next.dispatch(.loadFailed(FavoritesFailure(.offline, "no"), number: number))
    case .pause(let id, let number): next.dispatch(.due(id, number: number))
    case .fetchPause(let number): next.dispatch(.loadDue(number: number))
    }
    return [next]
  }

  private func serving(_ request: FavoritesRequest<Int>, _ outcome: Outcome) -> World {
    var next = self
    let kind: FavoritesFailure.Kind?
    switch outcome {
    case .done, .timeoutDone:
      if request.value { next.server.append(request.id) } else { next.server.remove(request.id) }
      kind = outcome == .done ? nil : .timeout
    case .offline: kind = .offline
    case .refused: kind = .refused
    case .timeoutUndone: kind = .timeout
    case .conflict: kind = .conflict
    }
    next.messages.append(.answer(request, kind))
    return next
  }

  /// What must hold at every moment; the first thing that does not, or `nil`.
  var violation: String? {
    let withServer = messages.compactMap { message -> Int? in
      switch message {
      case .request(let request), .answer(let request, _): request.id
      default: nil
      }
    }
    let queued = state.items.filter(\.value.isQueued).map(\.key)
    if Set(withServer).count != withServer.count { return "two requests for one item: \(withServer)" }
    if withServer.count > limit { return "more requests than the limit" }
    if state.requesting != withServer.count { return "requesting says \(state.requesting), not \(withServer.count)" }
    if Set(queued) != Set(state.queue) { return "queue says \(state.queue), not \(queued)" }
    if !queued.isEmpty, withServer.count < limit { return "an item waits although a place is free" }
    for (id, wish) in wishes where state.failure(of: id) == nil && state.contains(id) != wish {
      return "\(id) does not show the last wish"
    }
    for (id, wish) in wishes where state.failure(of: id) != nil && state.items[id]?.wish != wish {
      return "\(id) says that a wish failed which is not the last one"
    }
    return nil
  }

  /// What must hold when nothing is on its way any more; the first thing that does not, or `nil`.
  var finalViolation: String? {
    if !state.isSettled { return "not settled: \(state.items) \(state.load)" }
    if state.load.failure != nil { return nil }  // The server's favourites could not be learnt.
    if Set(state.ids) != Set(server) { return "the client shows \(state.ids), the server holds \(server)" }
    for (id, wish) in wishes where server.contains(id) != wish && state.failure(of: id) == nil {
      return "\(id) is not what was wished last, and nothing says why"
    }
    return nil
  }
}
