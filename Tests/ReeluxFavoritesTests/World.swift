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
    /// A delay that will pass.
    case delay(Int, number: Int, attempt: Int)
    case fetchDelay(number: Int)
  }

  /// What the server makes of a request.
  enum Outcome: Hashable, CaseIterable {
    case done, offline, refused, timeoutDone, timeoutUndone, conflict
  }

  var state = FavoritesState<Int>()
  var server: OrderedIDs<Int> = []
  var messages: [Message] = []
  /// The last intent of each item.
  var intents: [Int: Bool] = [:]
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
    state.bookkeeping.isCurrent = true
  }

  /// Reduces an action, and puts what the state wants of the outside from now on on its way.
  mutating func dispatch(_ action: FavoritesAction<Int>) {
    let before = Set(state.work.map(\.key))
    let wasAccepted = state
    if !Reducer<FavoritesAction<Int>, FavoritesState<Int>>.favorites(policy: policy).reduce(action, &state) {
      precondition(state == wasAccepted)
    }
    let work = state.work
    let keys = Set(work.map(\.key))
    messages.removeAll {
      switch $0 {
      case .delay(_, let number, let attempt): !keys.contains(.delay(number: number, attempt: attempt))
      case .fetchDelay(let number): !keys.contains(.fetchDelay(number: number))
      default: false
      }
    }
    for work in work where !before.contains(work.key) {
      switch work {
      case .request(_, let requests, _): messages += requests.map(Message.request)
      case .delay(let id, let number, let attempt, _):
        messages.append(.delay(id, number: number, attempt: attempt))
      case .fetch(let number, _): messages.append(.fetch(number: number))
      case .fetchDelay(let number, _, _): messages.append(.fetchDelay(number: number))
      case .requestLimit, .fetchLimit, .follow, .followDelay, .settled: break
      }
    }
  }

  mutating func toggle(_ id: Int) {
    intents[id] = !state.contains(id)
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
    case .delay(let id, let number, let attempt): next.dispatch(.due(id, number: number, attempt: attempt))
    case .fetchDelay(let number): next.dispatch(.loadDue(number: number))
    }
    return [next]
  }

  private func serving(_ request: FavoritesRequest<Int>, _ outcome: Outcome) -> World {
    var next = self
    let kind: FavoritesFailure.Kind?
    switch outcome {
    case .done, .timeoutDone:
      if request.isFavorite { next.server.append(request.id) } else { next.server.remove(request.id) }
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
    if Set(withServer).count != withServer.count { return "two requests for one item: \(withServer)" }
    if withServer.count > limit { return "more requests than the limit" }
    if state.bookkeeping.places.count != withServer.count { return "the places are not those of the requests" }
    if let contradiction = state.contradiction { return contradiction }
    if !state.bookkeeping.queue.isEmpty, withServer.count < limit { return "an item waits although a place is free" }
    for (id, intent) in intents where state.failure(of: id) == nil && state.contains(id) != intent {
      return "\(id) does not show the last intent"
    }
    for (id, intent) in intents where state.failure(of: id) != nil && state.items[id]?.intent != intent {
      return "\(id) says that an intent failed which is not the last one"
    }
    return nil
  }

  /// What must hold when nothing is on its way any more; the first thing that does not, or `nil`.
  var finalViolation: String? {
    if !state.isSettled { return "not settled: \(state.items) \(state.load)" }
    if state.load.failure != nil { return nil }  // The server's favourites could not be learnt.
    if Set(state.ids) != Set(server) { return "the client shows \(state.ids), the server holds \(server)" }
    for (id, intent) in intents where server.contains(id) != intent && state.failure(of: id) == nil {
      return "\(id) is not what was wanted last, and nothing says why"
    }
    return nil
  }
}
