public import ReeluxCore

extension Feature where Action == LocationAction, State == LocationState {
  /// The location feature. It consists of a reducer and a middleware with a feed.
  ///
  /// ```swift
  /// let app = Feature<AppAction, AppState> {
  ///   Feature.location(feed: .simulated(track, speed: 10)).lift(action: .location, state: \.location)
  /// }
  /// ```
  ///
  /// - Parameter feed: The source of locations: the device, a simulation or a recording.
  public static func location(feed: LocationFeed) -> Feature {
    Feature(reducer: .location, middleware: Middleware(LocationMiddleware(feed: feed)))
  }
}
