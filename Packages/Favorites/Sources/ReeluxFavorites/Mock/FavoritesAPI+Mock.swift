extension FavoritesAPI {
  /// An API that simulates a server with its own favourites, latencies and failures.
  ///
  /// ```swift
  /// let api = FavoritesAPI<String>.mock(
  ///   latency: .uniform(.milliseconds(50) ... .milliseconds(300)),
  ///   failures: FavoritesFailures(rate: 0.2), seed: 7,
  ///   storage: .file(at: path))
  /// ```
  ///
  /// With the same seed, each item has the same latencies and failures, independent of the other items. Items whose ids
  /// have the same description, which is `"\(id)"`, share them in the order of their requests. The server is
  /// idempotent: a repeated request has the effect of one request. A request for several items changes the storage
  /// once, after the longest latency of its items.
  ///
  /// - Parameters:
  ///   - latency: The time until a response. Default: none.
  ///   - failures: The share and the kinds of failures. Default: none.
  ///   - seed: The seed of latencies and failures. Default: 0.
  ///   - storage: The storage of the favourites. Default: in memory, and empty at the start.
  ///   - clock: The clock of the latencies. Default: the system's clock.
  public static func mock(
    latency: FavoritesLatency = .none, failures: FavoritesFailures = .none, seed: UInt64 = 0,
    storage: FavoritesStorage<ID> = .memory(), clock: any Clock<Duration> = ContinuousClock()
  ) -> FavoritesAPI {
    let server = MockServer(latency: latency, failures: failures, seed: seed, storage: storage, clock: clock)
    return FavoritesAPI(
      fetch: { try await server.fetch() },
      set: { if let failure = try await server.set([$0])[$0.id] { throw failure } },
      setSeveral: { try await server.set($0) },
      date: storage.date)
  }
}

/// The time until the mock responds.
public enum FavoritesLatency: Equatable, Sendable {
  /// Immediately.
  case none
  /// Always this time. A negative time counts as zero.
  case fixed(Duration)
  /// A random time from this range, uniformly distributed.
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
  /// The share of requests that fail, 0 to 1.
  public let rate: Double

  /// The kinds of failures, each equally likely. An empty array means no failures.
  ///
  /// A fetch fails only with `offline` or `timeout`. Half of the requests that end with a `timeout` are applied, and
  /// only their response is lost.
  public let kinds: [FavoritesFailure.Kind]

  /// Creates failures of these kinds for this share of the requests. Default of `kinds`: `offline` and `timeout`.
  ///
  /// A rate below 0 counts as 0, and a rate above 1 counts as 1. A rate that is not finite counts as 0.
  public init(rate: Double, kinds: [FavoritesFailure.Kind] = [.offline, .timeout]) {
    self.rate = rate.isFinite ? min(1, max(0, rate)) : 0
    self.kinds = kinds
  }

  /// No failures.
  public static let none = FavoritesFailures(rate: 0)
}
