/// A middleware of a composition.
@usableFromInline struct MiddlewareUnit<InputAction: Sendable, OutputAction: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Handle =
    @Sendable (Lent<InputAction>, Lent<ActionSource>, GetState<State>) -> Effect<OutputAction>
  @usableFromInline typealias Feeds = @Sendable (GetState<State>) -> [Feed<OutputAction>]

  /// Decides by the action's enum case whether this unit handles it; `nil` if only `handle` can decide.
  @usableFromInline let claims: (@Sendable (InputAction) -> Bool)?
  /// The parts of the state to which it was lifted. Its feeds depend on the bytes of these parts.
  @usableFromInline let liftPath: LiftPath
  @usableFromInline let hasFeeds: Bool
  /// Lists the feeds that a state requires.
  @usableFromInline let feeds: Feeds
  /// Creates the function that handles actions. Each store calls it once. Only the thread that runs the pipeline uses
  /// the result.
  @usableFromInline let makeHandle: @Sendable () -> Handle
  /// Returns the effect of the start, which needs no action.
  @usableFromInline let start: @Sendable (GetState<State>) -> Effect<OutputAction>

  @inlinable init(
    claims: (@Sendable (InputAction) -> Bool)? = nil, liftPath: LiftPath = .whole, hasFeeds: Bool = false,
    feeds: @escaping Feeds = { _ in [] },
    start: @escaping @Sendable (GetState<State>) -> Effect<OutputAction> = { _ in .none },
    makeHandle: @escaping @Sendable () -> Handle
  ) {
    self.claims = claims
    self.liftPath = liftPath
    self.hasFeeds = hasFeeds
    self.feeds = feeds
    self.start = start
    self.makeHandle = makeHandle
  }
}
