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
  /// With the same seed, each item has the same latencies and failures,
  /// independent of the other items. Repeating a request does no harm.
  ///
  /// - Parameters:
  ///   - latency: The time until an answer; default none.
  ///   - failures: The share and the kinds of failures; default none.
  ///   - seed: Decides latencies and failures; default 0.
  ///   - storage: The storage of the favourites; default in memory, empty at the
  ///     start.
  ///   - clock: The clock of the latencies; default the system's.
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

/// The time that the mock takes to answer.
public enum FavoritesLatency: Equatable, Sendable {
  /// It answers at once.
  case none
  /// It always takes this time; a negative time counts as zero.
  case fixed(Duration)
  /// It takes a time from this range, each as likely as another.
  case uniform(ClosedRange<Duration>)

  /// The latency for a random number from 0 to 1.
  func duration(chance: Double) -> Duration {
    switch self {
    case .none: .zero
    case .fixed(let duration): max(.zero, duration)
    case .uniform(let range): max(.zero, range.lowerBound + (range.upperBound - range.lowerBound) * chance)
    }
  }
}

/// The failures of the mock.
public struct FavoritesFailures: Equatable, Sendable {
  /// The part of the requests that fail, 0 to 1.
  public let rate: Double

  /// The kinds of failure, each as likely as another; none means no failures.
  ///
  /// A fetch fails by `offline` and `timeout` only. Half of the requests that
  /// end in a `timeout` are applied, and only their answer is lost.
  public let kinds: [FavoritesFailure.Kind]

  /// Makes failures of these kinds for this share of the requests.
  public init(rate: Double, kinds: [FavoritesFailure.Kind] = [.offline, .timeout]) {
    self.rate = rate.isFinite ? min(1, max(0, rate)) : 0
    self.kinds = kinds
  }

  /// No failures.
  public static let none = FavoritesFailures(rate: 0)
}
