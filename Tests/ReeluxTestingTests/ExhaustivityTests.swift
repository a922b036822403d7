import ReeluxCore
import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

@Suite(.conformance(67), .timeLimit(.minutes(15))) struct ExhaustivityTests {
  let clock = TestClock()
  let find = ScriptedCalls<String, [String]>()
  let news = ScriptedSequence<String>()

  private func makeStore(without kind: Exhaustivity, showSkipped: Bool = false) -> TestStore<SearchAction, Search> {
    let store = TestStore(
      initialState: Search(), feature: .search(find: { [find] in try await find($0) }, news: news, clock: clock),
      exhaustivity: .all.subtracting(kind))
    store.showSkipped = showSkipped
    return store
  }

  // MARK: State changes

  @Test func unstatedChangesMayBeSkipped() async {
    let store = makeStore(without: .stateChanges)
    await store.send(.found(["M"]))
    await store.send(.arrived("Faust")) { _ in }
    #expect(store.state.results == ["M", "Faust"])
  }

  @Test func aStatedPartIsComparedAndOthersAreNot() async {
    let store = makeStore(without: [.stateChanges, .runningEffects])
    await store.send(.typed("m")) { $0.text = "m" }
    let reports = await capturingFailures { await store.send(.typed("me")) { $0.text = "met" } }
    #expect(
      reports.map(\.message) == [
        """
        The state after .typed("me") is not the expected one:

          text: expected "met", is "me"
        """
      ])
  }

  @Test func aPartMayBeStatedRelativelyOrAsUnchanged() async {
    struct Pair: Equatable, Sendable { var left = 0, right = 0 }
    let store = TestStore(
      initialState: Pair(),
      reducer: Reducer<Int, Pair> { action, state in
        state.left += action
        state.right += 1
      }, exhaustivity: .all.subtracting(.stateChanges))
    await store.send(2) { $0.left += 2 }
    await store.send(2) { $0.right += 1 }
    let relative = await capturingFailures { await store.send(2) { $0.left += 1 } }
    #expect(relative.first?.message.hasSuffix("\n\n  left: expected 5, is 6") == true)
    let unchanged = await capturingFailures { await store.send(2) { $0.left = 6 } }
    #expect(unchanged.first?.message.hasSuffix("\n\n  left: expected 6, is 8") == true)
  }

  private struct Shelf: Sendable {
    var titles: [String] = ["first"]
    var tags: Set<String> = []
    var count = 0
  }

  private func shelf(_ change: @escaping @Sendable (inout Shelf) -> Void) -> TestStore<Int, Shelf> {
    TestStore(
      initialState: Shelf(),
      reducer: Reducer { _, state in
        change(&state)
        state.count += 1
      }, exhaustivity: .all.subtracting(.stateChanges))
  }

  @Test(.conformance(109)) func aStatedAdditionIsCompared() async {
    let wrong = shelf { $0.titles.append("a") }
    let reports = await capturingFailures { await wrong.send(1) { $0.titles.append("b") } }
    #expect(reports.map(\.message).first?.contains(#"titles[1]: expected "b", is "a""#) == true)
    await shelf { $0.titles.append("b") }.send(1) { $0.titles.append("b") }
    let shifted = shelf { $0.titles = ["x"] + $0.titles + ["a"] }
    #expect(await capturingFailures { await shifted.send(1) { $0.titles.append("b") } }.count == 1)
    let missing = shelf { _ in }
    #expect(await capturingFailures { await missing.send(1) { $0.titles.append("b") } }.count == 1)
  }

  @Test(.conformance(109)) func aStatedRemovalIsComparedAndItsClosureRunsOnTheStateBeforeOnly() async {
    await shelf { $0.titles = [] }.send(1) { $0.titles.remove(at: 0) }
    let wrong = shelf { _ in }
    #expect(await capturingFailures { await wrong.send(1) { $0.titles.remove(at: 0) } }.count == 1)
  }

  @Test(.conformance(109)) func aStatedMemberOfASetIsComparedAndOthersAreNot() async {
    await shelf { $0.tags = ["a", "b"] }.send(1) { $0.tags.insert("b") }
    let wrong = shelf { $0.tags = ["a"] }
    let reports = await capturingFailures { await wrong.send(1) { $0.tags.insert("b") } }
    #expect(reports.map(\.message).first?.hasSuffix(#"tags: missing "b""#) == true)
  }

  @Test(.conformance(108)) func theBudgetOfAStoreLimitsItsMessagesAndNotItsVerdict() async {
    struct Row: Sendable { var value: Int }
    let store = TestStore(
      initialState: (0..<100).map { Row(value: $0) },
      reducer: Reducer<Int, [Row]> { amount, rows in for index in rows.indices { rows[index].value += amount } })
    store.inspectionBudget = InspectionBudget(visits: 5, changes: 2)
    await store.send(0) { _ in }
    let reports = await capturingFailures { await store.send(1) }
    #expect(reports.count == 1)
    #expect(reports.first?.message.contains("0 → 1") == true)
    #expect(reports.first?.message.split(separator: "\n").count ?? 9 <= 4)
  }

  @Test func skippedChangesCanBeShown() async {
    let store = makeStore(without: [.stateChanges, .runningEffects], showSkipped: true)
    let reports = await capturingFailures {
      await store.send(.typed("m")) { $0.text = "m" }
      await store.send(.clear)
      await store.receive(.cleared)
    }
    #expect(reports.allSatisfy { !$0.isFailure })
    #expect(
      reports.map(\.message) == [
        """
        Skipped: .typed("m") changed more than was stated:

          isSearching: false → true
        """,
        """
        Skipped: .clear changed the state, which was not expected:

          text: "m" → ""
          isSearching: true → false
        """,
      ])
  }

  // MARK: Received actions

  @Test func receiveSkipsToWhatItLooksFor() async {
    let store = makeStore(without: [.receivedActions, .openFeeds])
    await store.send(.goLive(true)) { $0.isLive = true }
    for title in ["M", "Faust", "Nosferatu"] { await news.send(title) }
    await store.receive(.arrived("Faust")) { $0.results = ["M", "Faust"] }
    await store.assertFinished()
  }

  @Test func skippedActionsCanBeShown() async {
    let store = makeStore(without: [.receivedActions, .openFeeds], showSkipped: true)
    let reports = await capturingFailures {
      await store.send(.goLive(true)) { $0.isLive = true }
      for title in ["M", "Faust", "Nosferatu"] { await news.send(title) }
      await store.receive(.arrived("Faust")) { $0.results = ["M", "Faust"] }
      await store.assertFinished()
    }
    #expect(reports.allSatisfy { !$0.isFailure })
    #expect(
      reports.map { $0.message.split(separator: "\n").first } == [
        "Skipped: 1 action before .arrived(\"Faust\"):", "Skipped: 1 action was not received by the test:",
        "Skipped: 1 feed is still open:",
      ])
  }

  @Test func whatNeverComesStillFails() async {
    let store = makeStore(without: .receivedActions)
    await store.send(.clear)
    let reports = await capturingFailures { await store.receive(.found([])) }
    #expect(
      reports.map(\.message) == [
        """
        Expected to receive .found([]), but only other actions arrived:

          - .cleared, sent at ReeluxTestingTests/Search.swift:45 handle(action:from:state:)

        No effect is running and no feed is open.
        """
      ])
  }

  @Test func whatNeverComesIsReportedWithWhatIsRunning() async {
    let store = makeStore(without: [.receivedActions, .openFeeds])
    await store.send(.goLive(true)) { $0.isLive = true }
    await news.send("M")
    let reports = await capturingFailures { await store.receive(.found([])) }
    #expect(reports.first?.message.contains("only other actions arrived:\n\n  - .arrived(\"M\"), sent at ") == true)
    #expect(reports.first?.message.contains("\n\nThese are running:\n\n  - feed from ") == true)
  }

  // MARK: Effects and feeds

  @Test func runningEffectsMayBeLeft() async {
    let reports = await capturingFailures {
      let store = makeStore(without: .runningEffects)
      await store.send(.typed("m")) {
        $0.text = "m"
        $0.isSearching = true
      }
      await store.assertFinished()
    }
    #expect(reports.isEmpty)
  }

  @Test func openFeedsMayBeLeft() async {
    let reports = await capturingFailures {
      let store = makeStore(without: .openFeeds)
      await store.send(.goLive(true)) { $0.isLive = true }
    }
    #expect(reports.isEmpty)
  }

  @Test func eachKindIsSwitchedOffAlone() async {
    for kind in [Exhaustivity.receivedActions, .runningEffects, .openFeeds] {
      let reports = await capturingFailures {
        let store = makeStore(without: kind)
        await store.send(.goLive(true)) { $0.isLive = true }
        await store.send(.typed("m")) {
          $0.text = "m"
          $0.isSearching = true
        }
        await news.send("M")
      }
      #expect(reports.count == 2)
    }
  }
}
