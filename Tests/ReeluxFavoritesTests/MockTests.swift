import ReeluxCore
import ReeluxTesting
import ReeluxFavorites
import Testing

/// The mock as a server, with latencies, failures and its own favourites.
@Suite(.timeLimit(.minutes(15))) struct MockTests {
  /// The result of one request: its duration and its failure.
  struct Outcome: Hashable {
    var latency: Duration
    var failure: FavoritesFailure.Kind?
  }

  /// Makes requests one after the other.
  static func outcomes(
    of ids: [Int], latency: FavoritesLatency = .none, failures: FavoritesFailures = .none, seed: UInt64 = 0,
    storage: FavoritesStorage<Int> = .memory()
  ) async -> [Int: [Outcome]] {
    var outcomes: [Int: [Outcome]] = [:]
    let clock = ImmediateClock()
    let api = FavoritesAPI<Int>.mock(latency: latency, failures: failures, seed: seed, storage: storage, clock: clock)
    for id in ids {
      let start = clock.now
      var failure: FavoritesFailure.Kind?
      do {
        try await api.set(FavoritesRequest(id: id, isFavorite: true, number: 1))
      } catch {
        failure = FavoritesFailure(error).kind
      }
      outcomes[id, default: []].append(Outcome(latency: start.duration(to: clock.now), failure: failure))
    }
    return outcomes
  }

  @Test func itKeepsItsOwnFavoritesInTheOrderOfAddition() async throws {
    let api = FavoritesAPI<Int>.mock(storage: .memory([9]))
    for id in [3, 1, 2] { try await api.set(FavoritesRequest(id: id, isFavorite: true, number: 1)) }
    try await api.set(FavoritesRequest(id: 1, isFavorite: false, number: 1))
    #expect(try await api.fetch() == [9, 3, 2])
  }

  @Test func askingTwiceForTheSameDoesNoHarm() async throws {
    let api = FavoritesAPI<Int>.mock()
    for id in [1, 2, 1] { try await api.set(FavoritesRequest(id: id, isFavorite: true, number: 1)) }
    for _ in 1...2 { try await api.set(FavoritesRequest(id: 5, isFavorite: false, number: 1)) }
    #expect(try await api.fetch() == [1, 2])
  }

  @Test func severalItemsAreSetInOneChangeOfTheStorage() async throws {
    let memory = FavoritesStorage<Int>.memory()
    let changes = Locked(0)
    var storage = memory
    storage.update = { change in
      changes.withLock { $0 += 1 }
      try await memory.update(change)
    }
    let failures = FavoritesFailures(rate: 0.5, kinds: [.refused])
    let api = FavoritesAPI<Int>.mock(failures: failures, seed: 1, storage: storage)
    let store = Store(
      initialState: FavoritesState<Int>(),
      feature: .favorites(api: api, policy: FavoritesPolicy(batch: 40, timeLimit: nil)))
    await store.dispatch(.setAll(Array(1...40), isFavorite: true)).finish()
    #expect(changes.withLock { $0 } == 1)
    // Each item has the result that it has alone.
    let alone = await Self.outcomes(of: Array(1...40), failures: failures, seed: 1)
    #expect(store.state.failed == (1...40).filter { alone[$0]?.first?.failure != nil })
    #expect(try await storage.read().ids == store.state.confirmed)
  }

  @Test func theSameSeedGivesTheSameLatenciesAndFailures() async {
    let ids = Array(repeating: Array(0..<40), count: 3).flatMap { $0 }
    let latency = FavoritesLatency.uniform(.milliseconds(10) ... .milliseconds(90))
    let failures = FavoritesFailures(rate: 0.5, kinds: FavoritesFailure.Kind.allCases)
    let first = await Self.outcomes(of: ids, latency: latency, failures: failures, seed: 3)
    let second = await Self.outcomes(of: ids, latency: latency, failures: failures, seed: 3)
    let other = await Self.outcomes(of: ids, latency: latency, failures: failures, seed: 4)
    #expect(first == second)
    #expect(first != other)
  }

  @Test func anItemsFateDoesNotDependOnTheOrderOfOtherItems() async {
    let failures = FavoritesFailures(rate: 0.5)
    let forward = await Self.outcomes(of: Array(0..<50), failures: failures, seed: 1)
    let backward = await Self.outcomes(of: (0..<50).reversed(), failures: failures, seed: 1)
    #expect(forward == backward)
  }

  @Test func latenciesStayInTheirRangeAndFillIt() async {
    let outcomes = await Self.outcomes(
      of: Array(0..<500), latency: .uniform(.milliseconds(100) ... .milliseconds(300)))
    let latencies = outcomes.values.flatMap { $0 }.map(\.latency)
    #expect(latencies.count == 500)
    #expect(latencies.allSatisfy { (.milliseconds(100) ... .milliseconds(300)).contains($0) })
    #expect(latencies.contains { $0 < .milliseconds(120) })
    #expect(latencies.contains { $0 > .milliseconds(280) })
  }

  @Test func aFixedLatencyIsSleptOnTheClockAndNoneIsNot() async {
    #expect(await Self.outcomes(of: [1], latency: .fixed(.seconds(2)))[1]?.first?.latency == .seconds(2))
    #expect(await Self.outcomes(of: [1], latency: .fixed(.seconds(-2)))[1]?.first?.latency == .zero)
    #expect(await Self.outcomes(of: [1])[1]?.first?.latency == .zero)
  }

  @Test(arguments: [0, 0.2, 0.9, 1])
  func aboutThePartOfTheRequestsFailsThatWasAskedFor(rate: Double) async {
    let outcomes = await Self.outcomes(of: Array(0..<2_000), failures: FavoritesFailures(rate: rate), seed: 11)
    let failed = outcomes.values.count { $0.first?.failure != nil }
    #expect(abs(Double(failed) / 2_000 - rate) < 0.04)
  }

  @Test func everyKindOfFailureOccursAndNoOther() async {
    let kinds: [FavoritesFailure.Kind] = [.offline, .refused, .conflict]
    let outcomes = await Self.outcomes(
      of: Array(0..<200), failures: FavoritesFailures(rate: 0.6, kinds: kinds), seed: 5)
    #expect(Set(outcomes.values.flatMap { $0.compactMap(\.failure) }) == Set(kinds))
  }

  @Test func aFailedRequestChangesNothingButForHalfOfTheTimeouts() async throws {
    for kind in FavoritesFailure.Kind.allCases {
      let storage = FavoritesStorage<Int>.memory()
      _ = await Self.outcomes(
        of: Array(0..<400), failures: FavoritesFailures(rate: 1, kinds: [kind]), seed: 2, storage: storage)
      let done = try await storage.read().ids.count
      #expect(kind == .timeout ? (150...250).contains(done) : done == 0)
    }
  }

  @Test func aFetchFailsOnlyInWaysThatCanPass() async {
    let api = FavoritesAPI<Int>.mock(failures: FavoritesFailures(rate: 1, kinds: [.refused, .offline]))
    await #expect { _ = try await api.fetch() } throws: { FavoritesFailure($0).kind == .offline }
    let refusing = FavoritesAPI<Int>.mock(failures: FavoritesFailures(rate: 1, kinds: [.refused]))
    await #expect(throws: Never.self) { _ = try await refusing.fetch() }
  }

  @Test(arguments: [-1, .nan, .infinity, 2] as [Double]) func aSenselessRateIsBroughtIntoItsRange(rate: Double) {
    #expect((0...1).contains(FavoritesFailures(rate: rate).rate))
  }

  @Test(arguments: 1...20) func clientAndServerAgreeAfterAnUnreliableHour(seed: UInt64) async throws {
    let storage = FavoritesStorage<Int>.memory([2, 4])
    let store = Store(
      initialState: FavoritesState<Int>(),
      feature: .favorites(
        api: .mock(
          latency: .uniform(.milliseconds(1) ... .seconds(2)),
          failures: FavoritesFailures(rate: 0.4, kinds: FavoritesFailure.Kind.allCases), seed: seed,
          storage: storage, clock: ImmediateClock()),
        policy: FavoritesPolicy(timeLimit: nil), clock: ImmediateClock()))
    var random = SplitMix64(seed: seed)
    store.dispatch(.load)
    for _ in 0..<200 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0: store.dispatch(.load)
      case 1: store.dispatch(.undo)
      case 2: store.dispatch(.retryAll)
      default: store.dispatch(.toggle(Int.random(in: 0..<9, using: &random)))
      }
    }
    await store.settle()
    // After final failures, the server's favourites may be unknown until a fetch succeeds.
    while store.state.load.failure != nil { await store.dispatch(.load).finish() }
    #expect(store.state.isSettled)
    #expect(try await Set(storage.read().ids) == Set(store.state.ids))
  }
}
