import ReeluxCore
import ReeluxDiff
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxLogger

@Suite(.conformance(74), .timeLimit(.minutes(10))) struct LogFormatTests {
  private let record = LogRecord(
    number: 12, time: Date(timeIntervalSince1970: 1_795_226_584.123_456), name: "favorites.toggle",
    action: #".favorites(.toggle("m"))"#,
    source: ActionSource(info: "key", file: "App/Run.swift", function: "run()", line: 7),
    difference: ValueDifference(
      changes: [
        ValueChange(path: ValuePath([.field("wished")]), kind: .added, new: "\"m\""),
        ValueChange(path: ValuePath([.field("count")]), kind: .changed, old: "1", new: "2"),
        ValueChange(path: ValuePath([.field("list"), .index(1)]), kind: .moved, old: "[0]", new: "[1]"),
        ValueChange(path: ValuePath([.field("old")]), kind: .removed, old: "9"),
      ], isTruncated: true),
    duration: .microseconds(21), repeats: 37, suppressed: 5, lost: 2)

  @Test func prettyIsForPeople() {
    #expect(
      LogFormat.pretty(color: .never).text(of: record, isTerminal: true) == """
          … 2 records lost: the queue was full
          … 5 records over the rate
        #12 02:03:04.123  .favorites(.toggle("m"))  ×37  0.021 ms
            from App/Run.swift:7 run() (key)
          + wished "m"
          ~ count 1 → 2
          ⇄ list[1] moved [0] → [1]
          - old 9
            …

        """)
  }

  @Test func colourIsOnATerminalOnly() {
    let format = LogFormat.pretty(color: .automatic)
    #expect(!format.text(of: record, isTerminal: false).contains("\u{1b}"))
    #expect(LogFormat.pretty(color: .always).text(of: record, isTerminal: false).contains("\u{1b}[32m"))
    #expect(LogColor.automatic.isOn(isTerminal: true, environment: [:]))
    #expect(LogColor.automatic.isOn(isTerminal: true, environment: ["NO_COLOR": ""]))
    #expect(!LogColor.automatic.isOn(isTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!LogColor.automatic.isOn(isTerminal: true, environment: ["TERM": "dumb"]))
    #expect(!LogColor.automatic.isOn(isTerminal: false, environment: [:]))
  }

  @Test func compactIsOneLine() {
    #expect(
      LogFormat.compact.text(of: record, isTerminal: false)
        == #"12 02:03:04.123 .favorites(.toggle("m")) ×37 App/Run.swift:7 0.021 ms "#
        + #"[wished: + "m"; count: 1 → 2; list[1]: moved [0] → [1]; old: - 9; …] (5 over the rate) (2 lost)"# + "\n")
  }

  @Test func jsonLinesReadBackWithTheirSchema() throws {
    let line = LogFormat.jsonLines.text(of: record, isTerminal: false)
    #expect(line.hasSuffix("}\n"))
    #expect(line.filter(\.isNewline).count == 1)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(json["schema"] as? Int == LogFormat.jsonLinesSchema)
    #expect(json["number"] as? Int == 12)
    #expect(json["time"] as? String == "2026-11-21T02:03:04.123456Z")
    #expect(json["name"] as? String == "favorites.toggle")
    #expect(json["action"] as? String == record.action)
    #expect(json["nanoseconds"] as? Int == 21_000)
    #expect(json["repeats"] as? Int == 37)
    #expect(json["suppressed"] as? Int == 5)
    #expect(json["lost"] as? Int == 2)
    #expect(json["truncated"] as? Bool == true)
    let source = try #require(json["source"] as? [String: Any])
    #expect(source["file"] as? String == "App/Run.swift")
    #expect(source["info"] as? String == "key")
    let changes = try #require(json["changes"] as? [[String: String]])
    #expect(changes.map { $0["kind"] } == ["added", "changed", "moved", "removed"])
    #expect(changes[1] == ["path": "count", "kind": "changed", "old": "1", "new": "2"])
  }

  @Test(arguments: [
    "plain", "\"\\/", "\u{0}\u{1f}\n\r\t\u{7f}", "</script><!--&amp;", "\u{2028}\u{2029}é🎬", "",
  ]) func anyTextSurvivesJSON(text: String) throws {
    var json = JSONWriter()
    json.string(text)
    #expect(try JSONDecoder().decode(String.self, from: Data(json.bytes)) == text)
    #expect(!json.text.contains("<") && !json.text.contains("\u{2028}"))
  }

  @Test func aSourceCannotForgeALine() {
    var forged = record
    forged.source = ActionSource(info: "x\n#13 forged\u{1b}[2J", file: "A/B.swift", function: "f()", line: 1)
    let text = LogFormat.pretty(color: .never).text(of: forged, isTerminal: false)
    #expect(text.split(separator: "\n").count == 9)
    #expect(!text.contains("\u{1b}"))
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00.000000Z"), (951_782_400, "2000-02-29T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.000000Z"), (4_102_444_799.5, "2099-12-31T23:59:59.500000Z"),
  ]) func timesAreThoseOfTheCalendar(seconds: Double, text: String) {
    #expect(TimeText.iso8601(Date(timeIntervalSince1970: seconds)) == text)
  }
}

@Suite(.timeLimit(.minutes(10))) struct RedactionOfPayloadsTests {
  private enum Access: Sendable {
    case login(String, String)
    case token(String)
  }

  @Test(arguments: [LogFormat.pretty(color: .never), .compact, .jsonLines])
  func aPayloadWithoutALabelIsRedactedByCaseAndPosition(format: LogFormat) throws {
    let lines = Locked<[String]>([])
    let log = LoggerMiddleware<Access, Int>(
      to: .text(format) { line in lines.withLock { $0.append(line) } },
      options: LogOptions(redacting: ["**.login.1", "token"]))
    let store = Store(initialState: 0, feature: Feature(reducer: Reducer<Access, Int> { _, _ in }) <> .logger(log))
    store.dispatch(.login("ada", "hunter2"))
    store.dispatch(.token("abc123"))
    log.flush()
    let text = lines.withLock { $0.joined() }
    #expect(text.contains("ada"))
    #expect(!text.contains("hunter2"))
    #expect(!text.contains("abc123"))
  }
}
