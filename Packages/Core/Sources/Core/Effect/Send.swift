/// The way for an effect's work to send actions into the store.
///
/// Call it like a function. The place of the call becomes the action's source.
/// After the effect was cancelled, or when the store is gone, it does nothing.
/// Keeping one does not keep the store's contents alive.
public struct Send<Action: Sendable>: ActionHandler {
  @usableFromInline let deliver: @Sendable (Action, ActionSource) -> Void
  @usableFromInline let stopped: @Sendable () -> Bool

  /// Makes a sender that calls `deliver`, for tests of an effect's work without a store.
  @inlinable
  public init(
    isStopped: @escaping @Sendable () -> Bool = { false },
    _ deliver: @escaping @Sendable (Action, ActionSource) -> Void
  ) {
    self.deliver = deliver
    self.stopped = isStopped
  }

  /// Whether sending has no effect any more.
  @inlinable
  public var isStopped: Bool { stopped() }

  /// Sends an action.
  @inlinable
  public func callAsFunction(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) {
    deliver(action, ActionSource(info: info, file: file, function: function, line: line))
  }

  /// Sends an action whose source is already known.
  @inlinable
  public func dispatch(_ action: Action, from source: ActionSource) {
    deliver(action, source)
  }

  /// A sender of other actions; those that `transform` maps to `nil` are dropped.
  @inlinable
  public func contramap<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action?
  ) -> Send<Other> {
    let deliver = self.deliver
    return Send<Other>(isStopped: stopped) { action, source in
      if let mapped = transform(action) { deliver(mapped, source) }
    }
  }
}
