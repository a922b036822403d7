public import ReeluxCore
import ReeluxDiff

extension TestStore {
  /// Receives the next action that an effect sent, and compares its changes of the state with the expected ones.
  ///
  /// - Parameters:
  ///   - expectedAction: The expected action. It is compared with `==`, or by structure if it is not `Equatable`.
  ///   - timeout: The longest real time to wait for the action. Default: five seconds if an effect or feed waits for
  ///     work outside of the test or for its child tasks, and zero otherwise.
  ///   - expected: Changes the state before the action to the expected state. Without it, no change is expected.
  public nonisolated(nonsending) func receive(
    _ expectedAction: Action, timeout: Duration? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line,
    column: UInt = #column, _ expected: ((inout State) throws -> Void)? = nil
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let budget = inspectionBudget
    let wanted = Wanted<Action, Void>(text: Wording.action(expectedAction), example: expectedAction) { action in
      ValueDifference(from: expectedAction as Any, to: action as Any, budget: budget).isEmpty ? () : nil
    }
    _ = await receive(wanted, timeout: timeout, place, expected)
  }

  /// Receives the next action. It must contain the part of `prism`.
  ///
  /// - Returns: The part, or `nil` if there is no such action. The test then fails.
  @discardableResult public nonisolated(nonsending) func receive<Part: Sendable>(
    _ prism: Prism<Action, Part>, timeout: Duration? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line,
    column: UInt = #column, _ expected: ((inout State) throws -> Void)? = nil
  ) async -> Part? {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let wanted = Wanted<Action, Part>(
      text: "an action with \(Wording.withArticle(Part.self)), by its prism", match: prism.extract)
    return await receive(wanted, timeout: timeout, place, expected)
  }

  /// Receives the next action. It must be of this case and may have any payload.
  ///
  /// ```swift
  /// let found = await store.receive(case: Search.found) { $0.isSearching = false }
  /// ```
  ///
  /// - Parameter enumCase: A case with one associated value, with or without a label, written as a function.
  /// - Returns: The payload, or `nil` if there is no such action. The test then fails.
  @discardableResult public nonisolated(nonsending) func receive<Part: Sendable>(
    case enumCase: @escaping (Part) -> Action, timeout: Duration? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line,
    column: UInt = #column, _ expected: ((inout State) throws -> Void)? = nil
  ) async -> Part? {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let pattern = CasePattern<Action, Part>(enumCase)
    let wanted = Wanted<Action, Part>(text: pattern.text, name: pattern.name, match: pattern.parts)
    return await receive(wanted, timeout: timeout, place, expected)
  }

  /// Receives the next action. It must be of this case with several associated values.
  ///
  /// ```swift
  /// let (user, count) = try #require(await store.receive(case: Login.signedIn))
  /// ```
  ///
  /// - Parameter enumCase: A case with associated values, with or without labels, written as a function.
  /// - Returns: The payload as a tuple, or `nil` if there is no such action. The test then fails.
  @discardableResult public nonisolated(nonsending) func receive<First: Sendable, each Part: Sendable>(
    case enumCase: @escaping (First, repeat each Part) -> Action, timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column, _ expected: ((inout State) throws -> Void)? = nil
  ) async -> (First, repeat each Part)? {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let pattern = CasePattern<Action, First, repeat each Part>(enumCase)
    let wanted = Wanted<Action, (First, repeat each Part)>(
      text: pattern.text, name: pattern.name, match: pattern.parts)
    return await receive(wanted, timeout: timeout, place, expected)
  }

  /// Receives the next action. `isWanted` must return true for it.
  ///
  /// - Returns: The action, or `nil` if there is no such action. The test then fails.
  @discardableResult public nonisolated(nonsending) func receive(
    where isWanted: @escaping (Action) -> Bool, timeout: Duration? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, function: StaticString = #function, line: UInt = #line,
    column: UInt = #column, _ expected: ((inout State) throws -> Void)? = nil
  ) async -> Action? {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let wanted = Wanted<Action, Action>(text: "an action for which the closure holds") {
      isWanted($0) ? $0 : nil
    }
    return await receive(wanted, timeout: timeout, place, expected)
  }

