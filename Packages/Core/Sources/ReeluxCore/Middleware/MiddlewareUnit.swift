/// One middleware of a composition, before it is given a state to read.
@usableFromInline
struct MiddlewareUnit<InputAction: Sendable, OutputAction: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Feeds = @Sendable (UnsafePointer<State>) -> [Feed<OutputAction>]

  /// Decides by the action's enum case whether this unit handles it; `nil` if only `handle` can
  /// decide.
  @usableFromInline let claims: (@Sendable (InputAction) -> Bool)?
  /// The part of the state on which its feeds depend.
  @usableFromInline let span: StateSpan
  /// The parts of the state that it was lifted to.
  @usableFromInline let places: StatePlaces
  /// Lists the feeds that a state asks for; `nil` if it has no feeds.
  @usableFromInline let feeds: Feeds?
  /// Binds the unit to its state, once, when the store is made.
  @usableFromInline let bind: @Sendable (GetState<State>) -> BoundMiddleware<InputAction, OutputAction, State>

  @inlinable
  init(
    claims: (@Sendable (InputAction) -> Bool)? = nil, span: StateSpan = .whole, places: StatePlaces = .whole,
    feeds: Feeds? = nil,
    bind: @escaping @Sendable (GetState<State>) -> BoundMiddleware<InputAction, OutputAction, State>
  ) {
    self.claims = claims
    self.span = span
    self.places = places
    self.feeds = feeds
    self.bind = bind
  }
}

/// One middleware that knows where its state is.
@usableFromInline
struct BoundMiddleware<InputAction: Sendable, OutputAction: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Handle =
    @Sendable (UnsafePointer<InputAction>, ActionSource) -> Effect<OutputAction>

  @usableFromInline let handle: Handle
  @usableFromInline let start: @Sendable () -> Effect<OutputAction>

  @inlinable
  init(handle: @escaping Handle, start: @escaping @Sendable () -> Effect<OutputAction> = { .none }) {
    self.handle = handle
    self.start = start
  }
}
