import ReeluxCore
import ReeluxDiff
import ReeluxTestSupport
import Testing

@testable import ReeluxTesting

/// Deliberately wrong expectations, each with its expected message.
@Suite(.conformance(67), .timeLimit(.minutes(15))) struct FailureMessageTests {
  let clock = TestClock()
  let find = ScriptedCalls<String, [String]>()
  let news = ScriptedSequence<String>()

  private func makeStore(
    _ exhaustivity: Exhaustivity = .all, line: UInt = #line
  ) -> TestStore<SearchAction, Search> {
    TestStore(
      initialState: Search(), feature: .search(find: { [find] in try await find($0) }, news: news, clock: clock),
      exhaustivity: exhaustivity, line: line)
  }

  /// Runs a wrong test. Returns its failures, which must refer to these lines of the test, counted from the call.
  private func failures(at lines: UInt..., from first: UInt = #line, _ body: () async -> Void) async -> [String] {
    let reports = await capturingFailures(body)
    #expect(reports.allSatisfy { $0.isFailure && $0.fileID == "ReeluxTestingTests/FailureMessageTests.swift" })
    #expect(reports.map { $0.line - first } == lines)
    return reports.map(\.message)
  }

  // MARK: States

  @Test func aWrongStateIsShownPartByPart() async {
    let messages = await failures(at: 2) {
      let store = makeStore()
      await store.send(.found(["M", "Faust"])) {
        $0.results = ["M", "Nosferatu"]
        $0.text = "m"
      }
    }
    #expect(
      messages == [
        """
        The state after .found(["M", "Faust"]) is not the expected one:

          text: expected "m", is ""
          results[1]: expected "Nosferatu", is "Faust"
        """
      ])
  }

  @Test func anUnstatedChangeFails() async {
    let messages = await failures(at: 2) {
      let store = makeStore()
      await store.send(.found(["M"]))
    }
    #expect(
      messages == [
        """
        .found(["M"]) changed the state, which was not expected:

          results[0]: + "M"
        """
      ])
  }

  @Test func anExpectationThatThrowsFails() async {
    let messages = await failures(at: 2) {
      let store = makeStore()
      await store.send(.cleared) { _ in throw Offline() }
    }
    #expect(messages == ["The expectation for .cleared threw an error: Offline()"])
  }

  @Test func aFailedRequireInAnExpectationIsReportedInOneLine() async {
    var messages: [String] = []
    await withKnownIssue("The #require fails.") {
      messages = await failures(at: 2) {
        let store = makeStore()
        await store.send(.cleared) { _ = try #require($0.failure) }
      }
    }
    #expect(messages == ["A #require in the expectation for .cleared failed, so the state was not compared."])
  }

  @Test func aMessageShowsTheFirstTwentyChanges() async {
    let store = TestStore(initialState: [Int](), reducer: Reducer<Int, [Int]> { $1 = Array(0..<$0) })
    let messages = await capturingFailures { await store.send(1_000) }.map(\.message)
    let lines = messages.first?.split(separator: "\n") ?? []
    #expect(lines.count == 22)
    #expect(lines.last == "  … (more than the inspection budget allows)")
  }

  @Test func theFailurePointsToTheLineOfTheCall() async {
    let store = makeStore()
    let reports = await capturingFailures { await store.send(.found(["M"])) }
    #expect(reports.map(\.line) == [#line - 1])
  }

  // MARK: Received actions

  @Test func anotherActionThanExpectedFailsWithTheDifference() async {
    let messages = await failures(at: 3) {
      let store = makeStore()
      await store.send(.clear)
      await store.receive(.found([]))
    }
    #expect(
      messages == [
        """
        Received another action than the expected one:

          expected: .found([])
          received: .cleared, sent at ReeluxTestingTests/Search.swift:45 handle(action:from:state:)
        """
      ])
  }

  @Test func anotherPayloadThanExpectedFailsWithTheDifference() async {
    let messages = await failures(at: 8) {
      let store = makeStore()
      await store.send(.typed("m")) {
        $0.text = "m"
        $0.isSearching = true
      }
      await clock.run()
      await find.succeed(["M", "Faust"])
      await store.receive(.found(["M", "Nosferatu"])) {
        $0.results = ["never compared"]
      }
    }
    #expect(
      messages == [
        """
        Received another action than the expected one:

          expected: .found(["M", "Nosferatu"])
          received: .found(["M", "Faust"]), sent at ReeluxTestingTests/Search.swift:43 handle(action:from:state:)

        They differ in:

          found[1]: expected "Nosferatu", is "Faust"
        """
      ])
  }

  @Test func nothingToReceiveFailsAtOnceWithWhatIsRunning() async {
    let messages = await failures(at: 2, 7, 9) {
      let store = makeStore()
      await store.receive(.cleared)
      await store.send(.typed("m")) {
        $0.text = "m"
        $0.isSearching = true
      }
      await store.receive(.found([]))
      await clock.run()
      await store.receive(.found([]))
      await find.succeed([])
      await store.receive(.found([])) { $0.isSearching = false }
      #expect(store.changes.waits == 0, "There is no outside to wait for.")
    }
    #expect(
      messages == [
        """
        Expected to receive .cleared, but no action arrived.

        No effect is running and no feed is open.
        """,
        """
        Expected to receive .found([]), but no action arrived.

        These are running:

          - effect from ReeluxTestingTests/Search.swift:43 handle(action:from:state:), asleep on a TestClock until 0.3 seconds
        """,
        """
        Expected to receive .found([]), but no action arrived.

        These are running:

          - effect from ReeluxTestingTests/Search.swift:43 handle(action:from:state:), waiting for the answer to "m"
        """,
      ])
  }

  @Test func anActionBeforeTheExpectedOneFailsAndIsSkipped() async {
    let messages = await failures(at: 5) {
      let store = makeStore([.stateChanges, .receivedActions])
      await store.send(.goLive(true)) { $0.isLive = true }
      await news.send("M")
      await news.send("Faust")
      await store.receive(.arrived("Faust")) { $0.results = ["M", "Faust"] }
    }
    #expect(
      messages == [
        """
        1 other action arrived before .arrived("Faust"):

          - .arrived("M"), sent at ReeluxTestingTests/Search.swift:55 feeds(for:)
        """
      ])
  }

  @Test func sendingBeforeReceivingFails() async {
    let messages = await failures(at: 3) {
      let store = makeStore()
      await store.send(.clear)
      await store.send(.found(["M"])) { $0.results = ["M"] }
    }
    #expect(
      messages == [
        """
        1 action must be received before sending .found(["M"]):

          - .cleared, sent at ReeluxTestingTests/Search.swift:45 handle(action:from:state:)
        """
      ])
  }

  // MARK: The end

  @Test func leftoversFailAtTheEndWithThePlaceWhereEachBegan() async {
    let messages = await failures(at: 10, 10, 10) {
      let store = makeStore()
      await store.send(.goLive(true)) { $0.isLive = true }
      await store.send(.clear)
      await store.skipReceivedActions()
      await store.send(.typed("m")) {
        $0.text = "m"
        $0.isSearching = true
      }
      await news.send("M")
      await store.assertFinished()
    }
    #expect(messages == Self.leftovers)
  }

  @Test func leftoversFailWhenTheTestStoreIsReleased() async {
    let messages = await failures(at: 1, 1, 1) {
      let store = makeStore()
      await store.send(.goLive(true)) { $0.isLive = true }
      await store.send(.typed("m")) {
        $0.text = "m"
        $0.isSearching = true
      }
      await news.send("M")
    }
    #expect(messages == Self.leftovers)
    #expect(news.readerCount == 0)
    #expect(clock.sleepers.isEmpty)
  }

  private static let leftovers = [
    """
    1 action was not received by the test:

      - .arrived("M"), sent at ReeluxTestingTests/Search.swift:55 feeds(for:)
    """,
    """
    1 effect is still running:

      - effect from ReeluxTestingTests/Search.swift:43 handle(action:from:state:), asleep on a TestClock until 0.3 seconds
    """,
    """
    1 feed is still open:

      - feed from ReeluxTestingTests/Search.swift:53 feeds(for:), waiting for the next String of a ScriptedSequence
    """,
  ]

  /// A store whose timer ticks every second.
  private func makeTicking(_ clock: some Clock<Duration>) -> TestStore<Int, Int> {
    TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
      middleware: Middleware { action, _, _ in
        action == 0 ? .none : .timer(id: "tick", every: .seconds(1), clock: clock) { 0 }
      }, exhaustivity: [.receivedActions])
  }

  @Test func ofManyActionsTheFirstTenAreListed() async {
    let messages = await failures(at: 4) {
      let store = makeTicking(clock)
      await store.send(1)
      await clock.advance(by: .seconds(12))
      await store.assertFinished()
    }
    let lines = messages.first?.split(separator: "\n") ?? []
    #expect(lines.first == "12 actions were not received by the test:")
    #expect(lines.dropFirst().prefix(10).allSatisfy { $0.hasPrefix("  - 0, sent at ") })
    #expect(lines.dropFirst(11) == ["  … and 2 more"])
  }

  @Test func aClockSaysThatItStoppedAtTheLimitOfRun() async {
    let store = makeTicking(clock)
    store.exhaustivity = .none
    await store.send(1)
    let reports = await capturingFailures { await clock.run(limit: 3) }
    #expect(
      reports.map(\.message) == [
        """
        run(limit:) stopped after 3 wake-ups. 1 task still sleeps. The next deadline is 4.0 seconds. For work without an end, such as a \
        timer, use advance(by:).
        """
      ])
    #expect(reports.allSatisfy { !$0.isFailure && $0.line == #line - 8 })
    let quiet = await capturingFailures { await TestClock().run(limit: 0) }
    #expect(quiet.isEmpty)
  }

  @Test func bothSidesOfALongTextAreQuoted() async {
    struct Requests: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
      var description: String
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    let messages = await failures(at: 4) {
      let store = TestStore(
        initialState: Requests(description: "last number 0, not fetched"),
        reducer: Reducer<String, Requests> { action, state in state.description = action })
      await store.send("last number 2, 1 requesting") { $0.description = "none" }
    }
    #expect(
      messages.first?.hasSuffix("\n\n  state: expected “none”, is “last number 2, 1 requesting”") == true,
      "\(messages)")
    // A comma inside of quotation marks or brackets separates nothing.
    let difference = ValueDifference(from: ["a, b"] as Any, to: ["c"] as Any)
    #expect(Wording.unmet(difference) == #"  [0]: expected "a, b", is "c""#)
  }

  @Test func theTextOfACaseHasTheRightArticle() {
    struct ElementAction {}
    enum Rows { case row(ElementAction), title(String), both(Int, String) }
    #expect(CasePattern(Rows.row).text == "a case with an ElementAction")
    #expect(CasePattern(Rows.title).text == "a case with a String")
    #expect(CasePattern(Rows.both).text == "a case with (Int, String)")
  }

  @Test func effectsThatNeverComeToRestFail() async {
    let line = #line + 4
    let messages = await failures(at: 6) {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
        middleware: Middleware { _, _, _ in .timer(id: "tick", every: .seconds(1), clock: ImmediateClock()) { 0 } },
        exhaustivity: .none)
      store.store.dispatch(1)
      await store.settle()
    }
    #expect(
      messages == [
        """
        The effects do not finish: they ran more than 10,000 steps without waiting for a clock or for work outside of \
        the test. A timer or a loop on an ImmediateClock never waits: pass a TestClock. A loop that only \
        yields never waits either.

        These are running:

          - effect from ReeluxTestingTests/FailureMessageTests.swift:\(line) effectsThatNeverComeToRestFail()
        """
      ])
  }

  @Test func actionsThatLeadToEachOtherWithoutEndFail() async {
    let line = #line + 5
    let messages = await failures(at: 6) {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Bool, Int> { _, _ in },
        middleware: Middleware { flag, _, _ in
          .send(!flag)
        }, exhaustivity: .none)
      await store.send(true)
    }
    #expect(
      messages == [
        """
        Actions lead to each other without end. After 10,000 of them this one was dropped:

          - false, sent at ReeluxTestingTests/FailureMessageTests.swift:\(line) actionsThatLeadToEachOtherWithoutEndFail()
        """
      ])
  }

  // MARK: The frameworks

  // `XCTestStoreTests` contains the same test under XCTest.
  @Test(.conformance(70)) func withoutCapturingTheFailureGoesToTheTest() async {
    await withKnownIssue {
      let store = makeStore()
      await store.send(.found(["M"]))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix(#".found(["M"]) changed the state"#) }
        && issue.sourceLocation?.fileID == "ReeluxTestingTests/FailureMessageTests.swift"
    }
  }

  @Test func anAnswerToNobodyFails() async {
    let messages = await failures(at: 1) {
      await find.succeed([])
    }
    #expect(messages == ["No call waits for an answer. Send the action that makes the call first, or use prepare(_:)."])
  }
}
