/// One part of an effect.
@usableFromInline
enum EffectOperation<Action: Sendable>: Sendable {
  case send(Action, ActionSource)
  case afterReducer(@Sendable (Send<Action>) -> Void)
  case task(EffectTask<Action>)
  case throttle(Throttle<Action>)
  case cancel(EffectID)
}

/// Asynchronous work with its name.
@usableFromInline
struct EffectTask<Action: Sendable>: Sendable {
  @usableFromInline var id: EffectID?
  @usableFromInline var cancelInFlight = false
  @usableFromInline var source: ActionSource
  @usableFromInline var body: @Sendable (Send<Action>) async -> Void

  @inlinable
  init(
    id: EffectID? = nil, cancelInFlight: Bool = false, source: ActionSource,
    body: @escaping @Sendable (Send<Action>) async -> Void
  ) {
    self.id = id
    self.cancelInFlight = cancelInFlight
    self.source = source
    self.body = body
  }
}

extension EffectOperation {
  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .send(let action, let source): return .send(transform(action), source)
    case .afterReducer(let work): return .afterReducer { send in work(send.contramap(transform)) }
    case .task(let task): return .task(task.map(transform))
    case .throttle(let throttle): return .throttle(throttle.map(transform))
    case .cancel(let id): return .cancel(id)
    }
  }

  @inlinable
  func scoped(to element: EffectID) -> EffectOperation {
    switch self {
    case .send, .afterReducer: return self
    case .task(var task):
      task.id = task.id?.scoped(to: element)
      return .task(task)
    case .throttle(var throttle):
      throttle.id = throttle.id.scoped(to: element)
      throttle.effect = throttle.effect.scoped(to: element)
      return .throttle(throttle)
    case .cancel(let id): return .cancel(id.scoped(to: element))
    }
  }
}

extension EffectTask {
  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectTask<Other> {
    let body = self.body
    return EffectTask<Other>(id: id, cancelInFlight: cancelInFlight, source: source) { send in
      await body(send.contramap(transform))
    }
  }
}