  /// Accepts all actions that effects have sent so far, without checks. The state after the last one becomes the
  /// asserted state.
  ///
  /// - Returns: The number of these actions.
  @discardableResult public nonisolated(nonsending) func skipReceivedActions(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
  ) async -> Int {
    await settle(TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column))
    return takeReceived().count
  }

  /// Takes all received actions. The state after the last one becomes the asserted state.
  func takeReceived() -> ArraySlice<ActionRecord<Action, State>> {
    let received = recorder.take(.max)
    if let last = received.last { settings.withLock { $0.asserted = last.after } }
    return received
  }

  private nonisolated(nonsending) func receive<Part>(
    _ wanted: Wanted<Action, Part>, timeout: Duration?, _ place: TestPlace, _ expected: ((inout State) throws -> Void)?
  ) async -> Part? {
    let isExhaustive = exhaustivity.contains(.receivedActions)
    let recorder = self.recorder
    await settle(
      until: {
        isExhaustive ? !recorder.received.isEmpty : recorder.received.contains { wanted.match($0.action) != nil }
      }, timeout: timeout ?? .seconds(5), waitsForOutside: timeout != nil, place)
    let received = recorder.received
    guard let first = received.firstIndex(where: { wanted.match($0.action) != nil }),
      let part = wanted.match(received[first].action)
    else {
      failToReceive(wanted, received, place)
      return nil
    }
    let record = received[first]
    let index = first - received.startIndex
    if index > 0 {
      let list = Wording.list(received.prefix(index))
      let text = wanted.text(for: received)
      if isExhaustive {
        fail("\(Wording.count(index, "other action")) arrived before \(text):\n\n\(list)", at: place)
      } else {
        note("\(Wording.count(index, "action")) before \(text):\n\n\(list)", at: place)
      }
    }
    _ = recorder.take(index + 1)
    verify(Wording.action(record.action), before: record.before, after: record.after, expected, place)
    return part
  }

  private func failToReceive<Part>(
    _ wanted: Wanted<Action, Part>, _ received: ArraySlice<ActionRecord<Action, State>>, _ place: TestPlace
  ) {
    let expected = wanted.text(for: received)
    guard let first = received.first else {
      return fail("Expected to receive \(expected), but no action arrived.\n\n\(runningText())", at: place)
    }
    guard exhaustivity.contains(.receivedActions) else {
      let list = Wording.list(received)
      return fail(
        "Expected to receive \(expected), but only other actions arrived:\n\n\(list)\n\n\(runningText())", at: place)
    }
    _ = recorder.take(1)
    settings.withLock { $0.asserted = first.after }
    var text = """
      Received another action than the expected one:

        expected: \(expected)
        received: \(Wording.action(first.action)), sent at \(first.source)
      """
    if let example = wanted.example {
      let difference = ValueDifference(from: example as Any, to: first.action as Any, budget: inspectionBudget)
      // Without a difference inside of a payload's parts, the lines above are sufficient.
      if difference.changes.contains(where: { $0.path.components.count > 1 }) {
        text += "\n\nThey differ in:\n\n\(Wording.unmet(difference))"
      }
    }
    fail(text, at: place)
  }

  /// Fails the test for actions that should have been received earlier.
  func skipReceived(before what: String, _ place: TestPlace) {
    let skipped = takeReceived()
    if skipped.isEmpty { return }
    let list = Wording.list(skipped)
    if exhaustivity.contains(.receivedActions) {
      fail("\(Wording.count(skipped.count, "action")) must be received before \(what):\n\n\(list)", at: place)
    } else {
      note("\(Wording.count(skipped.count, "action")) before \(what):\n\n\(list)", at: place)
    }
  }
}

/// An action that a test must receive.
struct Wanted<Action, Part> {
  /// The description of the action in messages, if there is no better one.
  var text: String
  /// The name of the wanted case, as far as a received action shows it.
  var name: (Action) -> String? = { _ in nil }
  /// The exact action, if it is known.
  var example: Action?
  /// The part that the test receives; `nil` for another action.
  let match: (Action) -> Part?

  /// The description in a message about received actions. One of them may show the name of the case.
  func text<State>(for received: ArraySlice<ActionRecord<Action, State>>) -> String {
    for record in received {
      if let name = name(record.action) { return "\(name), \(text)" }
    }
    return text
  }
}
