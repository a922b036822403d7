import ReeluxTestSupport
import ReeluxFavorites
import Testing

/// Every interleaving of intents, requests, responses, delays and fetches on the pure machine.
@Suite(.timeLimit(.minutes(15))) struct InterleavingTests {
  @Test(.conformance(83), arguments: 1...4)
  func manyTogglesOfAnItemEndInTheLastIntentOnClientAndServer(toggles: Int) {
    let exploration = Exploration(from: World(), toggles: Array(repeating: 1, count: toggles), outcomes: [.done])
    #expect(exploration.violation == nil)
    #expect(exploration.ends > 0)
    #expect(exploration.endsWithFailure == 0)
  }

  @Test(.conformance(83), arguments: 1...3)
  func clientAndServerAgreeWhateverFailsAndWhenever(toggles: Int) {
    let exploration = Exploration(from: World(), toggles: Array(repeating: 1, count: toggles))
    #expect(exploration.violation == nil)
    #expect(exploration.endsWithFailure > 0)
  }

  @Test(.conformance(83), arguments: [World.Outcome.offline, .refused, .timeoutDone, .timeoutUndone])
  func clientAndServerAgreeOnTwoItemsWhateverFails(outcome: World.Outcome) {
    let exploration = Exploration(from: World(attempts: 1), toggles: [1, 2, 1], outcomes: [.done, outcome])
    #expect(exploration.violation == nil)
    #expect(exploration.ends > 0)
  }

  @Test(.conformance(83)) func itemsThatShareOnePlaceAtTheServerTakeTurns() {
    let exploration = Exploration(
      from: World(limit: 1), toggles: [1, 2, 3, 1], outcomes: [.done, .refused])
    #expect(exploration.violation == nil)
    #expect(exploration.endsWithFailure > 0)
  }

  @Test(.conformance(83), arguments: World.Outcome.allCases)
  func aFetchThatIsAnsweredAtAnyMomentUndoesNothingThatWasConfirmed(outcome: World.Outcome) {
    let exploration = Exploration(
      from: World(known: [1, 3]), toggles: [1, 1], loads: 2, outcomes: [.done, outcome])
    #expect(exploration.violation == nil)
    #expect(exploration.ends > 0)
  }

  @Test(.conformance(83)) func intentsBeforeTheFirstFetchAreSetAgainstWhatItBrings() {
    let exploration = Exploration(
      from: World(server: [1, 3]), toggles: [1, 2], loads: 1, outcomes: [.done, .refused, .timeoutUndone])
    #expect(exploration.violation == nil)
    #expect(exploration.endsWithFailure > 0)
  }

  @Test(.conformance(83)) func aFetchThatFailsLeavesTheIntentsUnderWay() {
    let exploration = Exploration(
      from: World(known: [1], limit: 1, attempts: 2), toggles: [1, 2], loads: 1, outcomes: [.done, .conflict],
      fetchMayFail: true)
    #expect(exploration.violation == nil)
    #expect(exploration.endsWithFailure > 0)
  }
}
