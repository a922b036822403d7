extension FavoritesAPI {
  /// An API that behaves like a server: it takes time, it fails, and it keeps its own favourites.
  ///
  /// ```swift
  /// let api = FavoritesAPI<String>.mock(
  ///   latency: .uniform(.milliseconds(50) ... .milliseconds(300)),
  ///   failures: FavoritesFailures(rate: 0.2), seed: 7,
  ///   storage: .file(at: "favorites.json"))
  /// ```
  ///
  /// The same seed gives each item the same latencies and failures, whatever
  /// the other items do. Asking twice for the same does no harm.
  ///
  /// - Parameters:
  ///   - latency: How long an answer takes; default none.
  ///   - failures: How many requests fail, and how; default none.
  ///   - seed: Decides latencies and failures; default 0.
  ///   - storage: Where the favourites are kept; default in memory, none at the start.
  ///   - clock: The clock that latencies are slept on; default the system's.
  public static func mock(
    latency: FavoritesLatency = .none, failures: FavoritesFailures = .none, seed: UInt64 = 0,
    storage: FavoritesStorage<ID> = .memory(), clock: any Clock<Duration> = ContinuousClock()
  ) -> FavoritesAPI {
    let server = MockServer(latency: latency, failures: failures, seed: seed, storage: storage, clock: clock)
    return FavoritesAPI(fetch: { try await server.fetch() }, set: { try await server.set($0, $1) })
  }
}
