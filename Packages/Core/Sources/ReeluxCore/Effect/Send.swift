/// A function that sends actions from an effect's work into the store.
///
/// Call it like a function. The place of the call becomes the action's source.
/// After the effect was cancelled, or the store was released, it does nothing.
/// It does not keep the store's contents alive.
public struct Send<Action: Sendable>: ActionHandler {
  @usableFromInline typealias Deliver = @Sendable (Action, ActionSource, SendOrigin) -> Void

  @usableFromInline let deliver: Deliver
  /// The sender of its actions; passed on with each action.
  @usableFromInline let origin: SendOrigin

  @inlinable
  init(origin: SendOrigin, deliver: @escaping Deliver) {
    self.origin = origin
    self.deliver = deliver
  }

  /// Makes a sender that calls `deliver`, for tests of an effect's work without a store.
  @inlinable
  public init(
    isStopped: @escaping @Sendable () -> Bool = { false },
    _ deliver: @escaping @Sendable (Action, ActionSource) -> Void
  ) {
    self.init(origin: .outside(isStopped: isStopped)) { action, source, _ in deliver(action, source) }
  }

  /// Whether sending does nothing, because the effect was cancelled or the
  /// store was released.
  @inlinable
  public var isStopped: Bool { origin.isStopped }

  /// Sends an action.
  @inlinable
  public func callAsFunction(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) {
    deliver(action, ActionSource(info: info, file: file, function: function, line: line), origin)
  }

  /// Sends an action whose source is already known.
  @inlinable
  public func dispatch(_ action: Action, from source: ActionSource) {
    deliver(action, source, origin)
  }

  /// A sender of other actions; those that `transform` maps to `nil` are dropped.
  @inlinable
  public func contramap<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action?
  ) -> Send<Other> {
    let deliver = self.deliver
    return Send<Other>(origin: origin) { action, source, origin in
      if let mapped = transform(action) { deliver(mapped, source, origin) }
    }
  }
}

extension Send {
  /// The same as `contramap`, for a translation that drops nothing.
  @inlinable
  func mapped<Other: Sendable>(by transform: @escaping @Sendable (Other) -> Action) -> Send<Other> {
    let deliver = self.deliver
    return Send<Other>(origin: origin) { action, source, origin in deliver(transform(action), source, origin) }
  }
}

/// The sender of actions.
@usableFromInline
enum SendOrigin: Sendable {
  /// A task's.
  case run(EffectRun)
  /// A task's last action: the thread that processes the action ends the task's run.
  case last(EffectRun)
  /// After-reducer work, or a follow-up: the effects of its actions belong to this
  /// group.
  case group(EffectGroup)
  /// The same, of a part of the state.
  case part(EffectPart, EffectGroup)
  /// A test's.
  indirect case outside(isStopped: @Sendable () -> Bool)

  @inlinable
  var isStopped: Bool {
    switch self {
    case .run(let run), .last(let run): run.isCancelled || run.table.isClosed
    case .group(let group): group.table.isClosed
    case .part(let part, let group): part.hasEnded || group.table.isClosed
    case .outside(let isStopped): isStopped()
    }
  }
}

extension Send {
  /// The place that made this sender's effect; set before the effect begins.
  @inlinable
  func belongs(to source: ActionSource) {
    if case .run(let run) = origin { run.source = source }
  }

  /// Whether the effect that this sends for was cancelled.
  @inlinable
  var isCancelled: Bool {
    if case .run(let run) = origin { run.isCancelled } else { false }
  }

  /// Sends the last action of this sender's effect.
  @inlinable
  func end(with action: Action, from source: ActionSource) {
    if case .run(let run) = origin { deliver(action, source, .last(run)) } else { deliver(action, source, origin) }
  }

  /// Ends the work of this sender's effect.
  @inlinable
  func end() {
    if case .run(let run) = origin { run.table.end(run) }
  }
}
