import ReeluxTestSupport
import ReeluxFavorites
import Testing

/// Every order of toggles, responses and ends of delays, each on a new store with the real middleware.
@Suite(.timeLimit(.minutes(15))) struct PermutationTests {
  @Test(.conformance(82, 83), arguments: 1...4)
  func everyOrderOfAnswersToTogglesOfOneItemEndsInTheLastIntentOrSaysWhy(toggles: Int) async {
    await runAll(toggles: Array(repeating: 1, count: toggles), outcomes: [.done, .refused])
  }

  @Test(.conformance(82, 83), arguments: 1...2)
  func everyOrderOfAnswersWithRetriesEndsInTheLastIntentOrSaysWhy(toggles: Int) async {
    await runAll(toggles: Array(repeating: 1, count: toggles), outcomes: [.done, .offline, .timeoutDone])
  }

  @Test(.conformance(82, 83), arguments: [1, 2])
  func everyOrderOfAnswersToTogglesOfTwoItemsEndsInTheLastIntentsOrSaysWhy(limit: Int) async {
    await runAll(toggles: [1, 2, 1, 2], outcomes: [.done, .refused], limit: limit)
  }

  /// Runs all sequences of choices. After each run, the last choice with a further option takes this option, and the
  /// following choices start again.
  private func runAll(toggles: [Int], outcomes: [PermutationRun.Outcome], limit: Int = 4) async {
    var choices: [Int] = []
    var runs = 0
    while true {
      var run = PermutationRun(toggles: toggles, outcomes: outcomes, limit: limit, choices: choices)
      await run.play()
      runs += 1
      #expect(run.violation == nil, "\(run.history)")
      choices = run.choices
      while let last = choices.last, last + 1 == run.options[choices.count - 1] { choices.removeLast() }
      guard let last = choices.popLast() else { break }
      choices.append(last + 1)
    }
    #expect(runs >= outcomes.count)
  }
}
