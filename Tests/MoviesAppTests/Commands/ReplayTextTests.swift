import ReeluxCore
import ReeluxDiff
import ReeluxLocation
import ReeluxRecording
import Testing

@testable import MoviesApp

/// What `replay --step` prints of a recording that another program has written.
@Suite(.timeLimit(.minutes(15))) struct ReplayTextTests {
  private let recorded = RecordedAction<AppAction>(
    number: 1, action: .location(.stopPosition),
    source: ActionSource(file: "App/\u{1B}[2J\u{202E}\n.swift", function: "run()", line: .max))

  @Test func aSourceCannotControlTheTerminal() {
    let text = ReplayText.step(recorded, changes: ValueDifference(), treatment: .played, style: TextStyle())
    #expect(text.hasSuffix("       from App/\u{FFFD}[2J\u{FFFD} .swift:\(UInt.max)\n"))
  }

  @Test func anyLineOfASourceIsPrintedAsJSON() {
    let json = ReplayText.json(recorded, changes: ValueDifference(), treatment: .played)
    #expect(json.contains(#""line":\#(Int.max)}"#))
  }
}
