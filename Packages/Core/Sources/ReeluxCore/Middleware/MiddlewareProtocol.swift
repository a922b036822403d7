/// The place for everything that is not pure: it sees every action before the
/// reducers do, and answers with an ``Effect``.
///
/// A struct or a final class; several instances of one type stay apart. The
/// store calls it on one thread at a time, never concurrently with itself.
public protocol MiddlewareProtocol<InputAction, OutputAction, State>: Sendable {
  /// The actions it wants to see; `Never` for none.
  associatedtype InputAction: Sendable
  /// The actions its effects send; `Never` for none.
  associatedtype OutputAction: Sendable
  /// The state it reads; `Void` for none.
  associatedtype State: Sendable

  /// Answers an action, before the reducers see it.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - source: Where it was dispatched.
  ///   - state: Reads the state: here the one before this action, later the one of that time.
  func handle(
    action: InputAction, from source: ActionSource, state: GetState<State>
  ) -> Effect<OutputAction>

  /// Begins work without an action: once, when the store starts or the feature is installed. Default none.
  func start(state: GetState<State>) -> Effect<OutputAction>
}

extension MiddlewareProtocol {
  /// Begins nothing.
  @inlinable
  public func start(state: GetState<State>) -> Effect<OutputAction> { .none }
}

/// A middleware that keeps feeds open while the state wants them.
///
/// Apart from other middlewares, so that a store need not ask those that have none.
public protocol FeedingMiddleware<InputAction, OutputAction, State>: MiddlewareProtocol {
  /// The feeds that a state wants open.
  ///
  /// Called once at the start and after each action whose reducers touched this
  /// middleware's state. It must depend on `state` only.
  func feeds(for state: State) -> [Feed<OutputAction>]
}
