public import ReeluxCore

extension Feature where Action == LocationAction, State == LocationState {
  /// The location feature: its reducer, and a middleware that asks a feed.
  ///
  /// ```swift
  /// let app = Feature<AppAction, AppState> {
  ///   Feature.location(feed: .simulated(track, speed: 10)).lift(action: .location, state: \.location)
  /// }
  /// ```
  ///
  /// - Parameter feed: What the outside offers: simulated, recorded, or the device's own.
  public static func location(feed: LocationFeed) -> Feature {
    Feature(reducer: .location, middleware: Middleware(LocationMiddleware(feed: feed)))
  }
}
