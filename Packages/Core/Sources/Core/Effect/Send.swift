/// The way for an effect's work to send actions into the store.
///
/// Call it like a function. The place of the call becomes the action's source.
/// After the effect was cancelled, or when the store is gone, it does nothing.
/// Keeping one does not keep the store's contents alive.
public struct Send<Action: Sendable>: ActionHandler {
  @usableFromInline let deliver: @Sendable (Action, ActionSource, EffectRun?) -> Void
  @usableFromInline let isClosed: @Sendable () -> Bool
  /// The effect whose work it was given to; handed on with each action.
  @usableFromInline let run: EffectRun?

  @inlinable
  init(
    run: EffectRun?, isClosed: @escaping @Sendable () -> Bool,
    deliver: @escaping @Sendable (Action, ActionSource, EffectRun?) -> Void
  ) {
    self.run = run
    self.isClosed = isClosed
    self.deliver = deliver
  }

  /// Makes a sender that calls `deliver`, for tests of an effect's work without a store.
  @inlinable
  public init(
    isStopped: @escaping @Sendable () -> Bool = { false },
    _ deliver: @escaping @Sendable (Action, ActionSource) -> Void
  ) {
    self.init(run: nil, isClosed: isStopped) { action, source, _ in deliver(action, source) }
  }

  /// Whether sending has no effect any more.
  @inlinable
  public var isStopped: Bool { run?.isCancelled == true || isClosed() }

  /// Sends an action.
  @inlinable
  public func callAsFunction(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) {
    deliver(action, ActionSource(info: info, file: file, function: function, line: line), run)
  }

  /// Sends an action whose source is already known.
  @inlinable
  public func dispatch(_ action: Action, from source: ActionSource) {
    deliver(action, source, run)
  }

  /// A sender of other actions; those that `transform` maps to `nil` are dropped.
  @inlinable
  public func contramap<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action?
  ) -> Send<Other> {
    let deliver = self.deliver
    return Send<Other>(run: run, isClosed: isClosed) { action, source, run in
      if let mapped = transform(action) { deliver(mapped, source, run) }
    }
  }
}
