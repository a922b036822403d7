@testable import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Section F, second part: debounce, throttle, delay, timers and retry, on a test clock.
@Suite(.timeLimit(.minutes(15))) struct EffectTimeTests {
  static func at(_ milliseconds: Int) -> TestInstant { TestInstant(offset: .milliseconds(milliseconds)) }

  /// A store that appends each action to its state, without any checks.
  static func store(_ answer: @escaping @Sendable (Int) -> Effect<Int>) -> TestStore<Int, [Int]> {
    TestStore(
      initialState: [], reducer: Reducer { $1.append($0) }, middleware: Middleware { action, _, _ in answer(action) },
      exhaustivity: .none)
  }

  @Test(.conformance(53, 110)) func triggersWithinADebounceGiveOneRunWithTheLastValue() async {
    let clock = TestClock()
    let store = Self.store { action in
      action < 100
        ? .send(100 + action).debounce(id: "d", for: .milliseconds(300), clock: clock) : .none
    }
    await store.assertTimeline(
      sent: "    abc------d---",
      received: "-----x------y", step: .milliseconds(100), clock: clock,
      ["a": 1, "b": 2, "c": 3, "d": 4, "x": 103, "y": 104])
    #expect(store.store.state == [1, 2, 3, 103, 4, 104])
  }

  @Test(.conformance(53, 110)) func debouncesOfDifferentNamesDoNotMeetAndCanBeCancelled() async {
    let clock = TestClock()
    let store = Self.store { action in
      switch action {
      case 1, 2: .send(100 + action).debounce(id: action, for: .seconds(1), clock: clock)
      case 3: .cancel(id: 1)
      default: .none
      }
    }
    await store.assertTimeline(
      sent: "    (ab)c---",
      received: "-   -y--", step: .milliseconds(500), clock: clock, ["a": 1, "b": 2, "c": 3, "x": 101, "y": 102])
  }

  @Test(.conformance(53, 110)) func aDelayPostponesFollowUpsAndTasksAndKeepsTheirOrder() async {
    let clock = TestClock()
    let store = Self.store { action in
      action == 0 ? .send([1, 2]).delay(for: .seconds(2), clock: clock) <> .send(3) : .none
    }
    await store.assertTimeline(
      sent: "    a---",
      received: "z-(xy)-", step: .seconds(1), clock: clock, ["a": 0, "x": 1, "y": 2, "z": 3])
  }

  @Test(.conformance(53)) func anEffectThatReachesItsThrottleAfterADelayReplacesNothingAgain() async {
    let (clock, door, isCancelled) = (TestClock(), Door(), Journal<Bool>())
    let store = EffectTests.store { action in
      switch action {
      case 0:
        .send(10).throttle(id: "t", for: .seconds(1), clock: clock).delay(for: .seconds(1), clock: clock)
          .cancellable(id: "x", cancelInFlight: true)
      case 1:
        .run { _ in
          await door.pass()
          isCancelled.write(Task.isCancelled)
        }.cancellable(id: "x")
      default: .none
      }
    }
    store.dispatch(0)
    await clock.sleepers(atLeast: 1)
    store.dispatch(1)
    await door.isReached()
    await clock.advance(by: .seconds(1))
    await store.reaches { $0 == [0, 1, 10] }
    door.open()
    await isCancelled.reaches(count: 1)
    #expect(isCancelled.entries == [false])
  }

  @Test(.conformance(53, 110)) func delaysAddUpWithEachOtherAndWithADebounce() async {
    let clock = TestClock()
    let store = Self.store { action in
      switch action {
      case 0: .task { 10 }.delay(for: .seconds(1), clock: clock).delay(for: .seconds(2), clock: clock)
      case 1:
        .task { 11 }.delay(for: .seconds(5), clock: clock).debounce(id: "d", for: .seconds(5), clock: clock)
      default: .none
      }
    }
    await store.assertTimeline(
      sent: "    a---b----------",
      received: "---x----------y", step: .seconds(1), clock: clock, ["a": 0, "b": 1, "x": 10, "y": 11])
  }

  @Test(.conformance(53)) func aNegativeDelayIsZero() async {
    let clock = TestClock()
    let store = EffectTests.store { action in
      switch action {
      case 0: .send(1).delay(for: .seconds(-5), clock: clock)
      case 2: .send(3).debounce(id: 0, for: .seconds(-5), clock: clock)
      case 4: .timer(id: "t", every: .seconds(-1), clock: clock) { 5 }
      case 6: .send(7).throttle(id: "h", for: .seconds(-1), clock: clock)
      default: .none
      }
    }
    for action in [0, 2, 4, 6] { await store.dispatch(action).finish() }
    #expect(store.state == [0, 1, 2, 3, 4, 6, 7])
    #expect(clock.sleepers.isEmpty)
  }

  @Test(.conformance(53, 110), arguments: [true, false])
  func aThrottleBeginsAtOnceAndThenOnceAnInterval(latest: Bool) async {
    let clock = TestClock()
    let store = Self.store { action in
      action < 100
        ? .send(100 + action).throttle(id: "t", for: .seconds(1), latest: latest, clock: clock) : .none
    }
    let actions: [Character: Int] = [
      "a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "w": 101, "x": 104, "y": 105,
    ]
    // With `latest`, the last effect starts at the end of the interval and starts another interval.
    await store.assertTimeline(
      sent: "              (abcd)e---",
      received: latest ? "w     xy--" : "w     y---", step: .seconds(1), clock: clock, actions)
    #expect(store.store.state == (latest ? [1, 101, 2, 3, 4, 104, 5, 105] : [1, 101, 2, 3, 4, 5, 105]))
    #expect(store.store.isWithoutRuns)
  }

  @Test(.conformance(53), arguments: [true, false]) func aThrottleOfZeroDropsNothing(latest: Bool) async {
    let clock = TestClock()
    let store = Self.store { action in
      switch action {
      case 0: .send([1, 2, 3])
      case 1...3: .send(100 + action).throttle(id: "t", for: .zero, latest: latest, clock: clock)
      default: .none
      }
    }
    await store.send(0)
    #expect(store.store.state == [0, 1, 2, 3, 101, 102, 103])
  }

  @Test(.conformance(53, 110)) func cancellingAThrottleEndsTheIntervalAndForgetsTheWaitingOne() async {
    let clock = TestClock()
    let store = Self.store { action in
      switch action {
      case 1, 2: .send(100 + action).throttle(id: "t", for: .seconds(1), clock: clock)
      case 3: .cancel(id: "t")
      default: .none
      }
    }
    await store.assertTimeline(
      sent: "    (abcb)--",
      received: "(xy)  --", step: .seconds(1), clock: clock, ["a": 1, "b": 2, "c": 3, "x": 101, "y": 102])
    #expect(store.store.state == [1, 101, 2, 3, 2, 102])
  }

  @Test(.conformance(52), arguments: [true, false])
  func aCancelledEffectThatWaitsInAThrottleIsReleased(byItsHandle: Bool) {
    let clock = TestClock()
    let kept = Locked<Token?>(Token())
    guard let token = kept.withLock({ $0.map { Weak($0) } }) else { return }
    let middleware = Middleware<Int, Int, Int> { action, _, _ in
      if action == 9 { return .cancel(id: "name") }
      let token = kept.withLock { action == 1 ? $0.take() : nil }
      return .fireAndForget { _ = token }.throttle(id: "t", for: .seconds(1), clock: clock).cancellable(id: "name")
    }
    let store = Store(initialState: 0, reducer: .identity, middleware: middleware)
    store.dispatch(0)
    let waiting = store.dispatch(1)
    #expect(token.object != nil)
    if byItsHandle { waiting.cancel() } else { store.dispatch(9) }
    #expect(token.object == nil)
  }

  @Test(.conformance(53, 48)) func aThrottledEffectCanBeNamedAndDelayed() async {
    let clock = TestClock()
    let door = Door()
    let store = Self.store { action in
      switch action {
      case 0: EffectTests.late(door, 10).throttle(id: "t", for: .seconds(1), clock: clock).cancellable(id: "x")
      case 1: .cancel(id: "x")
      case 2: .send(20).throttle(id: "u", for: .seconds(1), clock: clock).delay(for: .seconds(5), clock: clock)
      default: .none
      }
    }
    await store.send(0)
    await store.send(1)
    door.open()
    await store.send(2)
    #expect(store.store.state == [0, 1, 2])
    #expect(clock.sleepers == [Self.at(1000), Self.at(5000)])
    await clock.advance(by: .seconds(5))
    #expect(store.store.state == [0, 1, 2, 20])
  }

  /// A system's clock traps if it shall sleep until a moment that it cannot express.
  @Test(.conformance(53)) func aVeryLongTimeIsLimitedToWhatAClockCanSleep() async {
    let clock = TestClock()
    let long = Duration.seconds(Int64.max)
    let store = Self.store { action in
      switch action {
      case 0: .send(100).delay(for: long, clock: clock)
      case 1: .send(100).debounce(id: "d", for: long, clock: clock)
      case 2: .send(100).throttle(id: "h", for: long, clock: clock)
      case 3: .timer(id: "t", every: long, clock: clock) { 100 }
      default: .none
      }
    }
    for action in 0...3 {
      await store.send(action)
      #expect(clock.sleepers.count == action + 1)
      #expect(clock.sleepers.last == TestInstant(offset: .seconds(1_000_000_000)))
    }
    await clock.advance(by: .seconds(1_000_000_000))
    #expect(store.store.state.filter { $0 == 100 }.count == 4)
  }

  @Test(.conformance(53)) func aVeryLongDelayOnTheSystemsClockCanBeCancelled() async {
    let store = EffectTests.store { action in
      switch action {
      case 0: .send(100).delay(for: .seconds(Int64.max))
      case 1: .timer(id: "t", every: .seconds(Int64.max)) { 100 }
      default: .none
      }
    }
    for action in 0...1 {
      let dispatch = store.dispatch(action)
      dispatch.cancel()
      await dispatch.finish()
    }
    #expect(store.state == [0, 1])
  }

  @Test(.conformance(53, 110)) func aTimerTicksEveryIntervalUntilItIsCancelled() async {
    let clock = TestClock()
    let store = Self.store { action in
      switch action {
      case 0: .timer(id: "t", every: .seconds(1), clock: clock) { 1 }
      case 2: .cancel(id: "t")
      default: .none
      }
    }
    await store.assertTimeline(
      sent: "    a--c----",
      received: "-xxx----", step: .seconds(1), clock: clock, ["a": 0, "x": 1, "c": 2])
    #expect(clock.sleepers.isEmpty)
  }

  @Test(.conformance(53)) func aTimerOfZeroEndsTheRunningOne() async {
    let clock = TestClock()
    let store = Self.store { action in
      action < 2 ? .timer(id: "t", every: .seconds(action), clock: clock) { 2 } : .none
    }
    await store.send(1)
    await store.send(0)
    await clock.advance(by: .seconds(3))
    #expect(store.store.state == [1, 0])
    #expect(clock.sleepers.isEmpty)
  }

  @Test(.conformance(53)) func aTimerReplacesTheRunningOneWithItsID() async {
    let clock = TestClock()
    let store = Self.store { action in
      action == 0 ? .timer(id: "t", every: .seconds(1), clock: clock) { 1 } : .none
    }
    await store.send(0)
    await clock.advance(by: .milliseconds(500))
    await store.send(0)
    #expect(clock.sleepers == [Self.at(1500)])
    await clock.advance(by: .seconds(1))
    #expect(store.store.state == [0, 0, 1])
  }

  // MARK: Retry

  /// Makes attempts with delays. Returns their number, the delays and the result.
  static func tried(
    _ backoff: Backoff, attempts: Int, failures: Int,
    unless isFinal: @escaping @Sendable (any Error) -> Bool = { _ in false },
    jitter: @escaping @Sendable (Duration) -> Duration = { $0 }
  ) async -> (tries: Int, end: Duration, result: Result<String, any Error>) {
    let clock = ImmediateClock()
    let tries = Locked(0)
    do {
      let value = try await backoff.retry(attempts: attempts, clock: clock, jitter: jitter, unless: isFinal) {
        let number = tries.withLock { value in
          value += 1; return value
        }
        if number <= failures { throw Failed() }
        return "done"
      }
      return (tries.withLock { $0 }, clock.now.offset, .success(value))
    } catch {
      return (tries.withLock { $0 }, clock.now.offset, .failure(error))
    }
  }

  @Test(.conformance(57)) func retryTriesUntilItSucceedsWithGrowingDelays() async throws {
    let (tries, end, result) = await Self.tried(Backoff(first: .milliseconds(100)), attempts: 5, failures: 3)
    #expect(tries == 4)
    #expect(end == .milliseconds(100 + 200 + 400))
    #expect(try result.get() == "done")
  }

  @Test(.conformance(57), arguments: [(3, 3), (1, 1), (0, 1), (-7, 1)])
  func retryIsBounded(attempts: Int, expected: Int) async {
    let (tries, _, result) = await Self.tried(Backoff(first: .zero), attempts: attempts, failures: .max)
    #expect(tries == expected)
    #expect(throws: Failed.self) { try result.get() }
  }

  @Test(.conformance(57)) func retryStopsAtAnErrorThatWillNotGoAway() async {
    let (tries, end, _) = await Self.tried(
      Backoff(first: .seconds(1)), attempts: 9, failures: .max, unless: { _ in true })
    #expect(tries == 1)
    #expect(end == .zero)
  }

  @Test(.conformance(57)) func delaysGrowUpToTheLongestAndJitterChangesThem() async {
    let backoff = Backoff(first: .seconds(1), factor: 3, longest: .seconds(10))
    #expect((1...5).map { backoff.delay(after: $0) } == [1, 3, 9, 10, 10].map { .seconds($0) })
    #expect(backoff.delay(after: 0) == .seconds(1))
    #expect(backoff.delay(after: 1_000) == .seconds(10))
    #expect(Backoff(first: .seconds(-1)).delay(after: 1) == .zero)
    #expect(Backoff(first: .seconds(60)).delay(after: 1) == .seconds(30))
    for factor in [Double.nan, .infinity, -.infinity, -2, 0, 1e300] {
      let pause = Backoff(first: .seconds(1), factor: factor).delay(after: 3)
      #expect(pause >= .zero && pause <= .seconds(30))
    }
    #expect(Backoff(first: .milliseconds(1), factor: 1).delay(after: .max) == .milliseconds(1))
    let (_, end, _) = await Self.tried(backoff, attempts: 10, failures: 2, jitter: { $0 / 2 })
    #expect(end == .seconds(2))
  }

  @Test(.conformance(57)) func aCancellationErrorIsFinalWhateverTheOwnRuleSays() async {
    let tries = Locked(0)
    await #expect(throws: CancellationError.self) {
      try await Backoff(first: .zero).retry(attempts: 9, clock: ImmediateClock(), unless: { _ in false }) { () -> Int in
        tries.withLock { $0 += 1 }
        throw CancellationError()
      }
    }
    #expect(tries.withLock { $0 } == 1)
  }

  @Test(.conformance(57)) func jitterDoesNotExceedTheLongestDelay() async {
    let backoff = Backoff(first: .seconds(6), longest: .seconds(10))
    let (_, end, _) = await Self.tried(backoff, attempts: 3, failures: .max, jitter: { $0 * 3 / 2 })
    #expect(end == .seconds(9 + 10))
  }

  @Test(.conformance(57)) func aVeryLongDelayOfARetryIsLimited() async {
    let clock = TestClock()
    let backoff = Backoff(first: .seconds(Int64.max), longest: .seconds(Int64.max))
    let task = Task { try await backoff.retry(attempts: 9, clock: clock) { () -> Int in throw Failed() } }
    await clock.sleepers(atLeast: 1)
    #expect(clock.sleepers == [TestInstant(offset: .seconds(1_000_000_000))])
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test(.conformance(57)) func aCancelledRetryEndsInItsDelay() async {
    let clock = TestClock()
    let task = Task {
      try await Backoff(first: .seconds(1)).retry(attempts: 9, clock: clock) { () -> Int in throw Failed() }
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

extension Store {
  /// Whether no effect runs, no feed is open and no interval of a throttle is open.
  var isWithoutRuns: Bool { effects.contents.withLock { $0.runs.isEmpty } }
}
