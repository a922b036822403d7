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
    return FavoritesAPI(
      fetch: { try await server.fetch() },
      set: { try await server.set($0.id, $0.isFavorite) },
      date: storage.date)
  }
}

/// How long the mock takes to answer.
public enum FavoritesLatency: Equatable, Sendable {
  /// It answers at once.
  case none
  /// It always takes this long; less than nothing is nothing.
  case fixed(Duration)
  /// It takes a time from this range, each as likely as another.
  case uniform(ClosedRange<Duration>)

  /// The latency that a chance from 0 to 1 stands for.
  func duration(chance: Double) -> Duration {
    switch self {
    case .none: .zero
    case .fixed(let duration): max(.zero, duration)
    case .uniform(let range): max(.zero, range.lowerBound + (range.upperBound - range.lowerBound) * chance)
    }
  }
}

/// How often the mock fails, and how.
public struct FavoritesFailures: Equatable, Sendable {
  /// The part of the requests that fail, 0 to 1.
  public let rate: Double

  /// The kinds of failure, each as likely as another; none means no failures.
  ///
  /// A fetch fails by `offline` and `timeout` only. Of the requests that end
  /// in a `timeout`, half are done nevertheless; only the answer is lost.
  public let kinds: [FavoritesFailure.Kind]

  /// This part of the requests fails, in these ways.
  public init(rate: Double, kinds: [FavoritesFailure.Kind] = [.offline, .timeout]) {
    self.rate = rate.isFinite ? min(1, max(0, rate)) : 0
    self.kinds = kinds
  }

  /// No failures.
  public static let none = FavoritesFailures(rate: 0)
}
