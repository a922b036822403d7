/// One part of an effect.
@usableFromInline
enum EffectOperation<Action: Sendable>: Sendable {
  case send(Action, ActionSource)
  case afterReducer(@Sendable (Send<Action>) -> Void)
  case task(EffectTask<Action>)
  /// Boxed, so that the other cases stay small: operations are copied.
  indirect case throttle(Throttle<Action>)
  case cancel(EffectID)
}

/// Asynchronous work with its name.
@usableFromInline
struct EffectTask<Action: Sendable>: Sendable {
  /// What it is known by, and whether it cancels what is known by the same name.
  @usableFromInline
  final class Name: Sendable {
    @usableFromInline let id: EffectID
    @usableFromInline let cancelInFlight: Bool

    @inlinable
    init(id: EffectID, cancelInFlight: Bool) {
      self.id = id
      self.cancelInFlight = cancelInFlight
    }
  }

  /// Boxed, so that an effect without a name, which is the usual one, stays small.
  @usableFromInline var name: Name?
  @usableFromInline let source: ActionSource
  @usableFromInline var body: @Sendable (Send<Action>) async -> Void

  @inlinable
  init(source: ActionSource, body: @escaping @Sendable (Send<Action>) async -> Void) {
    self.source = source
    self.body = body
  }

  @inlinable
  mutating func rename(_ id: EffectID, cancelInFlight: Bool) {
    name = Name(id: id, cancelInFlight: cancelInFlight)
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
      if let name = task.name { task.rename(name.id.scoped(to: element), cancelInFlight: name.cancelInFlight) }
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
    var task = EffectTask<Other>(source: source) { send in await body(send.contramap(transform)) }
    if let name { task.rename(name.id, cancelInFlight: name.cancelInFlight) }
    return task
  }
}
