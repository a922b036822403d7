/// A function that sends actions from an effect's work to the store.
///
/// Call it like a function. The place of the call becomes the action's source. A sender does nothing after the effect
/// was cancelled, its part of the state was removed, its feature was removed, or the store was released. A sender that
/// is kept retains the last state of the store, but none of its features, effects and observers.
///
/// An effect ends when its work returns. If a callback sends an action later, `finish()` does not wait for this action,
/// and a cancellation by id does not stop it. To avoid this, let the work wait for the callback, for example with
/// `withCheckedContinuation`.
public struct Send<Action: Sendable>: ActionHandler {
  @usableFromInline typealias Deliver = @Sendable (Action, ActionSource, SendOrigin) -> Void

  @usableFromInline let deliver: Deliver
  /// The origin of its actions, which is passed with each action.
  @usableFromInline let origin: SendOrigin

  @inlinable init(origin: SendOrigin, deliver: @escaping Deliver) {
    self.origin = origin
    self.deliver = deliver
  }

  /// Creates a sender that calls `deliver`, for tests of an effect's work without a store.
  @inlinable public init(
    isStopped: @escaping @Sendable () -> Bool = { false },
    _ deliver: @escaping @Sendable (Action, ActionSource) -> Void
  ) {
    self.init(origin: .outside(isStopped: isStopped)) { action, source, _ in deliver(action, source) }
  }

  /// Whether sending has no effect, because the effect was cancelled, its part of the state or its feature was removed,
  /// or the store was released.
  @inlinable public var isStopped: Bool { origin.isStopped }

  /// Sends an action.
  @inlinable public func callAsFunction(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) {
    deliver(action, ActionSource(info: info, file: file, function: function, line: line), origin)
  }

  /// Sends an action with a known source.
  @inlinable public func dispatch(_ action: Action, from source: ActionSource) {
    deliver(action, source, origin)
  }

  /// Returns when the actions that were sent before have been reduced and observed.
  ///
  /// The queue of a store has no limit. A loop that can send faster than the store reduces awaits this after each
  /// action, so that its actions do not fill the queue:
  ///
  /// ```swift
  /// for await place in places() {
  ///   send(.moved(place))
  ///   await send.reduced()
  /// }
  /// ```
  ///
  /// It waits for everything that is in the queue now, and costs a few microseconds if the queue is empty. For a sender
  /// without a store, it returns immediately. Cancelling the task that waits does not end the wait.
  nonisolated(nonsending) public func reduced() async {
    await origin.table?.queueWait.withLock { $0.wait }()
  }

  /// Returns a sender that maps actions of another type. Actions that `transform` maps to `nil` are dropped.
  @inlinable public func contramap<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action?
  ) -> Send<Other> {
    let deliver = self.deliver
    return Send<Other>(origin: origin) { action, source, origin in
      if let mapped = transform(action) { deliver(mapped, source, origin) }
    }
  }
}

/// The origin of actions.
@usableFromInline enum SendOrigin: Sendable {
  /// The work of a task.
  case run(EffectRun)
  /// The last action of a task. The thread that delivers the action also ends the run.
  case last(EffectRun)
  /// After-reducer work, or a follow-up action. The effects of its actions belong to this group. An action that a
  /// caller dispatched may have a group too, but no owner.
  case group(EffectGroup, EffectOwner?)
  /// A sender without a store, for a test.
  indirect case outside(isStopped: @Sendable () -> Bool)

  /// The effect whose task sends the actions.
  @inlinable var run: EffectRun? {
    switch self {
    case .run(let run), .last(let run): run
    case .group, .outside: nil
    }
  }

  /// The group of the effects of the actions.
  @inlinable var group: EffectGroup? {
    switch self {
    case .run(let run), .last(let run): run.group
    case .group(let group, _): group
    case .outside: nil
    }
  }

  /// The table of the store that receives the actions.
  @usableFromInline var table: EffectTable? { run?.table ?? group?.table }

  /// Ends the effect if the action was its last one.
  @usableFromInline func end() {
    if case .last(let run) = self { run.table.end(run) }
  }

  /// Whether the effect was cancelled, or its owner has ended.
  @usableFromInline var dropsActions: Bool {
    switch self {
    case .run(let run), .last(let run): run.dropsActions
    case .group(_, let owner): owner?.hasEnded == true
    case .outside(let isStopped): isStopped()
    }
  }

  @usableFromInline var isStopped: Bool { dropsActions || table?.isClosed == true }
}
