import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Timelines of a search that waits 300 ms for the next letter.
@Suite(.conformance(110), .timeLimit(.minutes(15))) struct TimelineTests {
  let clock = TestClock()
  let actions: [Character: SearchAction] = [
    "a": .typed("m"), "b": .typed("me"), "x": .found(["m"]), "y": .found(["me"]), "c": .clear, "z": .cleared,
  ]

  private func makeStore() -> TestStore<SearchAction, Search> {
    TestStore(initialState: Search(), feature: .search(clock: clock))
  }

  @Test func actionsComeAtTheStatedSteps() async {
    let store = makeStore()
    await store.assertTimeline(
      sent: "    a-b-----a-----",
      received: "-----y-----x--", step: .milliseconds(100), clock: clock, actions)
    #expect(store.state.results == ["m"])
    await store.assertFinished()
  }

  @Test func actionsOfOneStepAreAGroupInTheirOrder() async {
    let store = makeStore()
    await store.assertTimeline(
      sent: "    (ab)-c---",
      received: "-   -(yz)---", step: .milliseconds(150), clock: clock, actions)
    await store.assertFinished()
  }

  @Test func anotherTimeFailsWithThePictureAsItIs() async {
    let store = makeStore()
    let reports = await capturingFailures {
      await store.assertTimeline(
        sent: "a-b------", received: "------y--", step: .milliseconds(100), clock: clock, actions)
    }
    #expect(
      reports.map(\.message) == [
        """
        The actions do not come at the stated times; one character is 0.1 seconds:

          sent:     a-b------
          expected: ------y--
          received: -----y---
        """
      ])
  }

  @Test func anActionWithoutALetterIsNamed() async {
    let store = makeStore()
    let reports = await capturingFailures {
      await store.assertTimeline(
        sent: "a---", received: "----", step: .milliseconds(200), clock: clock, ["a": .typed("m")])
    }
    #expect(reports.count == 1)
    #expect(reports.first?.message.contains("received: -?--") == true)
    #expect(reports.first?.message.contains(#"- .found(["m"]) in step 1, sent at "#) == true)
  }

  @Test(arguments: [
    ("a-(b", "The group of character 3 is not closed"), ("a -q", "Character 4, q, has no action"),
    ("a)-", "Character 2, ), closes no group"), ("((a))", "Character 2, (, is inside of a group"),
    ("(a-)", "Character 3, -, is inside of a group"),
  ])
  func anUnreadableLineFailsWithTheCharacter(line: String, problem: String) async {
    let store = makeStore()
    let reports = await capturingFailures {
      await store.assertTimeline(sent: line, received: "-", step: .seconds(1), clock: clock, actions)
      await store.assertTimeline(sent: "a", received: line, step: .seconds(1), clock: clock, actions)
    }
    #expect(
      reports.map(\.message) == [
        "\(problem) in the sent timeline: \(line)", "\(problem) in the received timeline: \(line)",
      ])
    #expect(reports.map(\.isFailure) == [true, true])
    #expect(clock.now == TestInstant())
  }

  @Test(arguments: [0, -1]) func aStepWithoutLengthFails(seconds: Int) async {
    let store = makeStore()
    let reports = await capturingFailures {
      await store.assertTimeline(sent: "a", received: "-", step: .seconds(seconds), clock: clock, actions)
    }
    #expect(
      reports.map(\.message) == ["The step of a timeline must be more than zero, but it is \(seconds).0 seconds."])
  }

  @Test func theClockMovesBeforeTheActionsOfAStepAreSent() async {
    let clock = clock
    let store = TestStore(
      initialState: [Duration](),
      reducer: Reducer<Character, [Duration]> { _, state in state.append(TestInstant().duration(to: clock.now)) })
    await store.assertTimeline(
      sent: "a-a", received: "---", step: .seconds(1), clock: clock, ["a": "a"])
    #expect(store.state == [.zero, .seconds(2)])
  }

  @Test func aWaitThatIsInVainFailsWithAMessage() async {
    let calls = ScriptedCalls<Int, Int>()
    let recorder = DispatchRecorder<Int>()
    let reports = await capturingFailures {
      await clock.sleepers(atLeast: 1, timeout: .zero)
      await calls.pending(atLeast: 2, timeout: .zero)
      await recorder.actions(atLeast: 3, timeout: .zero)
    }
    #expect(
      reports.map(\.message) == [
        "1 task should sleep, but within 0.0 seconds there were 0.",
        "2 calls should wait for an answer, but within 0.0 seconds there were 0.",
        "3 actions should have arrived, but within 0.0 seconds there were 0.",
      ])
  }

  @Test func twoLettersMayHaveEqualActions() async {
    var actions = actions
    actions["p"] = .typed("m")
    actions["A"] = .found(["m"])
    let store = makeStore()
    await store.assertTimeline(
      sent: "    a-----p---",
      received: "---x-----A", step: .milliseconds(100), clock: clock, actions)
    await store.assertFinished()
    let echo = Middleware<Int, Int, Int> { action, _, _ in action == 0 ? .send(1) <> .send(1) : .none }
    await TestStore(initialState: 0, reducer: Reducer<Int, Int> { _, _ in }, middleware: echo).assertTimeline(
      sent: "s", received: "(ba)", step: .seconds(1), clock: clock, ["s": 0, "a": 1, "b": 1])
  }
}
