/// A middleware as a value. It is created from a closure or from any ``MiddlewareProtocol``, composed with `<>`, and
/// lifted into an app.
///
/// A composition is a flat list, to which ``identity`` adds nothing. An effect id of one member never cancels an effect
/// of another member.
public struct Middleware<InputAction: Sendable, OutputAction: Sendable, State: Sendable>: Monoid, FeedingMiddleware {
  @usableFromInline typealias Unit = MiddlewareUnit<InputAction, OutputAction, State>
  @usableFromInline let units: [Unit]

  @inlinable init(units: [Unit]) {
    self.units = units
  }

  /// Creates a middleware from a closure.
  @inlinable public init(
    _ handle: @escaping @Sendable (InputAction, ActionSource, GetState<State>) -> Effect<OutputAction>
  ) {
    units = [Unit { { handle($0.value, $1.value, $2) } }]
  }

  /// Creates a value from any middleware.
  @inlinable public init<Base: MiddlewareProtocol>(_ base: Base)
  where Base.InputAction == InputAction, Base.OutputAction == OutputAction, Base.State == State {
    if let middleware = base as? Middleware {
      self = middleware
      return
    }
    let feeding = base as? any FeedingMiddleware<InputAction, OutputAction, State>
    units = [
      Unit(
        hasFeeds: feeding != nil, feeds: { feeding?.feeds(for: $0()) ?? [] }, start: { base.start(state: $0) }
      ) { { base.handle(action: $0.value, from: $1.value, state: $2) } }
    ]
  }

  /// The middleware that does nothing.
  @inlinable public static var identity: Middleware { Middleware(units: []) }

  /// Composes two middlewares. The left one handles an action first.
  @inlinable public static func <> (lhs: Middleware, rhs: Middleware) -> Middleware {
    Middleware(units: lhs.units + rhs.units)
  }

  /// Creates a middleware of all middlewares of the block, in their order. An empty block gives ``identity``.
  @inlinable public static func compose(@CompositionBuilder<Middleware> _ build: () -> Middleware) -> Middleware {
    build()
  }

  /// Returns the effects of all members for an action, in their order.
  ///
  /// A store does not call this function. It calls each member separately.
  public func handle(
    action: InputAction, from source: ActionSource, state: GetState<State>
  ) -> Effect<OutputAction> {
    lend(action, source) { action, source in units.map { $0.makeHandle()(action, source, state) }.joined() }
  }

  /// Composes the effects of `start(state:)` of all members.
  public func start(state: GetState<State>) -> Effect<OutputAction> {
    units.map { $0.start(state) }.joined()
  }

  /// The feeds of all members.
  public func feeds(for state: State) -> [Feed<OutputAction>] {
    units.flatMap { $0.feeds(GetState { state }) }
  }
}
