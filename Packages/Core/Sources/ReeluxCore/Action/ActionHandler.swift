/// A type that accepts actions: a store, a projection, a child store.
public protocol ActionHandler<Action>: Sendable {
  /// The type of the actions.
  associatedtype Action: Sendable

  /// Sends an action with a known source.
  ///
  /// It may be called from any thread or task, and does not wait for another action to be processed.
  func dispatch(_ action: Action, from source: ActionSource)
}

extension ActionHandler {
  /// Sends an action and records the place of this call as its source.
  @inlinable public func dispatch(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) {
    dispatch(action, from: ActionSource(info: info, file: file, function: function, line: line))
  }

  /// Returns a handler that maps actions of another type and passes them to this handler.
  ///
  /// An action that `transform` maps to `nil` is dropped. The source is kept. The result retains this handler,
  /// and with it a store or a child store.
  @inlinable public func contramap<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> Action?
  ) -> AnyActionHandler<Other> {
    AnyActionHandler { action, source in
      if let mapped = transform(action) { self.dispatch(mapped, from: source) }
    }
  }
}

/// An action handler that calls a closure.
public struct AnyActionHandler<Action: Sendable>: ActionHandler {
  @usableFromInline let send: @Sendable (Action, ActionSource) -> Void

  /// Creates a handler that calls `send` for every action.
  @inlinable public init(_ send: @escaping @Sendable (Action, ActionSource) -> Void) {
    self.send = send
  }

  /// Calls the closure.
  @inlinable public func dispatch(_ action: Action, from source: ActionSource) {
    send(action, source)
  }
}
