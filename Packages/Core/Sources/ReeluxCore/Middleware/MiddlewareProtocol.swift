/// A component with side effects. It handles every action before the reducers and returns an ``Effect``.
///
/// A middleware is a struct or a final class. Two instances of one type are two middlewares. The store never calls a
/// middleware concurrently with itself.
public protocol MiddlewareProtocol<InputAction, OutputAction, State>: Sendable {
  /// The actions that it handles; `Never` if there are none.
  associatedtype InputAction: Sendable
  /// The actions that its effects send; `Never` if there are none.
  associatedtype OutputAction: Sendable
  /// The state that it reads; `Void` if there is none.
  associatedtype State: Sendable

  /// Returns the effect of an action. It is called before the reducers.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - source: The place that dispatched the action.
  ///   - state: Reads the state. In this function it is the state before the action, and in an effect the current
  ///     state.
  func handle(
    action: InputAction, from source: ActionSource, state: GetState<State>
  ) -> Effect<OutputAction>

  /// Returns an effect without an action. It is called once, when the store or child store is created or the feature is
  /// installed, and before the feeds of this middleware open. A middleware that is lifted to elements is called once
  /// for each element that exists then. Default: no effect.
  func start(state: GetState<State>) -> Effect<OutputAction>
}

extension MiddlewareProtocol {
  /// Returns no effect.
  @inlinable public func start(state: GetState<State>) -> Effect<OutputAction> { .none }
}

/// A middleware with feeds that are open while the state requires them.
///
/// It is a separate protocol, so that a store requests feeds only from such middlewares.
public protocol FeedingMiddleware<InputAction, OutputAction, State>: MiddlewareProtocol {
  /// Returns the feeds that a state requires.
  ///
  /// It is called once at the start, and after each action whose reducers touched this middleware's state. The result
  /// must depend only on `state`.
  func feeds(for state: State) -> [Feed<OutputAction>]
}
