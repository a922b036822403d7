public import ReeluxCore

/// A middleware that calls the API. The favourites' state lists the work, and the middleware sends the responses as
/// actions.
///
/// Requests, time limits, delays and the stream of changes are feeds. Each runs exactly while the state lists it. At
/// most 64 delays run at once. The next one starts when one of them has passed, and is shorter by the time since the
/// failure. Requests are sent again when a restored
/// state becomes the state of a store, of an element of a collection or of an optional, and when the feature was
/// removed and is installed again. If the state no longer lists some work, for example after ``FavoritesAction/reset``,
/// the middleware sends no response to this work.
///
/// The handle of an intent for one item finishes when the intent is confirmed, has failed or was taken back, and no
/// fetch is running or delayed. The handle of a fetch, of `follow`, `undo` or an intent for several items finishes when
/// no request, delay or fetch of any item is in progress. Cancelling the handle ends only the waiting. The request
/// continues.
public struct FavoritesAPIMiddleware<ID: Hashable & Sendable>: FeedingMiddleware {
  private let api: FavoritesAPI<ID>
  private let policy: FavoritesPolicy
  private let clock: any Clock<Duration>
  private let chance: @Sendable () -> Double
  private let settling = FavoritesSettling<ID>()
  private let delays = FavoritesDelays<ID>()

  /// Connects the favourites to an API.
  ///
  /// - Parameters:
  ///   - api: The server's functions.
  ///   - policy: The time limit and the delays. The reducer uses the other values of a policy.
  ///   - clock: The clock of time limits and delays. Default: the system's clock.
  ///   - chance: Returns random numbers from 0 to 1 for the random part of delays. Default: the system's random
  ///     numbers.
  public init(
    api: FavoritesAPI<ID>, policy: FavoritesPolicy = FavoritesPolicy(),
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.api = api
    self.policy = policy
    self.clock = clock
    self.chance = chance
  }

  /// Returns an effect for the handle of an action. The description of this type says when the handle finishes.
  public func handle(
    action: FavoritesAction<ID>, from source: ActionSource, state: GetState<FavoritesState<ID>>
  ) -> Effect<FavoritesAction<ID>> {
    beginDelays(after: action, state)
    return switch action {
    case .toggle(let id), .set(let id, _), .retry(let id): settling.wait(for: id, state)
    case .load, .setAll, .removeAll, .retryAll, .undo, .follow: settling.wait(for: nil, state)
    case .response(.confirmed(let request, _)), .response(.failed(let request, _)): settling.check(request.id, state)
    // These actions cannot end a wait. After a delay, a request follows.
    case .dismiss, .dismissNotices, .unfollow, .response(.due): .none
    case .reset, .response: settling.checkAll()
    }
  }

  private func beginDelays(after action: FavoritesAction<ID>, _ state: GetState<FavoritesState<ID>>) {
    switch action {
    case .response(.failed(let request, let failure)):
      delays.begin([request], after: failure, in: state(), clock: clock)
    case .response(.expired(let failure, let slot)):
      let state = state()
      let requests = state.bookkeeping.slots.first { $0.number == slot }?.requests ?? []
      delays.begin(requests, after: failure, in: state, clock: clock)
    default: break
    }
  }

  /// Returns a feed for each piece of work that the state lists.
  public func feeds(for state: FavoritesState<ID>) -> [Feed<FavoritesAction<ID>>] {
    state.work.compactMap { feed(for: $0, in: state.bookkeeping.session) }
  }

  private typealias FeedKey = FavoritesSession.FeedKey<FavoritesWork<ID>.Key>

