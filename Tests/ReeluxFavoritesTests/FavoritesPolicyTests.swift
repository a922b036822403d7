import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@Suite(.timeLimit(.minutes(15))) struct FavoritesPolicyTests {
  @Test func delaysGrowUpToTheLongest() {
    let policy = FavoritesPolicy(backoff: Backoff(first: .seconds(1), factor: 3, longest: .seconds(20)), jitter: 0)
    let delays = (2...7).map { policy.delay(before: $0, chance: 0.7) }
    #expect(delays == [1, 3, 9, 20, 20, 20].map { .seconds($0) })
  }

  @Test func jitterShortensADelayByAtMostItsPart() {
    let policy = FavoritesPolicy(backoff: Backoff(first: .seconds(1)), jitter: 0.25)
    #expect(policy.delay(before: 2, chance: 0) == .seconds(1))
    #expect(policy.delay(before: 2, chance: 1) == .milliseconds(750))
    #expect(policy.delay(before: 3, chance: 0.5) == .milliseconds(1_750))
  }

  @Test(arguments: [-1, 0, .nan, .infinity, -.infinity, 2, 1e300] as [Double])
  func senselessNumbersAreBroughtIntoTheirRange(number: Double) {
    let policy = FavoritesPolicy(
      limit: -3, batch: 0, attempts: 0, timeLimit: .seconds(-1),
      backoff: Backoff(first: .seconds(-1), factor: number, longest: .seconds(9)), jitter: number, undoDepth: -1)
    #expect(policy.limit == 1)
    #expect(policy.batch == 1)
    #expect(policy.timeLimit == .zero)
    #expect(policy.attempts == 1)
    #expect(policy.undoDepth == 0)
    for attempt in [Int.min, -1, 0, 1, 2, 50, Int.max] {
      #expect((.zero ... .seconds(9)).contains(policy.delay(before: attempt, chance: number)))
    }
    let eager = FavoritesPolicy(
      backoff: Backoff(first: .milliseconds(500), factor: number, longest: .seconds(9)), jitter: number)
    #expect((.zero ... .seconds(9)).contains(eager.delay(before: 50, chance: number)))
  }

  /// A system's clock traps if it shall sleep until a moment that it cannot express.
  @Test func aVeryLongTimeIsLimitedToWhatAClockCanSleep() async {
    let (script, clock) = (ScriptedAPI(), TestClock())
    let limit = TestInstant(offset: .seconds(1_000_000_000))
    let store = TestStore(
      initialState: FavoritesState<Int>(),
      feature: .favorites(
        api: script.api, policy: FavoritesPolicy(timeLimit: .seconds(Int64.max)), clock: clock, chance: { 0 }),
      exhaustivity: .none)
    await store.send(.toggle(1))
    #expect(clock.sleepers == [limit])
    await script.sets.fail(FavoritesFailure(.busy, "later", retryAfter: .seconds(Int64.max)))
    await store.skipReceivedActions()
    #expect(clock.sleepers == [limit])
  }

  @Test func aVeryLongLatencyOfTheMockIsLimitedToWhatAClockCanSleep() async {
    let clock = TestClock()
    let api = FavoritesAPI<Int>.mock(latency: .fixed(.seconds(Int64.max)), clock: clock)
    let fetch = Task { try await api.fetch() }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleepers == [TestInstant(offset: .seconds(1_000_000_000))])
    fetch.cancel()
    _ = await fetch.result
  }
}
