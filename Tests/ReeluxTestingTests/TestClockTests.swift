import ReeluxCore
@testable import ReeluxTesting
import ReeluxTestSupport
import Testing

@Suite(.conformance(69), .timeLimit(.minutes(15))) struct TestClockTests {
  let clock = TestClock()

  @Test func nothingWakesUntilTheClockIsMoved() async throws {
    let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleepers == [TestInstant(offset: .seconds(1))])
    await clock.advance(by: .milliseconds(999))
    #expect(clock.sleepers.count == 1)
    await clock.advance(by: .milliseconds(1))
    #expect(clock.sleepers.isEmpty)
    #expect(clock.now.offset == .seconds(1))
    try await task.value
  }

  @Test func aCancelledSleeperLeavesAtOnce() async {
    let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test func aDeadlineThatIsPastDoesNotSleep() async throws {
    await clock.advance(by: .seconds(5))
    try await clock.sleep(until: TestInstant(offset: .seconds(5)))
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func timeNeverGoesBack() async {
    await clock.advance(to: TestInstant(offset: .seconds(3)))
    await clock.advance(to: TestInstant(offset: .seconds(2)))
    await clock.advance(by: .seconds(-1))
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func aNegativeDurationWakesATaskWhoseDeadlineIsNow() async throws {
    let tasks = (1...2).map { _ in Task { [clock] in try await clock.sleep(for: .seconds(1)) } }
    await clock.sleepers(atLeast: 2)
    _ = await capturingFailures { await clock.run(limit: 1) }
    #expect(clock.sleepers.count == 1)
    await clock.advance(by: .seconds(-1))
    #expect(clock.sleepers.isEmpty)
    await clock.run()
    for task in tasks { try await task.value }
  }

  @Test func runMovesTheClockToTheLastDeadline() async throws {
    let tasks = [3, 1, 2].map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
    await clock.sleepers(atLeast: 3)
    #expect(clock.sleepers.map(\.offset) == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(await clock.run())
    #expect(clock.now.offset == .seconds(3))
    for task in tasks { try await task.value }
  }

  private enum Nap: Equatable { case doze(Int, Duration), woke(Int) }

  @Test func sleepersWakeByTheirDeadlinesAndThenInTheOrderOfTheirBeginnings() async {
    let naps = Feature<Nap, Int>(
      middleware: Middleware { [clock] action, _, _ in
        guard case .doze(let number, let duration) = action else { return .none }
        return .run { send in
          try? await clock.sleep(for: duration)
          send(.woke(number))
        }
      })
    let store = TestStore(initialState: 0, feature: naps)
    for (number, seconds) in [2, 1, 2, 3, 1, 2].enumerated() { await store.send(.doze(number, .seconds(seconds))) }
    await clock.advance(by: .seconds(3))
    for number in [1, 4, 0, 2, 5, 3] { await store.receive(.woke(number)) }
    await store.assertFinished()
  }

  @Test func anImmediateClockDoesNotWait() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(3600))
    #expect(clock.now.offset == .seconds(3600))
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aSleepUntilAPastTimeThrowsIfItsTaskIsCancelled() async {
    let executor = PumpExecutor(changes: ChangeCounter())
    let sleeping = Task(executorPreference: executor) { [clock] in try await clock.sleep(until: clock.now) }
    // This job runs after the one that begins to sleep, and before the one that continues.
    let cancelling = Task(executorPreference: executor) { sleeping.cancel() }
    await executor.pump()
    await cancelling.value
    await #expect(throws: CancellationError.self) { try await sleeping.value }
  }

  @Test func manyJobsThatEndAreNotEndless() async {
    let executor = PumpExecutor(changes: ChangeCounter())
    let tasks = (0...10_000).map { _ in Task(executorPreference: executor) {} }
    #expect(await executor.pump())
    for task in tasks { await task.value }
  }
}
