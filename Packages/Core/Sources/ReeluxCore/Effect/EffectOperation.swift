/// One part of an effect, or several.
///
/// Operations are copied on their way to the store. So whatever depends on the
/// type of the action is boxed: copying one is counting a reference or two.
@usableFromInline
enum EffectOperation<Action: Sendable>: Sendable {
  case send(FollowUp<Action>)
  case afterReducer(@Sendable (Send<Action>) -> Void)
  case task(EffectTask<Action>)
  indirect case throttle(Throttle<Action>)
  indirect case cancel(EffectID)
  /// At least two, none of them of this case.
  case several([EffectOperation<Action>])
}

/// An action that follows.
@usableFromInline
final class FollowUp<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let source: ActionSource

  @inlinable
  init(_ action: Action, from source: ActionSource) {
    self.action = action
    self.source = source
  }
}

extension EffectOperation {
  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .send(let followUp): .send(FollowUp(transform(followUp.action), from: followUp.source))
    case .afterReducer(let work): .afterReducer { send in work(send.mapped(by: transform)) }
    case .task(let task): .task(task.map(transform))
    case .throttle(let throttle): .throttle(throttle.map(transform))
    case .cancel(let id): .cancel(id)
    case .several(let operations): .several(operations.map { $0.map(transform) })
    }
  }

  @inlinable
  func mapTasks(_ change: (inout EffectTask<Action>) -> Void) -> EffectOperation {
    switch self {
    case .task(var task):
      change(&task)
      return .task(task)
    case .throttle(var throttle):
      throttle.effect = throttle.effect.mapTasks(change)
      return .throttle(throttle)
    case .several(let operations): return .several(operations.map { $0.mapTasks(change) })
    case .send, .afterReducer, .cancel: return self
    }
  }

  @inlinable
  func scoped(to element: EffectID) -> EffectOperation {
    switch self {
    case .send, .afterReducer: return self
    case .task(var task):
      task.traits.scope(to: element)
      return .task(task)
    case .throttle(var throttle):
      throttle.id = throttle.id.scoped(to: element)
      throttle.effect = throttle.effect.scoped(to: element)
      return .throttle(throttle)
    case .cancel(let id): return .cancel(id.scoped(to: element))
    case .several(let operations): return .several(operations.map { $0.scoped(to: element) })
    }
  }
}
