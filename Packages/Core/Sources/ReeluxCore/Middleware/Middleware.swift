/// A middleware as a value: made of a closure or of any ``MiddlewareProtocol``,
/// composed with `<>`, lifted into an app.
///
/// A composition is a flat list without identities. Effect ids of two members
/// are never equal.
public struct Middleware<InputAction: Sendable, OutputAction: Sendable, State: Sendable>: Monoid, Sendable {
  @usableFromInline typealias Unit = MiddlewareUnit<InputAction, OutputAction, State>
  @usableFromInline let units: [Unit]

  @inlinable
  init(units: [Unit]) {
    self.units = units
  }

  /// A middleware made of a closure.
  @inlinable
  public init(
    _ handle: @escaping @Sendable (InputAction, ActionSource, GetState<State>) -> Effect<OutputAction>
  ) {
    units = [
      Unit { state in
        BoundMiddleware { action, source in handle(action.pointee, source, state) }
      }
    ]
  }

  /// Any middleware as a value.
  @inlinable
  public init<Base: MiddlewareProtocol>(_ base: Base)
  where Base.InputAction == InputAction, Base.OutputAction == OutputAction, Base.State == State {
    if let middleware = base as? Middleware {
      self = middleware
      return
    }
    var feeds: Unit.Feeds?
    if let feeding = base as? any FeedingMiddleware<InputAction, OutputAction, State> {
      feeds = { feeding.feeds(for: $0.pointee) }
    }
    units = [
      Unit(feeds: feeds) { state in
        BoundMiddleware(
          handle: { base.handle(action: $0.pointee, from: $1, state: state) },
          start: { base.start(state: state) })
      }
    ]
  }

  /// The middleware that does nothing.
  @inlinable
  public static var identity: Middleware { Middleware(units: []) }

  /// Both middlewares; the left one sees an action first.
  @inlinable
  public static func <> (lhs: Middleware, rhs: Middleware) -> Middleware {
    Middleware(units: lhs.units + rhs.units)
  }

  /// All middlewares of the block, in their order; ``identity`` for an empty
  /// block.
  @inlinable
  public static func compose(@CompositionBuilder<Middleware> _ build: () -> Middleware) -> Middleware {
    build()
  }
}

extension Middleware: FeedingMiddleware {
  /// Returns the effects of all members for an action, in their order.
  ///
  /// A store does not call this function. It binds each member to its state
  /// once.
  @inlinable
  public func handle(
    action: InputAction, from source: ActionSource, state: GetState<State>
  ) -> Effect<OutputAction> {
    withUnsafePointer(to: action) { action in
      units.map { $0.bind(state).handle(action, source) }.joined()
    }
  }

  /// Calls `start(state:)` of all members.
  @inlinable
  public func start(state: GetState<State>) -> Effect<OutputAction> {
    units.map { $0.bind(state).start() }.joined()
  }

  /// The feeds of all members.
  @inlinable
  public func feeds(for state: State) -> [Feed<OutputAction>] {
    withUnsafePointer(to: state) { pointer in
      units.flatMap { $0.feeds?(pointer) ?? [] }
    }
  }
}
