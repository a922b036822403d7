/// One member of an effect, or several.
///
/// Operations are copied on their way to the store. Everything that depends on the type of the action is boxed, so a
/// copy retains one or two objects.
@usableFromInline enum EffectOperation<Action: Sendable>: Sendable {
  /// A follow-up action.
  indirect case send(Action, ActionSource)
  case task(EffectTask<Action>)
  case afterReducer(@Sendable (Send<Action>, EffectContext) -> Void)
  indirect case throttle(Throttle, EffectOperation)
  indirect case cancel(EffectID)
  /// Cancels what runs in a part of the state. The path begins at the state of the middleware.
  indirect case cancelAll(any AnyKeyPath & Sendable, element: EffectID?)
  indirect case part(PartReference, EffectOperation)
  /// An operation with a further id or delay, or a detached one. The closure changes its context.
  indirect case inContext(EffectOperation, @Sendable (inout EffectContext) -> Void)
  /// Several operations. None of them is of this case.
  case several([EffectOperation<Action>])
}

extension EffectOperation {
  /// Translates the actions. The usual cases are specialised for the types of an app, the others are not.
  @inlinable func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .task(let task): .task(task.map(transform))
    case .send(let action, let source): .send(transform(action), source)
    default: mapUnusual(transform)
    }
  }

  @usableFromInline
  func mapUnusual<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectOperation<Other> {
    switch self {
    case .task, .send: map(transform)
    case .afterReducer(let work): .afterReducer { send, context in work(send.contramap(transform), context) }
    case .throttle(let throttle, let operation): .throttle(throttle, operation.map(transform))
    case .cancel(let id): .cancel(id)
    case .cancelAll(let path, let element): .cancelAll(path, element: element)
    case .part(let part, let operation): .part(part, operation.map(transform))
    case .inContext(let operation, let change): .inContext(operation.map(transform), change)
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

  /// The work of a started effect, after its delays. Its last step ends the effect.
  @inlinable func work(after delays: [EffectDelay], _ deliver: @escaping Send<Action>.Deliver) -> EffectRun.Work {
    let work: EffectRun.Work
    switch body {
    case .answer(let answer):
      let source = self.source
      work = { run in
        if let action = await answer() {
          deliver(action, source, .last(run))
        } else {
          run.table.end(run)
        }
      }
    case .sending(let body):
      work = { run in
        await body(Send(origin: .run(run), deliver: deliver))
        run.table.end(run)
      }
    }
    if delays.isEmpty { return work }
    return { run in
      for delay in delays where await !delay.wait() || run.isCancelled {
        run.table.end(run)
        return
      }
      await work(run)
    }
  }
}

/// A delay of an effect.
@usableFromInline struct EffectDelay: Sendable {
  /// The place that requested the delay.
  let source: ActionSource
  /// Waits for the delay. Returns false if the task was cancelled.
  @usableFromInline let wait: @Sendable () async -> Bool
}
