/// Code that is not pure: it sees every action before the reducers do, and
/// returns an ``Effect``.
///
/// A struct or a final class. Two instances of one type are two middlewares.
/// The store never calls a middleware concurrently with itself.
public protocol MiddlewareProtocol<InputAction, OutputAction, State>: Sendable {
  /// The actions that it handles; `Never` for none.
  associatedtype InputAction: Sendable
  /// The actions that its effects send; `Never` for none.
  associatedtype OutputAction: Sendable
  /// The state that it reads; `Void` for none.
  associatedtype State: Sendable

  /// Returns the effect of an action. Called before the reducers.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - source: Where it was dispatched.
  ///   - state: Reads the state: in this function the state before the action, in an effect
  ///     the current state.
  func handle(
    action: InputAction, from source: ActionSource, state: GetState<State>
  ) -> Effect<OutputAction>

  /// Returns an effect that needs no action. Called once, when the store is made or the feature is
  /// installed. By default there is none.
  func start(state: GetState<State>) -> Effect<OutputAction>
}

extension MiddlewareProtocol {
  /// Returns no effect.
  @inlinable
  public func start(state: GetState<State>) -> Effect<OutputAction> { .none }
}

/// A middleware whose feeds are open while the state asks for them.
///
/// It is a protocol of its own, so that a store asks only such middlewares for
/// their feeds.
public protocol FeedingMiddleware<InputAction, OutputAction, State>: MiddlewareProtocol {
  /// The feeds that a state asks for.
  ///
  /// Called once at the start, and after each action whose reducers touched
  /// this middleware's state. The result must depend on `state` only.
  func feeds(for state: State) -> [Feed<OutputAction>]
}
