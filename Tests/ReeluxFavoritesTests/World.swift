import ReeluxCore

@testable import ReeluxFavorites

/// A client, a server and all messages between them, as one value.
///
/// A test can try each possible next event on a copy, and therefore explores every interleaving. There is no task and
/// no clock.
struct World: Hashable {
  /// A message between client and server.
  enum Message: Hashable {
    /// A request that has not been processed.
    case request(FavoritesRequest<Int>)
    /// The response to a request, not delivered yet.
    case answer(FavoritesRequest<Int>, FavoritesFailure.Kind?)
    case fetch(number: Int)
    case fetched(OrderedIDs<Int>, number: Int)
    case fetchLost(number: Int)
    /// A delay that will pass.
    case delay(Int, number: Int, attempt: Int)
    case fetchDelay(number: Int)
  }

  /// The server's processing of a request.
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

  /// Creates a client that has loaded nothing.
  init(server: OrderedIDs<Int> = [], limit: Int = 4, attempts: Int = 2) {
    self.server = server
    self.limit = limit
    self.attempts = attempts
  }

  /// Creates a client that knows the server's favourites.
  init(known: OrderedIDs<Int>, limit: Int = 4, attempts: Int = 2) {
    self.init(server: known, limit: limit, attempts: attempts)
    state = FavoritesState(confirmed: known)
    state.load = .loaded
    state.isLoaded = true
    state.bookkeeping.isCurrent = true
  }

  /// Reduces an action, and sends the requests that the state now lists.
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

  /// Returns every world that can follow from the message at this index.
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

  /// The first condition that does not hold, or `nil`. These conditions must hold at any time.
  var violation: String? {
    let withServer = messages.compactMap { message -> Int? in
      switch message {
      case .request(let request), .answer(let request, _): request.id
      default: nil
      }
    }
    if Set(withServer).count != withServer.count { return "two requests for one item: \(withServer)" }
    if withServer.count > limit { return "more requests than the limit" }
    if state.bookkeeping.slots.count != withServer.count { return "the slots are not those of the requests" }
    if let contradiction = state.contradiction { return contradiction }
    if !state.bookkeeping.queue.isEmpty, withServer.count < limit { return "an item waits although a slot is free" }
    for (id, intent) in intents where state.failure(of: id) == nil && state.contains(id) != intent {
      return "\(id) does not show the last intent"
    }
    for (id, intent) in intents where state.failure(of: id) != nil && state.items[id]?.intent != intent {
      return "\(id) says that an intent failed which is not the last one"
    }
    return nil
  }

  /// The first condition that does not hold, or `nil`. These conditions must hold when no message is left.
  var finalViolation: String? {
    if !state.isSettled { return "not settled: \(state.items) \(state.load)" }
    if state.load.failure != nil { return nil }  // The server's favourites could not be fetched.
    if Set(state.ids) != Set(server) { return "the client shows \(state.ids), the server holds \(server)" }
    for (id, intent) in intents where server.contains(id) != intent && state.failure(of: id) == nil {
      return "\(id) is not what was wanted last, and nothing says why"
    }
    return nil
  }
}
