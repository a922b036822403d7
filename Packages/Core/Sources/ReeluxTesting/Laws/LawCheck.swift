import ReeluxCore
import ReeluxDiff

/// A run of a law over generated cases. It reports only the first case that breaks the law.
struct LawCheck {
  let seed: UInt64
  let count: Int
  let budget: InspectionBudget
  let place: TestPlace

  /// Calls `test` with a random source for each case, until a call returns the description of a failure.
  func check(_ law: String, _ test: (SeededRandom) -> String?) {
    let random = SeededRandom(seed: seed)
    for number in 1...max(count, 1) {
      guard let problem = test(random) else { continue }
      FailureReporter().fail(
        "\(law) does not hold in case \(number) of seed \(seed).\n\n\(problem)", at: place)
      return
    }
  }
}

extension LawCheck {
  /// The results of both sides of a law for one action and one state; `nil` if they are equal.
  func difference<Action, State>(
    _ left: Reducer<Action, State>, _ right: Reducer<Action, State>, _ action: Action, _ state: State
  ) -> String? {
    var (first, second) = (state, state)
    let accepted = (left.reduce(action, &first), right.reduce(action, &second))
    let change = change(first, second)
    if accepted.0 == accepted.1 && change == nil { return nil }
    var text = "  action: \(ValueText.describing(action))\n  state: \(ValueText.describing(state))"
    if accepted.0 != accepted.1 {
      text += "\n\nOne side accepts the action, the other one does not."
    }
    if let change { text += "\n\nThe states of the two sides differ:\n\n\(change)" }
    return text
  }

  /// The differences of two values, one on each line; `nil` if there are none.
  ///
  /// - Parameter kind: The name of the whole value in a difference.
  func change(_ old: Any, _ new: Any, of kind: String = "state") -> String? {
    let difference = ValueDifference(from: old, to: new, budget: budget)
    return difference.isEmpty ? nil : Wording.change(difference, of: kind)
  }
}
