import ReeluxCore
import ReeluxDiff
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct ReportRedactionTests {
  private enum Screen: Codable, Sendable {
    enum Part: Codable, Sendable {
      case typed(String)
      case login(user: String, password: String)
      case sent(String, String?)
    }
    case favorites(Part)
  }

  private func report(
    _ part: Screen.Part, redacting pattern: ValuePathPattern
  ) throws -> RecordingReport<Screen, Bool> {
    let source = ActionSource(file: "App/App.swift", function: "f()", line: 1)
    let recording = Recording<Screen, Bool>(
      header: RecordingHeader(app: "S", version: "1"), initialState: false,
      actions: [RecordedAction(number: 1, action: .favorites(part), source: source)])
    return try RecordingReport(recording, reducer: Reducer { _, _ in }, redacting: [pattern])
  }

  @Test(
    arguments: ["favorites.typed", "*.typed", "typed", "**.typed", "favorites.*", "favorites"] as [ValuePathPattern])
  func theOnlyPayloadOfACaseNeedsNoNumberInAPattern(pattern: ValuePathPattern) throws {
    let part = Screen.Part.typed("hunter2")
    #expect(!ValueText.describing(Screen.favorites(part), hiding: [pattern]).contains("hunter2"))
    let report = try report(part, redacting: pattern)
    #expect(!report.html.contains("hunter2"))
    #expect(report.unmatchedPatterns.isEmpty)
  }

  @Test(
    arguments: [
      "favorites.login.password", "*.login.password", "**.login.password", "login.password", "password",
    ] as [ValuePathPattern])
  func aLabelledPayloadOfAPartIsRedactedAsInTheLog(pattern: ValuePathPattern) throws {
    let part = Screen.Part.login(user: "ada", password: "hunter2")
    let isRedacted = !ValueText.describing(Screen.favorites(part), hiding: [pattern]).contains("hunter2")
    let report = try report(part, redacting: pattern)
    #expect(!report.html.contains("hunter2") == isRedacted)
    #expect(report.html.contains("ada"))
    #expect(report.unmatchedPatterns.isEmpty == isRedacted)
  }

  /// JSON leaves out a payload that is `nil`. So the first of two payloads can be the only one in JSON.
  @Test(arguments: ["favorites.sent.0", "*.sent.*", "**.sent.0"] as [ValuePathPattern], [nil, "x"])
  func aNumberedPayloadIsRedactedAsInTheLog(pattern: ValuePathPattern, second: String?) throws {
    let part = Screen.Part.sent("hunter2", second)
    #expect(!ValueText.describing(Screen.favorites(part), hiding: [pattern]).contains("hunter2"))
    let report = try report(part, redacting: pattern)
    #expect(!report.html.contains("hunter2"))
    #expect(report.unmatchedPatterns.isEmpty)
  }

  @Test(arguments: ["com.app.token", "com.app.token.0", "**.com.app.token"] as [ValuePathPattern])
  func aKeyWithDotsIsRedactedAsInTheLog(pattern: ValuePathPattern) throws {
    let values = ["com.app.token": ["hunter2"], "com.app.name": ["ada"]]
    #expect(!ValueText.describing(values, hiding: [pattern]).contains("hunter2"))
    let recording = Recording<Int, [String: [String]]>(
      header: RecordingHeader(app: "S", version: "1"), initialState: values, actions: [])
    let report = try RecordingReport(recording, reducer: Reducer { _, _ in }, redacting: [pattern])
    #expect(!report.html.contains("hunter2") && report.html.contains("ada"))
    #expect(report.unmatchedPatterns.isEmpty)
  }

  @Test(arguments: [
    ("move.1", #"{"move":{"_0":"a","_1":"<redacted>"}}"#), ("move.0", #"{"move":{"_0":"<redacted>","_1":"b"}}"#),
    ("other", #"{"move":{"_0":"a","_1":"b"}}"#),
  ])
  func oneOfSeveralPayloadsIsNamedByItsNumber(pattern: String, text: String) throws {
    var redaction = JSONRedaction([ValuePathPattern(pattern)])
    let tree = try JSONParser.parse(#"{"move":{"_0":"a","_1":"b"}}"#.utf8).tree
    #expect(try redaction.redacted(tree).text == JSONParser.parse(text.utf8).tree.text)
  }

  @Test func theIDOfAnElementNamesNoPartAfterItsList() throws {
    let text = #"{"a":[{"id":"x"}],"b":{"c":"2"}}"#
    var redaction = JSONRedaction(["b.x"])
    #expect(redaction.redacted(try JSONParser.parse(text.utf8).tree).text == text)
    #expect(redaction.unmatched == ["b.x"])
  }
}