  private func feed(for work: FavoritesWork<ID>, in session: FavoritesSession) -> Feed<FavoritesAction<ID>>? {
    let key = FeedKey(session: session, key: work.key)
    switch work {
    case .request(let slot, let requests, let started):
      return Feed(key: key) { [api] send in
        if started.set() { send(.response(.interrupted(slot: slot))) }
        await api.make(requests.map { $0.sent(in: session) }, slot: slot) { send(.response($0)) }
      }
    case .requestLimit(let slot, let requests):
      return limit(key) { requests.count == 1 ? .failed(requests[0], $0) : .expired($0, slot: slot) }
    case .delay(let id, let number, let attempt, let after):
      return delay(key, before: attempt, after) { [delays] in
        delays.take(number: number, attempt: attempt, of: session)
      } response: {
        .due(id, number: number, attempt: attempt)
      }
    case .fetch(let number, let isAgain):
      return Feed(key: key) { [api] send in
        if isAgain { send(.response(.fetchInterrupted(number: number))) }
        do {
          send(.response(.loaded(try await api.fetch(), number: number)))
        } catch {
          send(.response(.loadFailed(FavoritesFailure(error), number: number)))
        }
      }
    case .fetchLimit(let number):
      return limit(key) { .loadFailed($0, number: number) }
    case .fetchDelay(let number, let attempt, let after):
      return delay(key, before: attempt, after) { .loadDue(number: number) }
    case .follow(let number, let isAgain):
      guard let changes = api.changes else { return Feed(key: key) { send in send(.unfollow) } }
      return Feed(key: key) { send in
        if isAgain { send(.response(.followingInterrupted(number: number))) }
        do {
          for try await change in changes() { send(.response(.pushed(change, number: number))) }
          send(.response(.followingEnded(nil, number: number)))
        } catch {
          send(.response(.followingEnded(FavoritesFailure(error), number: number)))
        }
      }
    case .followDelay(let number, let attempt, let after):
      return delay(key, before: attempt, after) { .followingDue(number: number) }
    case .settled:
      return Feed(key: key) { [settling] _ in settling.recheckAll() }
    }
  }

  private func limit(
    _ key: FeedKey, _ response: @escaping @Sendable (FavoritesFailure) -> FavoritesAction<ID>.Response
  ) -> Feed<FavoritesAction<ID>>? {
    guard let limit = policy.timeLimit else { return nil }
    return Feed(key: key) { [clock] send in
      guard await clock.delay(for: limit) else { return }
      send(.response(response(FavoritesFailure(.timeout, "there was no response within \(limit)"))))
    }
  }

  private func delay(
    _ key: FeedKey, before attempt: Int, _ after: Duration?,
    elapsed: @escaping @Sendable () -> Duration = { .zero },
    response: @escaping @Sendable () -> FavoritesAction<ID>.Response
  ) -> Feed<FavoritesAction<ID>> {
    Feed(key: key) { [clock, policy, chance] send in
      let delay = after ?? policy.delay(before: attempt, chance: chance())
      guard await clock.delay(for: max(.zero, delay - elapsed())) else { return }
      send(.response(response()))
    }
  }
}

extension FavoritesAPI {
  /// Sends requests as one if the API supports it, and otherwise one after the other. Reports the result of each.
  fileprivate func make(
    _ requests: [FavoritesRequest<ID>], slot: Int, report: @Sendable (FavoritesAction<ID>.Response) -> Void
  ) async {
    if requests.count > 1, let setSeveral {
      do {
        let failures = try await setSeveral(requests)
        for request in requests { report(answer(to: request, failures[request.id])) }
      } catch {
        report(.expired(FavoritesFailure(error), slot: slot))
      }
      return
    }
    for request in requests {
      // After a time limit or a reset, no further request may reach the server.
      if Task.isCancelled { return }
      do {
        try await set(request)
        report(answer(to: request, nil))
      } catch {
        report(.failed(request, FavoritesFailure(error)))
      }
    }
  }

  private func answer(to request: FavoritesRequest<ID>, _ failure: FavoritesFailure?) -> FavoritesAction<ID>.Response {
    if let failure { return .failed(request, failure) }
    return .confirmed(request, date: request.isFavorite ? date() : nil)
  }
}
