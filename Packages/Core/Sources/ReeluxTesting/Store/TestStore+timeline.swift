import ReeluxCore
import ReeluxDiff

extension TestStore {
  /// Sends actions at the times of one line, and compares received actions with another line.
  ///
  /// ```swift
  /// await store.assertTimeline(
  ///   sent:     "a-b-c-------",
  ///   received: "-------x----",
  ///   step: .milliseconds(100), clock: clock,
  ///   ["a": .typed("m"), "b": .typed("me"), "c": .typed("met"), "x": .found(["Metropolis"])])
  /// ```
  ///
  /// Each character is one step of the clock. `-` is a step without an action, a letter is an action, and `(ab)` stands
  /// for several actions of one step in their order. Spaces are ignored. In each step, the clock advances before
  /// actions are sent. An action that arrives between two steps belongs to the earlier step. States are not compared.
  ///
  /// - Parameters:
  ///   - sent: The actions that the test sends.
  ///   - received: The actions that effects send. A failure prints the actual line.
  ///   - step: The time between two characters, more than zero. Otherwise the test fails.
  ///   - clock: The clock of the feature. It advances to the last step of the longer line.
  ///   - actions: The actions of the letters. Received actions are compared with `==`, or by structure if they are not
  ///     `Equatable`.
  public nonisolated(nonsending) func assertTimeline(
    sent: String, received: String, step: Duration, clock: TestClock, _ actions: [Character: Action],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, function: StaticString = #function,
    line: UInt = #line, column: UInt = #column
  ) async {
    let place = TestPlace(fileID: fileID, filePath: filePath, function: function, line: line, column: column)
    let letters = Set(actions.keys)
    guard step > .zero else {
      return fail("The step of a timeline must be more than zero, but it is \(step).", at: place)
    }
    let inputs: Timeline
    let expected: Timeline
    do {
      inputs = try Timeline(sent, letters: letters, name: "sent")
      expected = try Timeline(received, letters: letters, name: "received")
    } catch {
      return fail(error.message, at: place)
    }
    await settle(place)
    skipReceived(before: "a timeline", place)
    var found = Timeline()
    var unknown: [String] = []
    func takeReceived(in step: Int) {
      for record in self.takeReceived() {
        // Several letters can have equal actions. The expected letter is preferred.
        let wanted = expected[step].dropFirst(found[step].count).first
        let letter = self.letter(of: record.action, in: actions, preferring: wanted)
        found.steps[step].append(letter ?? "?")
        if letter == nil {
          unknown.append("  - \(Wording.action(record.action)) in step \(step), sent at \(record.source)")
        }
      }
    }
    let start = clock.now
    for number in 0..<max(inputs.steps.count, expected.steps.count) {
      found.steps.append([])
      if number > 0 {
        // An action that arrives before this step belongs to the previous one.
        await clock.advance(to: start.advanced(by: step * number - .nanoseconds(1)))
        takeReceived(in: number - 1)
        await clock.advance(to: start.advanced(by: step * number))
        await settle(place)
      }
      takeReceived(in: number)
      for letter in inputs[number] {
        guard let action = actions[letter] else { continue }
        let (_, sent) = await perform(action, place)
        if let last = sent.last { settings.withLock { $0.asserted = last.after } }
        takeReceived(in: number)
      }
    }
    guard !found.isEqual(to: expected) || !unknown.isEmpty else { return }
    let lines = Timeline.lines([inputs, expected, found])
    var text = """
      The actions do not come at the stated times; one character is \(step):

        sent:     \(lines[0])
        expected: \(lines[1])
        received: \(lines[2])
      """
    if !unknown.isEmpty { text += "\n\nThese have no letter:\n\n\(unknown.joined(separator: "\n"))" }
    fail(text, at: place)
  }

  private func letter(of action: Action, in actions: [Character: Action], preferring letter: Character?) -> Character? {
    ((letter.map { [$0] } ?? []) + actions.keys.sorted()).first { key in
      ValueDifference(from: actions[key] as Any, to: Optional(action) as Any).isEmpty
    }
  }
}

/// A line of steps, with the letters of each step.
struct Timeline {
  var steps: [[Character]] = []

  init() {}

  /// The reason why a line is not a timeline.
  struct Unreadable: Error {
    var message: String
  }

  /// Reads a line. It throws for a character without an action, for `)` without a group, and for a group that is not
  /// closed, is inside of another group, or contains `-`.
  ///
  /// - Parameter name: The name of the timeline in messages.
  init(_ line: String, letters: Set<Character>, name: String) throws(Unreadable) {
    var group: (members: [Character], position: Int)?
    func unreadable(_ problem: String) -> Unreadable {
      Unreadable(message: "\(problem) in the \(name) timeline: \(line)")
    }
    for (index, character) in line.enumerated() where character != " " {
      let text = "Character \(index + 1), \(character),"
      switch character {
      case "(" where group == nil: group = ([], index + 1)
      case ")":
        guard let closed = group.take() else { throw unreadable("\(text) closes no group") }
        steps.append(closed.members)
      case "-" where group == nil: steps.append([])
      case "-", "(": throw unreadable("\(text) is inside of a group")
      case _ where letters.contains(character):
        if group == nil { steps.append([character]) } else { group?.members.append(character) }
      default: throw unreadable("\(text) has no action")
      }
    }
    if let group { throw unreadable("The group of character \(group.position) is not closed") }
  }

  /// Whether both lines have the same letters in the same steps. Empty steps at the end do not count.
  func isEqual(to other: Timeline) -> Bool {
    (0..<max(steps.count, other.steps.count)).allSatisfy { self[$0] == other[$0] }
  }

  /// The letters of a step; empty after the last step.
  subscript(step: Int) -> [Character] { steps.indices.contains(step) ? steps[step] : [] }

  /// The lines as text with aligned steps.
  static func lines(_ timelines: [Timeline]) -> [String] {
    var lines = [String](repeating: "", count: timelines.count)
    for step in 0..<(timelines.map(\.steps.count).max() ?? 0) {
      let texts = timelines.map { timeline in
        switch timeline[step].count {
        case 0: "-"
        case 1: String(timeline[step])
        default: "(\(String(timeline[step])))"
        }
      }
      let width = texts.map(\.count).max() ?? 1
      for (number, text) in texts.enumerated() {
        lines[number] += text + String(repeating: " ", count: width - text.count)
      }
    }
    return lines.map { line in
      var line = line
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
