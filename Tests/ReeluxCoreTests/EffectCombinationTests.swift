import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Combinations of effect operators: replacing, throttles, debounces, detached parts, merged parts.
@Suite(.timeLimit(.minutes(15))) struct EffectCombinationTests {
  // MARK: Throttles that replace

  @MainActor @Test(.conformance(91)) func finishWaitsForAThrottledEffectThatReplacesItsOwnWaitingOne() async {
    let clock = TestClock()
    let door = Door()
    let events = Journal<String>()
    let store = EffectTests.store { action in
      .fireAndForget {
        events.write("begin \(action)")
        if action == 2 { await door.pass() }
      }
      .throttle(id: "t", for: .seconds(1), clock: clock).cancellable(id: "n", cancelInFlight: true)
    }
    await store.dispatch(1).finish()
    let second = store.dispatch(2)
    let waiting = Task {
      await second.finish()
      events.write("finished")
    }
    // The tasks of the main actor run in order, so the waiting task waits now.
    await Task {}.value
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await events.reaches(count: 2)
    await Task {}.value
    #expect(events.entries == ["begin 1", "begin 2"])
    door.open()
    await waiting.value
    #expect(events.entries == ["begin 1", "begin 2", "finished"])
  }
}
