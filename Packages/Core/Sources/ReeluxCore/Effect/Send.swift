/// The way for an effect's work to send actions into the store.
///
/// Call it like a function. The place of the call becomes the action's source.
/// After the effect was cancelled, or when the store is gone, it does nothing.
/// Keeping one does not keep the store's contents alive.
public struct Send<Action: Sendable>: ActionHandler {
  @usableFromInline typealias Deliver = @Sendable (Action, ActionSource, SendOrigin) -> Void

  @usableFromInline let deliver: Deliver
  /// On whose behalf it sends; handed on with each action.
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

  /// Whether sending has no effect any more.
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

/// On whose behalf actions are sent.
@usableFromInline
enum SendOrigin: Sendable {
  /// A task's.
  case run(EffectRun)
  /// A task's, with which its work is done: whoever takes the action ends the task's run.
  case last(EffectRun)
  /// After-reducer work's, or a follow-up's: what it led to belongs to this group.
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
  /// The effect that this sends for was made there; told before it begins.
  @inlinable
  func belongs(to source: ActionSource) {
    if case .run(let run) = origin { run.source = source }
  }

  /// Whether the effect that this sends for was cancelled.
  @inlinable
  var isCancelled: Bool {
    if case .run(let run) = origin { run.isCancelled } else { false }
  }

  /// Sends an action with which the work of the effect that this sends for is done.
  @inlinable
  func end(with action: Action, from source: ActionSource) {
    if case .run(let run) = origin { deliver(action, source, .last(run)) } else { deliver(action, source, origin) }
  }

  /// The work of the effect that this sends for is done.
  @inlinable
  func end() {
    if case .run(let run) = origin { run.table.end(run) }
  }
}
