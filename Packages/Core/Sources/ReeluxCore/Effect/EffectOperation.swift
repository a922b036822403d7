/// One part of an effect, or several.
///
/// Operations are copied on their way to the store. Everything that depends on the type of the action is boxed, so a
/// copy costs one or two reference counts.
@usableFromInline enum EffectOperation<Action: Sendable>: Sendable {
  case send(FollowUp<Action>)
  case afterReducer(@Sendable (Send<Action>) -> Void)
  case task(EffectTask<Action>)
  indirect case throttle(Throttle<Action>)
  indirect case cancel(EffectID)
  indirect case cancelAll(PartSelection)
  indirect case write(FeedMessage<Action>)
  /// An operation with a further id for its tasks, and for an effect that waits at its throttle.
  indirect case cancellable(CancellableID, EffectOperation)
  /// An operation with a further delay for its follow-up actions, its tasks and its throttles.
  indirect case delayed(EffectDelay, EffectOperation)
  /// An operation of a part of the state. It ends with the part.
  indirect case part(PartReference, EffectOperation)
  /// An operation that has the ids of the parts around it but does not end with them.
  indirect case detached(EffectOperation)
  /// Several operations. None of them is of this case.
  case several([EffectOperation<Action>])
}

/// A follow-up action.
@usableFromInline final class FollowUp<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let source: ActionSource

  @inlinable init(_ action: Action, from source: ActionSource) {
    self.action = action
    self.source = source
  }

  @inlinable func map<Other: Sendable>(_ transform: (Action) -> Other) -> FollowUp<Other> {
    FollowUp<Other>(transform(action), from: source)
  }
}

extension EffectOperation {
  /// Translates the actions. The usual cases are specialised for the types of an app, the others are not.
  @inlinable func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .task(let task): .task(task.map(transform))
    case .send(let followUp): .send(followUp.map(transform))
    default: mapUnusual(transform)
    }
  }

  @usableFromInline
  func mapUnusual<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .task, .send: map(transform)
    case .afterReducer(let work): .afterReducer { send in work(send.contramap(transform)) }
    case .throttle(let throttle): .throttle(throttle.map(transform))
    case .cancel(let id): .cancel(id)
    case .cancelAll(let selection): .cancelAll(selection)
    case .write(let message):
      .write(
        FeedMessage(value: message.value, key: message.key, refused: message.refused.map { $0.map(transform) }))
    case .cancellable(let id, let operation): .cancellable(id, operation.map(transform))
    case .delayed(let delay, let operation): .delayed(delay, operation.map(transform))
    case .part(let part, let operation): .part(part, operation.map(transform))
    case .detached(let operation): .detached(operation.map(transform))
    case .several(let operations): .several(operations.map { $0.map(transform) })
    }
  }
}

/// Asynchronous work before it is started.
@usableFromInline struct EffectTask<Action: Sendable>: Sendable {
  @usableFromInline enum Body: Sendable {
    /// Work that returns one action, or none.
    case answer(@Sendable () async -> Action?)
    /// Work that sends any number of actions.
    case sending(@Sendable (Send<Action>) async -> Void)
  }

  @usableFromInline let body: Body
  /// The place that created the effect.
  @usableFromInline let source: ActionSource

  @inlinable init(source: ActionSource, _ body: Body) {
    self.body = body
    self.source = source
  }

  @inlinable func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectTask<Other> {
    let mapped: EffectTask<Other>.Body =
      switch body {
      case .answer(let answer): .answer { await answer().map(transform) }
      case .sending(let body): .sending { send in await body(send.contramap(transform)) }
      }
    return EffectTask<Other>(source: source, mapped)
  }

  /// The work of a started effect, after its delay if it has one. Its last step ends the effect.
  @inlinable func work(after delay: EffectDelay?, _ deliver: @escaping Send<Action>.Deliver) -> EffectRun.Work {
    let work: EffectRun.Work
    switch body {
    case .answer(let answer):
      let source = self.source
      work = { run in
        if !run.isCancelled, let action = await answer() {
          deliver(action, source, .last(run))
        } else {
          run.table.end(run)
        }
      }
    case .sending(let body):
      work = { run in
        if !run.isCancelled { await body(Send(origin: .run(run), deliver: deliver)) }
        run.table.end(run)
      }
    }
    guard let delay else { return work }
    return { run in
      if await delay.wait() { await work(run) } else { run.table.end(run) }
    }
  }
}

/// An id with which an effect can be cancelled.
@usableFromInline struct CancellableID: Hashable, Sendable {
  @usableFromInline let value: EffectID
  /// Whether starting the effect cancels running effects with the same id.
  @usableFromInline let cancelsInFlight: Bool
}

/// A delay of an effect.
@usableFromInline struct EffectDelay: Sendable {
  /// The place that requested the delay.
  let source: ActionSource
  /// Waits for the delay. Returns false if the task was cancelled.
  @usableFromInline let wait: @Sendable () async -> Bool
}
