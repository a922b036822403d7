import ReeluxCore
import ReeluxDiff

extension TestStore {
  /// Compares the state after an action with the expected one.
  func verify(
    _ action: String, before: State, after: State, _ update: ((inout State) throws -> Void)?, _ place: TestPlace
  ) {
    settings.withLock { $0.asserted = after }
    let isExhaustive = exhaustivity.contains(.stateChanges)
    guard let update else {
      let change = ValueDifference(from: before as Any, to: after as Any)
      if change.isEmpty { return }
      let text = "\(action) changed the state, which was not expected:\n\n\(Wording.change(change))"
      if isExhaustive { fail(text, at: place) } else { note(text, at: place) }
      return
    }
    var expected = before
    guard apply(update, to: &expected, action, place) else { return }
    let difference = ValueDifference(from: expected as Any, to: after as Any)
    if difference.isEmpty { return }
    if isExhaustive {
      fail("The state after \(action) is not the expected one:\n\n\(Wording.unmet(difference))", at: place)
    } else {
      verifyStated(action, after: after, difference, update, place)
    }
  }

  /// Compares only the parts that the test's closure sets: those that it would change in the state after, too.
  private func verifyStated(
    _ action: String, after: State, _ difference: ValueDifference, _ update: (inout State) throws -> Void,
    _ place: TestPlace
  ) {
    var again = after
    guard apply(update, to: &again, action, place) else { return }
    let stated = ValueDifference(from: after as Any, to: again as Any).changes.map(\.path)
    var unmet = difference
    unmet.changes.removeAll { change in
      !stated.contains { $0.isWithin(change.path) || change.path.isWithin($0) }
    }
    if !unmet.changes.isEmpty {
      fail("The state after \(action) is not the expected one:\n\n\(Wording.unmet(unmet))", at: place)
    }
    var skipped = difference
    skipped.changes.removeAll { unmet.changes.contains($0) }
    if !skipped.changes.isEmpty {
      note("\(action) changed more than was stated:\n\n\(Wording.change(skipped))", at: place)
    }
  }

  private func apply(
    _ update: (inout State) throws -> Void, to state: inout State, _ action: String, _ place: TestPlace
  ) -> Bool {
    do {
      try update(&state)
      return true
    } catch {
      fail("The expectation for \(action) threw an error: \(error)", at: place)
      return false
    }
  }

  func fail(_ message: String, at place: TestPlace) {
    reporter.fail(message, at: place)
  }

  /// Tells what was skipped, if that is wanted.
  func note(_ message: String, at place: TestPlace) {
    if showSkipped { reporter.note("Skipped: \(message)", at: place) }
  }
}
