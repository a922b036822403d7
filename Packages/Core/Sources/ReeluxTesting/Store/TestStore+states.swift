import ReeluxCore
import ReeluxDiff
import Testing

extension TestStore {
  /// Compares the state after an action with the expected one.
  func verify(
    _ action: String, before: State, after: State, _ update: ((inout State) throws -> Void)?, _ place: TestPlace
  ) {
    settings.withLock { $0.asserted = after }
    let isExhaustive = exhaustivity.contains(.stateChanges)
    guard let update else {
      let change = difference(before, after)
      if change.isEmpty { return }
      let text = "\(action) changed the state, which was not expected:\n\n\(Wording.change(change))"
      if isExhaustive { fail(text, at: place) } else { note(text, at: place) }
      return
    }
    var expected = before
    guard apply(update, to: &expected, action, place) else { return }
    let difference = difference(expected, after)
    if difference.isEmpty { return }
    if isExhaustive {
      fail("The state after \(action) is not the expected one:\n\n\(Wording.unmet(difference))", at: place)
    } else {
      verifyStated(action, before: before, expected: expected, after: after, update, place)
    }
  }

  /// Compares only the parts that the test's closure states. They can be behind more changes, deeper, or in longer
  /// texts than the budget allows, so everything is compared, and only the messages are cut.
  private func verifyStated(
    _ action: String, before: State, expected: State, after: State, _ update: (inout State) throws -> Void,
    _ place: TestPlace
  ) {
    let all = InspectionBudget(depth: .max, visits: .max, changes: .max, textLength: .max, elements: .max)
    // The part of a list without ids is a position, so both states are compared position by position.
    var byPosition = all
    byPosition.edits = 0
    let changes = difference(expected, after, byPosition).changes
    let statedChanges = difference(before, expected, all).changes
    var stated = StatedParts(statedChanges)
    // If a part is set to its old value, this is visible only in a state with another value of this part. An error in
    // that state does not concern the action, because the closure accepted the state before the action.
    let unstated = changes.filter { !stated.contains($0) }
    let realChanges = difference(before, after, all).changes
    let kept = (realChanges + statedChanges).filter { $0.kind != .added }
    if let other = replacing(unstated, in: before, by: after, keeping: kept) {
      var again = other
      if repeats(update, on: &again) {
        // A closure that sets a collection removes the elements that the action has added. A change of such an element,
        // for example in a loop, states nothing, because its state did not contain the element. An element that the
        // closure adds is already stated.
        let grown = Set(realChanges.filter { $0.kind == .added }.map { $0.part })
        stated.insert(
          difference(other, again, byPosition).changes.filter { change in
            switch change.kind {
            case .added: false
            case .changed: !(change.path.enclosing + [change.path]).contains { grown.contains($0) }
            case .removed, .moved: true
            }
          })
      }
    }
    var brief = byPosition
    (brief.textLength, brief.elements) = (inspectionBudget.textLength, inspectionBudget.elements)
    let briefChanges = difference(expected, after, brief).changes
    let shown = zip(changes, briefChanges.count == changes.count ? briefChanges : changes)
    let unmet = shown.filter { stated.contains($0.0) }.map(\.1)
    if !unmet.isEmpty {
      fail("The state after \(action) is not the expected one:\n\n\(Wording.unmet(cut(unmet)))", at: place)
    }
    let skipped = shown.filter { !stated.contains($0.0) }.map(\.1)
    if !skipped.isEmpty {
      note("\(action) changed more than was stated:\n\n\(Wording.change(cut(skipped)))", at: place)
    }
  }

  /// The first changes, within the budget of this store.
  private func cut(_ changes: [ValueChange]) -> ValueDifference {
    let limit = inspectionBudget.changes
    return ValueDifference(changes: Array(changes.prefix(limit)), isTruncated: changes.count > limit)
  }

  /// The state before an action, with some parts of the state after it; `nil` if there is no such part.
  ///
  /// The closure of a test runs on this state. It may unwrap an optional or use an index, so these parts keep their
  /// values from before the action: a collection with removed or moved elements, and each optional, enum, object or
  /// list that contains one.
  private func replacing(
    _ changes: [ValueChange], in before: State, by after: State, keeping kept: [ValueChange]
  ) -> State? {
    let collections = Set(kept.filter { $0.kind != .changed }.flatMap { [$0.path] + $0.path.enclosing })
    var state: State?
    for path in changes.map(\.path) {
      var other = state ?? before
      let steps = PartReplacement(of: path)(&other, after)
      if !collections.contains(ValuePath(Array(path.components.prefix(steps)))) { state = other }
    }
    return state
  }

  /// The differences of two values, within the budget of this store or another one.
  private func difference(_ old: State, _ new: State, _ budget: InspectionBudget? = nil) -> ValueDifference {
    ValueDifference(from: old as Any, to: new as Any, budget: budget ?? inspectionBudget)
  }

  private func apply(
    _ update: (inout State) throws -> Void, to state: inout State, _ action: String, _ place: TestPlace
  ) -> Bool {
    do {
      try update(&state)
      return true
    } catch is ExpectationFailedError {
      fail("A #require in the expectation for \(action) failed, so the state was not compared.", at: place)
      return false
    } catch {
      fail("The expectation for \(action) threw an error: \(error)", at: place)
      return false
    }
  }

  /// Calls the closure on another state. Returns whether it throws no error. Expectations in the closure concern the
  /// state before the action, so the issues that they record here do not fail the test.
  private func repeats(_ update: (inout State) throws -> Void, on state: inout State) -> Bool {
    guard Test.current != nil else { return (try? update(&state)) != nil }
    var isComplete = false
    withKnownIssue("The closure was called again, on another state.", isIntermittent: true) {
      isComplete = (try? update(&state)) != nil
    }
    return isComplete
  }

  func fail(_ message: String, at place: TestPlace) {
    reporter.fail(message, at: place)
  }

  /// Reports a skipped check if ``showSkipped`` is true.
  func note(_ message: String, at place: TestPlace) {
    if showSkipped { reporter.note("Skipped: \(message)", at: place) }
  }
}
