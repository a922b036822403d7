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
      verifyStated(action, before: before, expected: expected, after: after, difference, update, place)
    }
  }

  /// Compares only the parts that the test's closure states.
  private func verifyStated(
    _ action: String, before: State, expected: State, after: State, _ difference: ValueDifference,
    _ update: (inout State) throws -> Void, _ place: TestPlace
  ) {
    var stated = self.difference(before, expected).changes
    // If a part is set to its old value, this is visible only in a state with another value of this part. An error in
    // that state does not concern the action, because the closure accepted the state before the action.
    let unstated = difference.changes.filter { !stated.contains(where: $0.concerns) }
    if let other = replacing(unstated, in: before, by: after) {
      var again = other
      if (try? update(&again)) != nil { stated += self.difference(other, again).changes }
    }
    var (unmet, skipped) = (difference, difference)
    unmet.changes = difference.changes.filter { change in stated.contains(where: change.concerns) }
    skipped.changes = difference.changes.filter { !unmet.changes.contains($0) }
    if !unmet.changes.isEmpty {
      fail("The state after \(action) is not the expected one:\n\n\(Wording.unmet(unmet))", at: place)
    }
    if !skipped.changes.isEmpty {
      note("\(action) changed more than was stated:\n\n\(Wording.change(skipped))", at: place)
    }
  }

  /// The state before an action, with some parts of the state after it; `nil` if there is no such part.
  ///
  /// The closure of a test may need the other parts as they were, such as an optional that it sets to `nil`. It may
  /// access elements, so a collection that has got or lost elements stays as it was.
  private func replacing(_ changes: [ValueChange], in before: State, by after: State) -> State? {
    let collections = changes.filter { $0.kind != .changed }.map(\.path.fields)
    let paths = changes.map(\.path).filter { path in
      !collections.contains { $0.isWithin(path.fields) || path.fields.isWithin($0) }
    }
    if paths.isEmpty { return nil }
    var state = before
    for path in paths { PartReplacement(of: path)(&state, after) }
    return state
  }

  /// The differences of two values, within the budget of this store.
  private func difference(_ old: State, _ new: State) -> ValueDifference {
    ValueDifference(from: old as Any, to: new as Any, budget: inspectionBudget)
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

  /// Reports a skipped check if the test asks for it.
  func note(_ message: String, at place: TestPlace) {
    if showSkipped { reporter.note("Skipped: \(message)", at: place) }
  }
}

extension ValueChange {
  /// Whether the change concerns a part that a test has stated with another change.
  ///
  /// An element of a set has no path of its own and is identified by its text. If elements of a list without ids are
  /// added or removed, the list counts as one part, because the positions differ on both sides.
  fileprivate func concerns(_ stated: ValueChange) -> Bool {
    if path == stated.path, kind != .changed, stated.kind != .changed, path.components.last?.isStep != true {
      return (old ?? new) == (stated.old ?? stated.new)
    }
    let part = stated.part
    return path.isWithin(part) || part.isWithin(path)
  }

  private var part: ValuePath {
    guard kind != .changed, case .index = path.components.last else { return path }
    return ValuePath(Array(path.components.dropLast()))
  }
}

extension ValuePath {
  /// The path without its first element of a list or dictionary, and without what follows.
  fileprivate var fields: ValuePath { ValuePath(Array(components.prefix { !$0.isStep })) }
}

extension ValuePath.Component {
  /// Whether the component leads to an element of a list or dictionary.
  fileprivate var isStep: Bool {
    switch self {
    case .index, .id, .key: true
    case .field: false
    }
  }
}
