public import ReeluxCore

extension Feature {
  /// The favourites as a feature. It consists of a reducer and a middleware that calls the API.
  ///
  /// ```swift
  /// let feature = Feature.favorites(api: FavoritesAPI<String>.mock())
  /// let store = Store(initialState: FavoritesState(), feature: feature)
  /// store.dispatch(.load)
  /// store.dispatch(.toggle("metropolis-1927"))
  /// ```
  ///
  /// In an app with several features, lift it:
  /// `Feature.favorites(api: api).lift(action: .favorites, state: \.favorites)`.
  ///
  /// - Parameters:
  ///   - api: The server's functions.
  ///   - policy: The numbers of requests and attempts, and the delays.
  ///   - clock: The clock of time limits and delays. Default: the system's clock.
  ///   - chance: Returns random numbers from 0 to 1 for the random part of delays. Default: the system's random
  ///     numbers.
  public static func favorites<ID: Hashable & Sendable>(
    api: FavoritesAPI<ID>, policy: FavoritesPolicy = FavoritesPolicy(),
    clock: any Clock<Duration> = ContinuousClock(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) -> Feature where Action == FavoritesAction<ID>, State == FavoritesState<ID> {
    Feature(
      reducer: .favorites(policy: policy),
      middleware: Middleware(FavoritesAPIMiddleware(api: api, policy: policy, clock: clock, chance: chance)))
  }
}
