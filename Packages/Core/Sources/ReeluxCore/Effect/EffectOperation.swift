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
  /// An operation of a part of the state. It ends with the part.
  indirect case part(PartReference, EffectOperation)
  /// An operation that has the ids of the parts around it but does not end with them.
  indirect case detached(EffectOperation)
  /// Several operations, or one if a delay has joined several follow-up actions. None of them is of this case.
  case several([EffectOperation<Action>])
}

/// A follow-up action.
@usableFromInline final class FollowUp<Action: Sendable>: Sendable {
  @usableFromInline let action: Action
  @usableFromInline let source: ActionSource
  /// The ids of the task that sends it after a delay. Without a delay, running effects with these ids can be replaced.
  @usableFromInline let ids: [CancellableID]

  @inlinable init(_ action: Action, from source: ActionSource, ids: [CancellableID] = []) {
    self.action = action
    self.source = source
    self.ids = ids
  }

  @inlinable func map<Other: Sendable>(_ transform: (Action) -> Other) -> FollowUp<Other> {
    FollowUp<Other>(transform(action), from: source, ids: ids)
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
    case .afterReducer(let work): .afterReducer { send in work(send.mapped(by: transform)) }
    case .throttle(let throttle): .throttle(throttle.map(transform))
    case .cancel(let id): .cancel(id)
    case .cancelAll(let selection): .cancelAll(selection)
    case .write(let message):
      .write(
        FeedMessage(value: message.value, key: message.key, refused: message.refused.map { $0.map(transform) }))
    case .part(let part, let operation): .part(part, operation.map(transform))
    case .detached(let operation): .detached(operation.map(transform))
    case .several(let operations): .several(operations.map { $0.map(transform) })
    }
  }

  /// Returns the same operation with another id for its tasks or for the interval of a throttle.
  @usableFromInline func adding(_ id: CancellableID) -> EffectOperation {
    switch self {
    case .send(let followUp):
      return .send(FollowUp(followUp.action, from: followUp.source, ids: followUp.ids + [id]))
    case .task(var task):
      task.traits.add(id)
      return .task(task)
    case .throttle(var throttle):
      throttle.traits.add(id)
      return .throttle(throttle)
    case .part(let part, let operation): return .part(part, operation.adding(id))
    case .detached(let operation): return .detached(operation.adding(id))
    case .several(let operations): return .several(operations.map { $0.adding(id) })
    case .afterReducer, .cancel, .cancelAll, .write: return self
    }
  }
}

/// Asynchronous work with its ids, before it is started.
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
  /// Boxed, so that work without an id and a delay stays small.
  @usableFromInline var traits: EffectTraits?

  @inlinable init(source: ActionSource, _ body: Body, traits: EffectTraits? = nil) {
    self.body = body
    self.source = source
    self.traits = traits
  }

  /// Creates work that sends any number of actions.
  @inlinable init(source: ActionSource, body: @escaping @Sendable (Send<Action>) async -> Void) {
    self.init(source: source, .sending(body))
  }

  /// Creates work that returns one action, or none.
  @inlinable init(source: ActionSource, answer: @escaping @Sendable () async -> Action?) {
    self.init(source: source, .answer(answer))
  }

  @inlinable func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> EffectTask<Other> {
    let mapped: EffectTask<Other>.Body =
      switch body {
      case .answer(let answer): .answer { await answer().map(transform) }
      case .sending(let body): .sending { send in await body(send.mapped(by: transform)) }
      }
    return EffectTask<Other>(source: source, mapped, traits: traits)
  }

  /// The work of a started effect, after its delay if it has one. Its last step ends the effect.
  @inlinable func work(_ deliver: @escaping Send<Action>.Deliver) -> EffectRun.Work {
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
    guard let delay = traits?.delay else { return work }
    return { run in
      if await delay() { await work(run) } else { run.table.end(run) }
    }
  }
}

/// An id with which an effect can be cancelled.
@usableFromInline struct CancellableID: Hashable, Sendable {
  @usableFromInline let value: EffectID
  /// Whether starting the effect cancels running effects with the same id.
  @usableFromInline let cancelsInFlight: Bool
}

/// The ids of an effect's task or throttle, and its delay.
@usableFromInline final class EffectTraits: Sendable {
  /// Waits for the delay. Returns false if the task was cancelled.
  @usableFromInline typealias Delay = @Sendable () async -> Bool

  @usableFromInline let ids: [CancellableID]
  @usableFromInline let delay: Delay?

  @inlinable init(ids: [CancellableID], delay: Delay?) {
    self.ids = ids
    self.delay = delay
  }
}

extension EffectTraits? {
  /// Adds an id. A debounce keeps its own id.
  @inlinable mutating func add(_ id: CancellableID) {
    self = EffectTraits(ids: (self?.ids ?? []) + [id], delay: self?.delay)
  }

  /// Adds a delay before the existing ones.
  @inlinable mutating func addDelay(_ delay: @escaping EffectTraits.Delay) {
    var both = delay
    if let next = self?.delay { both = { if await delay() { await next() } else { false } } }
    self = EffectTraits(ids: self?.ids ?? [], delay: both)
  }
}
