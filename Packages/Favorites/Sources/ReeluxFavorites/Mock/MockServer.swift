import ReeluxCore

/// The mock server, with random numbers for each item and a storage.
///
/// Latency and failure depend on the seed, the description of the item's id and the number of earlier requests with
/// this description. They do not depend on the order in which requests for different items arrive.
final class MockServer<ID: Hashable & Sendable>: Sendable {
  /// The latency and the result of a request.
  struct Outcome {
    var latency: Duration
    var failure: FavoritesFailure.Kind?
    var isDone: Bool
  }

  private let latency: FavoritesLatency
  private let failures: FavoritesFailures
  private let seed: UInt64
  private let storage: FavoritesStorage<ID>
  private let clock: any Clock<Duration>
  /// Protects the random numbers. It is held for a few arithmetic operations.
  private let chances = Locked<[String: SplitMix64]>([:])

  init(
    latency: FavoritesLatency, failures: FavoritesFailures, seed: UInt64, storage: FavoritesStorage<ID>,
    clock: any Clock<Duration>
  ) {
    self.latency = latency
    self.failures = failures
    self.seed = seed
    self.storage = storage
    self.clock = clock
  }

  func fetch() async throws -> FavoritesSnapshot<ID> {
    let outcome = outcome(of: "fetch", kinds: failures.kinds.filter(\.canHitFetch))
    try await sleep(outcome.latency)
    if let kind = outcome.failure { throw kind.simulated("the favourites") }
    return try await storage.read()
  }

  /// Sets items in one change of the storage, after the longest of their latencies. Returns their failures.
  func set(_ requests: [FavoritesRequest<ID>]) async throws -> [ID: FavoritesFailure] {
    let outcomes = requests.map { outcome(of: "set \($0.id)", kinds: failures.kinds) }
    try await sleep(outcomes.map(\.latency).max() ?? .zero)
    let done = zip(requests, outcomes).filter(\.1.isDone).map(\.0)
    if !done.isEmpty {
      try await storage.update { ids in
        for request in done {
          if request.isFavorite { ids.append(request.id) } else { ids.remove(request.id) }
        }
      }
    }
    let failed = zip(requests, outcomes).compactMap { request, outcome in
      outcome.failure.map { (request.id, $0.simulated("'\(request.id)'")) }
    }
    return Dictionary(failed, uniquingKeysWith: { $1 })
  }

  private func outcome(of key: String, kinds: [FavoritesFailure.Kind]) -> Outcome {
    let (latencyChance, failureChance, kindChance, doneChance) = chances.withLock { chances in
      var chance = chances[key] ?? SplitMix64(seed: seed ^ FNV1a(key.utf8).value)
      defer { chances[key] = chance }
      return (chance.unit(), chance.unit(), chance.unit(), chance.unit())
    }
    let fails = failureChance < failures.rate && !kinds.isEmpty
    let kind = fails ? kinds[min(kinds.count - 1, Int(kindChance * Double(kinds.count)))] : nil
    return Outcome(
      latency: latency.duration(chance: latencyChance), failure: kind,
      isDone: kind == nil || (kind == .timeout && doneChance < 0.5))
  }

  private func sleep(_ duration: Duration) async throws {
    if duration > .zero { try await clock.sleep(for: duration.sleepable) }
  }
}

extension FavoritesFailure.Kind {
  fileprivate var canHitFetch: Bool { self == .offline || self == .timeout }

  fileprivate func simulated(_ subject: String) -> FavoritesFailure {
    let reason =
      switch self {
      case .offline: "the server could not be reached for \(subject)"
      case .timeout: "the server did not answer in time for \(subject)"
      case .busy: "the server was too busy for \(subject)"
      case .refused: "the server refused \(subject)"
      case .unauthorized: "the server requires a new sign-in for \(subject)"
      case .conflict: "the server's favourites were changed elsewhere, so it did not change \(subject)"
      case .storage: "the server could not save \(subject)"
      case .unknown: "the server failed at \(subject)"
      }
    return FavoritesFailure(self, "\(reason) (simulated)")
  }
}
