import ReeluxCore
import ReeluxDiff
import ReeluxTestSupport
import Foundation
import Testing

@testable import ReeluxLogger

@Suite(.conformance(74), .timeLimit(.minutes(15))) struct LogFormatTests {
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
          … 5 records over the rate limit
        #12 02:03:04.123  .favorites(.toggle("m"))  ×37  0.021 ms
            from App/Run.swift:7 run() (key)
          + wished "m"
          ~ count 1 → 2
          ⇄ list[1] moved [0] → [1]
          - old 9
            …

        """)
  }

  @Test func oneRecordIsNotPlural() {
    var record = record
    (record.lost, record.suppressed) = (1, 1)
    let lines = LogFormat.pretty(color: .never).text(of: record, isTerminal: true).split(separator: "\n")
    #expect(lines.prefix(2) == ["  … 1 record lost: the queue was full", "  … 1 record over the rate limit"])
  }

  @Test(arguments: ["\u{61c}", "\u{200e}", "\u{200f}", "\u{2028}", "\u{2029}", "\u{202e}", "\u{2066}", "\u{2069}"])
  func marksThatMoveTextAreEscaped(mark: String) {
    var record = record
    record.source = ActionSource(info: "a\(mark)b", file: "App/\(mark).swift", function: "run()", line: 7)
    for format in [LogFormat.pretty(color: .never), .compact, .jsonLines] {
      #expect(!format.text(of: record, isTerminal: true).contains(mark))
    }
    record.source = ActionSource(info: "é\u{200d}", file: "App/é.swift", function: "run()", line: 7)
    #expect(LogFormat.pretty(color: .never).text(of: record, isTerminal: true).contains("(é\u{200d})"))
    #expect(LogFormat.compact.text(of: record, isTerminal: true).contains(" App/é.swift:7"))
  }

  @Test(arguments: [1, -1]) func aDurationThatIsTooLongIsTheLongest(sign: Int64) {
    let longest: Int64 = sign > 0 ? .max : .min
    for nanoseconds: Int64 in [854_775_806, 854_775_809, 999_999_999, 1_000_000_000] {
      let duration = Duration(
        secondsComponent: sign * 9_223_372_036, attosecondsComponent: sign * nanoseconds * 1_000_000_000)
      let expected = nanoseconds < 854_775_808 ? sign * (9_223_372_036_000_000_000 + nanoseconds) : longest
      #expect(duration.inNanoseconds == expected)
    }
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
        + #"[wished: + "m"; count: 1 → 2; list[1]: moved [0] → [1]; old: - 9; …] (5 over the rate limit) (2 lost)"#
        + "\n")
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
    "plain", "\"\\/", "\u{0}\u{1f}\n\r\t\u{7f}", "</script><!--&amp;", "\u{2028}\u{2029}é🎬",
    "\u{61C}ب\u{200E}\u{202E}\u{2067}", "",
  ]) func anyTextSurvivesJSON(text: String) throws {
    var json = JSONWriter()
    json.string(text)
    #expect(try JSONDecoder().decode(String.self, from: Data(json.bytes)) == text)
    let escaped: Set<Unicode.Scalar> = ["<", "\u{2028}", "\u{61C}", "\u{200E}", "\u{202E}", "\u{2067}"]
    #expect(!json.text.unicodeScalars.contains(where: escaped.contains))
  }

  @Test func aSourceCannotForgeALine() {
    var forged = record
    forged.source = ActionSource(info: "x\n#13 forged\u{1b}[2J", file: "A/B.swift", function: "f()", line: 1)
    let text = LogFormat.pretty(color: .never).text(of: forged, isTerminal: false)
    #expect(text.split(separator: "\n").count == 9)
    #expect(!text.contains("\u{1b}"))
  }

  /// A record of one action, with all its changes and without losses.
  @Test func anOrdinaryRecordHasNoCounts() throws {
    let record = LogRecord(
      number: 1, time: record.time, name: "load", action: ".load",
      source: ActionSource(file: "App/Run.swift", function: "run()", line: 7),
      difference: ValueDifference(
        changes: [ValueChange(path: ValuePath([.field("count")]), kind: .changed, old: "1", new: "2")],
        isTruncated: false))
    #expect(
      LogFormat.pretty(color: .never).text(of: record, isTerminal: true) == """
        #1 02:03:04.123  .load
            from App/Run.swift:7 run()
          ~ count 1 → 2

        """)
    #expect(
      LogFormat.compact.text(of: record, isTerminal: false)
        == "1 02:03:04.123 .load App/Run.swift:7 [count: 1 → 2]\n")
    let line = LogFormat.jsonLines.text(of: record, isTerminal: false)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(json.keys.sorted() == ["action", "changes", "name", "number", "schema", "source", "time"])
    let source = try #require(json["source"] as? [String: Any])
    #expect(source.keys.sorted() == ["file", "function", "line"])
    #expect(source["function"] as? String == "run()")
    #expect(source["line"] as? Int == 7)
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00.000000Z"), (951_782_400, "2000-02-29T00:00:00.000000Z"),
    (-1, "1969-12-31T23:59:59.000000Z"), (4_102_444_799.5, "2099-12-31T23:59:59.500000Z"),
    (-62_167_219_201, "-0001-12-31T23:59:59.000000Z"), (99_999_999_999, "5138-11-16T09:46:39.000000Z"),
  ]) func timesAreThoseOfTheCalendar(seconds: Double, text: String) {
    #expect(TimeText.iso8601(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(arguments: [(21, "0.021 ms"), (12_345_067, "12345.067 ms"), (-5, "0.000 ms")])
  func durationsAreInMilliseconds(microseconds: Int, text: String) {
    #expect(TimeText.milliseconds(.microseconds(microseconds)) == text)
  }
}

@Suite(.timeLimit(.minutes(15))) struct RedactionOfPayloadsTests {
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

  private struct Secret: Hashable, Sendable, Identifiable { var id: String }
  private struct Row: Hashable, Sendable, Identifiable {
    var id: Secret
    var number = 0
  }
  private struct Vault: Hashable, Sendable {
    var last: Secret?
    var list: [Secret] = []
    var set: Set<Secret> = []
    var byKey: [Secret: String] = [:]
    var byName: [String: Secret] = [:]
    var rows: [Row] = []
    var deep: [[Secret?]] = []
    var count = 0
  }
  private enum VaultAction: Sendable { case put(String, Secret), wrapped(Secret?) }

  @Test(arguments: [LogFormat.pretty(color: .never), .compact, .jsonLines])
  func aTypeIsRedactedWhereverItIs(format: LogFormat) throws {
    let lines = Locked<[String]>([])
    let log = LoggerMiddleware<VaultAction, Vault>(
      to: .text(format) { line in lines.withLock { $0.append(line) } },
      options: LogOptions(
        detail: .states, redactingTypes: [Secret.self], budget: InspectionBudget(changes: 100, textLength: 10_000)))
    let reducer = Reducer<VaultAction, Vault> { action, vault in
      vault.count += 1
      switch action {
      case .put(let name, let secret):
        vault.last = secret
        vault.list.insert(secret, at: 0)
        vault.set.insert(secret)
        vault.byKey[secret] = name
        vault.byName[name] = secret
        vault.deep.append([nil, secret])
        vault.rows.append(Row(id: secret))
        vault.rows[0].number += 1
      case .wrapped(let secret): vault = Vault(last: secret)
      }
    }
    let store = Store(initialState: Vault(), feature: Feature(reducer: reducer) <> .logger(log))
    for secret in ["hunter1", "hunter2", "hunter3"] { store.dispatch(.put("ada", Secret(id: secret))) }
    store.dispatch(.wrapped(Secret(id: "hunter4")))
    store.dispatch(.wrapped(nil))
    log.flush()
    let text = lines.withLock { $0.joined(separator: "\n") }
    #expect(text.contains("ada") && text.contains("redacted"))
    #expect(!text.contains("hunter"))
    #expect(text.contains("count"))
  }

  @Test func aChangeInsideARedactedTypeIsReportedOnceAtItsPlace() throws {
    struct Pair: Equatable, Sendable {
      var secret = Secret(id: "one")
      var open = 1
    }
    let memory = LogMemory()
    let log = LoggerMiddleware<Int, Pair>(
      to: .memory(memory), options: LogOptions(redactingTypes: [Secret.self], budget: InspectionBudget(visits: 1)))
    let deep = LoggerMiddleware<Int, Pair>(to: .memory(memory), options: LogOptions(redactingTypes: [Secret.self]))
    let reducer = Reducer<Int, Pair> { number, pair in
      if number == 0 { pair.open = 2 } else { pair.secret.id = "two" }
    }
    let store = Store(initialState: Pair(), feature: Feature(reducer: reducer) <> .logger(log) <> .logger(deep))
    store.dispatch(1)
    store.dispatch(0)
    log.flush()
    deep.flush()
    let changes = memory.records.flatMap { ($0.difference?.changes ?? []).map(\.description) }
    #expect(changes.filter { $0 == "secret: <redacted> → <redacted>" }.count == 2)
    #expect(changes.filter { $0 == "open: 1 → 2" }.count == 2)
  }
}
