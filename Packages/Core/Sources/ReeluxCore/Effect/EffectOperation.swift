/// One part of an effect, or several.
///
/// Operations are copied on their way to the store. Everything that depends on the type of the action is boxed, so a
/// copy costs one or two reference counts.
@usableFromInline
enum EffectOperation<Action: Sendable>: Sendable {
  case send(FollowUp<Action>)
  case afterReducer(@Sendable (Send<Action>) -> Void)
  case task(EffectTask<Action>)
  indirect case throttle(Throttle<Action>)
  indirect case cancel(EffectID)
  indirect case cancelAll(PartSelection)
  indirect case write(FeedMessage<Action>)
  /// An operation of a part of the state. It ends with the part.
  indirect case part(PartPlace, EffectOperation)
  /// An operation that has the ids of the parts around it but does not end with them.
  indirect case detached(EffectOperation)
  /// At least two operations. None of them is of this case.
  case several([EffectOperation<Action>])
}

/// A follow-up action.
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
  /// Translates the actions. The usual cases are specialised for the types of an app, the others are not.
  @inlinable
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .task(let task): .task(task.map(transform))
    case .send(let followUp): .send(FollowUp(transform(followUp.action), from: followUp.source))
    default: mapUnusual(transform)
    }
  }

  @usableFromInline
  func mapUnusual<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .task, .send: map(transform)
    case .afterReducer(let work): .afterReducer { send in work(send.mapped(by: transform)) }
    case .throttle(let throttle): .throttle(throttle.map(transform))
    case .cancel(let id): .cancel(id)
    case .cancelAll(let selection): .cancelAll(selection)
    case .write(let message):
      .write(
        FeedMessage(
          value: message.value, key: message.key,
          refused: message.refused.map { FollowUp(transform($0.action), from: $0.source) }))
    case .part(let place, let operation): .part(place, operation.map(transform))
    case .detached(let operation): .detached(operation.map(transform))
    case .several(let operations): .several(operations.map { $0.map(transform) })
    }
  }

  /// Returns the same operation with another id for its tasks or for the interval of a throttle.
  @usableFromInline
  func named(_ name: EffectName) -> EffectOperation {
    switch self {
    case .task(var task):
      task.traits.add(name)
      return .task(task)
    case .throttle(var throttle):
      throttle.names.append(name)
      throttle.effect = Effect(throttle.effect.operation?.named(name))
      return .throttle(throttle)
    case .part(let place, let operation): return .part(place, operation.named(name))
    case .detached(let operation): return .detached(operation.named(name))
    case .several(let operations): return .several(operations.map { $0.named(name) })
    case .send, .afterReducer, .cancel, .cancelAll, .write: return self
    }
  }
}
