public import ReeluxCore

/// Makes the requests that the favourites' actions lead to, and sends the answers as actions.
///
/// One request at a time for an item, requests for different items side by
/// side up to the policy's limit, pauses that grow from attempt to attempt. All
/// of that is decided by the state; this middleware only carries it out. It
/// keeps nothing itself.
///
/// A request that is with the server is never cancelled by a wish: nobody
/// would know what became of it. It ends with its answer, or with the store.
public struct FavoritesAPIMiddleware<ID: Hashable & Sendable>: MiddlewareProtocol {
  @usableFromInline let api: FavoritesAPI<ID>
  @usableFromInline let policy: FavoritesPolicy
  @usableFromInline let clock: any Clock<Duration>
  @usableFromInline let chance: @Sendable () -> Double

  /// Connects the favourites to an API.
  ///
  /// - Parameters:
  ///   - api: The outside.
  ///   - policy: The same policy that the reducer has.
  ///   - clock: The clock that pauses are slept on; default the system's.
  ///   - chance: Gives numbers from 0 to 1 for the part of a pause that is left to chance.
  @inlinable
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

  /// The requests, pauses and fetches that an action leads to.
  @inlinable
  public func handle(
    action: FavoritesAction<ID>, from source: ActionSource, state: GetState<FavoritesState<ID>>
  ) -> Effect<FavoritesAction<ID>> {
    let state = state()
    if case .retryAll = action { return .send(state.retriable.map(FavoritesAction.retry)) }
    guard let plan = state.plan(for: action, policy: policy) else { return .none }
    return plan.commands.reduce(.none) { $0 <> effect(of: $1) }
  }

  @usableFromInline
  func effect(of command: FavoritesPlan<ID>.Command) -> Effect<FavoritesAction<ID>> {
    switch command {
    case .request(let request): make(request)
    case .fetch(let number): fetch(number)
    case .pause(let id, let number, let attempt): pause(number, before: attempt, then: .due(id, number: number))
    case .pauseFetch(let number, let attempt): pause(number, before: attempt, then: .loadDue(number: number))
    case .endPause(let number): .cancel(id: Pause(number: number))
    }
  }

  private func make(_ request: FavoritesRequest<ID>) -> Effect<FavoritesAction<ID>> {
    .task { [api] in
      do {
        try await api.set(request.id, request.value)
        return .confirmed(request)
      } catch {
        return .failed(request, FavoritesFailure(error))
      }
    }
  }

  private func fetch(_ number: Int) -> Effect<FavoritesAction<ID>> {
    .task { [api] in
      do {
        return .loaded(try await api.fetch(), number: number)
      } catch {
        return .loadFailed(FavoritesFailure(error), number: number)
      }
    }
  }

  private func pause(
    _ number: Int, before attempt: Int, then action: FavoritesAction<ID>
  ) -> Effect<FavoritesAction<ID>> {
    let duration = policy.pause(before: attempt, chance: chance())
    return Effect.task { [clock] in
      do { try await clock.sleep(for: duration) } catch { return nil }
      return action
    }.cancellable(id: Pause(number: number))
  }

  /// The name of a pause, by which it is ended early.
  private struct Pause: Hashable {
    var number: Int
  }
}
