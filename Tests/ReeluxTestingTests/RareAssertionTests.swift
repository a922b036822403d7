import ReeluxCore
import ReeluxTestSupport
import Testing

@testable import ReeluxTesting

/// Facts that no other test checks, as deliberate defects have shown: see Scripts/reliability, `mutate`.
@Suite(.timeLimit(.minutes(15))) struct RareAssertionTests {
  @Test(.conformance(69)) func anImmediateClockIsAtTheLatestDeadlineOfItsSleepers() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(until: TestInstant(offset: .seconds(3)))
    try await clock.sleep(until: TestInstant(offset: .seconds(2)))
    #expect(clock.now == TestInstant(offset: .seconds(3)))
  }

  @Test func sourcesThatAreSplitOffGiveNumbersOfTheirOwn() {
    let random = SeededRandom(seed: 1)
    #expect(random.split().next() != random.split().next())
  }

  @Test func aNounIsInThePluralUnlessThereIsOne() {
    #expect((0...2).map { Wording.count($0, "effect") } == ["0 effects", "1 effect", "2 effects"])
  }

  @Test func aReducerThatAcceptsByChanceIsNone() async {
    let calls = Locked(0)
    let moody = Reducer<Int, Int>.partial { _, _ in
      calls.withLock { count in
        count += 1
        return count % 2 == 0
      }
    }
    let reports = capturingFailures {
      assertReducerLaws(of: moody, action: { _ in 1 }, state: { _ in 1 })
    }
    #expect(reports.contains { $0.message.contains("The same action and state give the same state") })
  }

  private struct Child: Equatable, Sendable { var x = 1 }
  private struct Parent: Equatable, Sendable {
    var child: Child? = Child()
    var other = 0
  }

  @Test(.conformance(67, 109)) func aStatementAboutAPartThatIsGoneFails() async {
    let store = TestStore(
      initialState: Parent(),
      reducer: Reducer<Int, Parent> { _, state in
        state.child = nil
        state.other += 1
      }, exhaustivity: .all.subtracting(.stateChanges))
    let reports = await capturingFailures { await store.send(1) { $0.child?.x = 2 } }
    #expect(reports.filter(\.isFailure).count == 1)
  }

  @Test(.conformance(67)) func childTasksThatWaitForTheTestAreListed() async {
    let clock = TestClock()
    let find = ScriptedCalls<String, Int>()
    let store = TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
      middleware: Middleware { action, _, _ in
        guard action == 0 else { return .none }
        return .task(file: "Test.swift", function: "load()", line: 1) {
          async let first = find("m")
          async let second: Void = clock.sleep(for: .seconds(1))
          return try? await (first, second).0
        }
      })
    await store.send(0)
    let reports = await capturingFailures { await store.receive(7, timeout: .zero) }
    #expect(
      reports.map(\.message) == [
        """
        Expected to receive 7, but no action arrived.

        These are running:

          - effect from Test.swift:1 load(), waiting for work outside of the test, or for one of its child tasks

        Child tasks of effects, or cancelled effects, wait for the test:

          - asleep on a TestClock until 1.0 seconds
          - waiting for the answer to "m"
        """
      ])
    await find.succeed(7)
    await clock.advance(by: .seconds(1))
    await store.receive(7)
    await store.assertFinished()
  }

  @Test(.conformance(67)) func aWaitThatHasEndedIsNotReported() async {
    let clock = TestClock()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let store = TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
      middleware: Middleware { action, _, _ in
        guard action == 0 else { return .none }
        return .task {
          try? await clock.sleep(for: .seconds(1))
          for await _ in gate {}
          return 7
        }
      })
    await store.send(0)
    await clock.advance(by: .seconds(1))
    let reports = await capturingFailures { await store.receive(7, timeout: .zero) }
    #expect(reports.map { $0.message.hasSuffix(", waiting for work outside of the test") } == [true])
    opening.finish()
    await store.receive(7, timeout: .seconds(60))
    await store.assertFinished()
  }

  @Test func effectsThatDoNotEndAfterACancellationFailAtItsLine() async {
    let clock = TestClock()
    let reports = await capturingFailures {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
        middleware: Middleware { _, _, _ in
          .fireAndForget {
            try? await clock.sleep(for: .seconds(1))
            for _ in 0..<20_000 { await Task.yield() }
          }
        }, exhaustivity: .none)
      await store.send(1).cancel()
    }
    #expect(reports.map { $0.message.hasPrefix("The effects do not finish") } == [true])
    #expect(reports.map(\.fileID) == [#fileID])
    #expect(reports.map(\.line) == [#line - 4])
  }

  @Test func aFailureOfASkipOrACancellationIsReportedAtItsLine() async {
    let reports = await capturingFailures {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
        middleware: Middleware { number, _, _ in number == 0 ? .none : .send(number + 1) }, exhaustivity: .none)
      let task = await store.send(0)
      store.store.dispatch(1)
      await store.skipReceivedActions()
      store.store.dispatch(1)
      await task.cancel()
    }
    #expect(reports.map(\.line) == [#line - 4, #line - 2])
  }
}
