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
}
