import ReeluxCore
import ReeluxLoggerTestSupport
import ReeluxDiff
import ReeluxTesting
import Foundation
import Testing

@testable import ReeluxRecording

@Suite(.timeLimit(.minutes(15))) struct RecordingReportTests {
  private func report(
    _ actions: [ShopAction], title: String = "Shop", hooks: ReportHooks<ShopAction, ShopState> = ReportHooks(),
    redacting: [ValuePathPattern] = [], reducer: Reducer<ShopAction, ShopState> = .shop
  ) throws -> String {
    try RecordingReport(
      try ShopRecording(actions).read(), reducer: reducer, title: title, hooks: hooks, redacting: redacting
    ).html
  }

  /// The data inside a page.
  private func data(_ html: String) throws -> [String: Any] {
    let begin = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: begin..<html.endIndex)).lowerBound
    let json = try JSONSerialization.jsonObject(with: Data(html[begin..<end].utf8))
    return try #require(json as? [String: Any])
  }

  @Test func everyActionHasItsRowWithTitleSourceAndPatch() throws {
    let data = try data(try report([.add("tea"), .tick]))
    let rows = try #require(data["rows"] as? [[Any]])
    let titles = try #require(data["titles"] as? [String])
    #expect(rows.map { titles[$0[0] as? Int ?? -1] } == ["add tea", "tick"])
    let sources = try #require(data["sources"] as? [[Any]])
    #expect((sources[0][0] as? String)?.hasPrefix("ReeluxRecordingTests/") == true)
    #expect(rows[0][4] as? [String] == ["tea"])
    // The change refers to the text in the action.
    #expect((rows[0][6] as? [Any])?.last as? [Int] == [0])
    #expect(rows[1][7] as? Int == -1)
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "<!--", "]]>", "\u{2028}&amp;\"'",
    "<\u{301}b>\u{301}&\u{301}amp;",
  ])
  func textsFromTheRecordingAreNeverMarkup(text: String) throws {
    let plain = try report([.add("tea")], title: "Shop")
    let html = try report([.add(text), .login(user: text, password: text)], title: text)
    let tags = { (page: String) in page.unicodeScalars.count { $0 == "<" } }
    #expect(tags(html) == tags(plain))
    #expect((try data(html)["titles"] as? [String])?.first == "add \(text)")
    #expect(try data(html)["title"] as? String == text)
  }

  @Test func redactedFieldsAreNowhereInThePage() throws {
    let actions = [ShopAction.login(user: "ada", password: "hunter2")]
    #expect(try report(actions).contains("hunter2"))
    #expect(!(try report(actions, redacting: ["password", "token"]).contains("hunter2")))
  }

  private struct Headers: Codable, Sendable {
    struct Header: Codable, Identifiable, Sendable {
      var id: String
      var value: String
    }
    var headers: [Header]
  }

  @Test(arguments: ["headers.Token", "headers.0.value", "Token", "headers.*.value"] as [ValuePathPattern])
  func anElementIsRedactedByItsIDAndByItsPosition(pattern: ValuePathPattern) throws {
    let state = Headers(headers: [.init(id: "Token", value: "hunter2"), .init(id: "Host", value: "example")])
    let recording = Recording<Bool, Headers>(
      header: RecordingHeader(app: "H", version: "1"), initialState: state, actions: [])
    let report = try RecordingReport(recording, reducer: Reducer { _, _ in }, redacting: [pattern])
    #expect(!report.html.contains("hunter2"))
    #expect(report.html.contains("example") == (pattern.description != "headers.*.value"))
    #expect(report.unmatchedPatterns.isEmpty)
  }

  @Test func aReportKnowsThePatternsThatMatchedNothing() throws {
    let recording = try ShopRecording([.login(user: "ada", password: "hunter2"), .count(.by(2))]).read()
    let patterns: [ValuePathPattern] = ["pasword", "login.password", "login", "count.0", "Owner", "counter.value"]
    let report = try RecordingReport(recording, reducer: .shop, redacting: patterns)
    #expect(report.unmatchedPatterns == ["pasword", "Owner"])
    #expect(try RecordingReport(recording, reducer: .shop).unmatchedPatterns.isEmpty)
  }

  @Test func redactedFieldsAreNotInTheTextOfADifference() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      Reducer.shop.reduce(action, &state)
      state.token = state.token.map { $0 + "!" }
    }
    let actions = [ShopAction.login(user: "ada", password: "hunter2")]
    let html = try report(actions, redacting: ["password", "token"], reducer: wrong)
    #expect((try data(html)["problems"] as? [String])?.count == 1)
    #expect(!html.contains("hunter2"))
  }

  private struct Prices: Codable, Sendable {
    var list: [Decimal]
  }

  @Test(arguments: [
    ("0.1000000000000000055", true), ("12345678901234567890123456789", true), ("1234567890.1234567", false),
    ("9007199254740993", true), ("0.30000000000000004", false), ("12.5", false),
  ])
  func aNumberThatJavaScriptWouldRoundIsText(digits: String, isText: Bool) throws {
    let recording = Recording<Bool, Prices>(
      header: RecordingHeader(app: "P", version: "1"),
      initialState: Prices(list: [try #require(Decimal(string: digits))]), actions: [])
    let page = try RecordingReport(recording, reducer: Reducer { _, _ in }).html
    #expect(page.contains(isText ? #""state":[[["\#(digits)"]],"# : #""state":[[\#(digits)],"#))
  }

  @Test func pointsPlacesAndSpansComeFromTheHooks() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(
      point: { moment in
        moment.action == .count(.up)
          ? ReportPoint(latitude: 1.5, longitude: Double(moment.after.counter.value)) : nil
      },
      places: { _ in [ReportPoint(latitude: 1, longitude: 2, name: "shop")] },
      statuses: { moment in
        switch moment.action {
        case .add(let item): [ReportStatus(lane: item, kind: .pending, note: "waits")]
        case .remove(let item): [ReportStatus(lane: item, kind: .none)]
        default: []
        }
      })
    let data = try data(try report([.add("tea"), .count(.up), .remove("tea"), .add("milk")], hooks: hooks))
    #expect(data["points"] as? [[Double]] == [[2, 1.5, 1]])
    #expect((data["places"] as? [[Any]])?.first?.first as? String == "shop")
    let spans = try #require(data["spans"] as? [String: Any])
    #expect(spans["lanes"] as? [String] == ["tea", "milk"])
    let list = try #require(spans["spans"] as? [[Any]])
    #expect(list.map { $0[0] as? Int } == [0, 1])
    #expect(list.map { $0[3] as? Int } == [1, 4])
    #expect(list.map { $0[4] as? Int } == [3, 5])
  }

  @Test func aSpanEndsWhereItsStatusChanges() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(
      initialStatuses: { _ in [ReportStatus(lane: "tea", kind: .rolledBack)] },
      statuses: { [ReportStatus(lane: "tea", kind: $0.after.cart.isEmpty ? .rolledBack : .pending)] })
    let data = try data(try report([.tick, .add("tea"), .tick, .remove("tea"), .tick], hooks: hooks))
    let list = try #require((data["spans"] as? [String: Any])?["spans"] as? [[Any]])
    #expect(list.map { $0[1] as? String } == ["rolledBack", "pending", "rolledBack"])
    #expect(list.map { [$0[3] as? Int, $0[4] as? Int] } == [[0, 2], [2, 4], [4, 6]])
  }

  @Test func aPointThatIsNotFiniteIsLeftOut() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(point: { _ in ReportPoint(latitude: .nan, longitude: 0) })
    #expect((try data(try report([.tick], hooks: hooks))["points"] as? [Any])?.isEmpty == true)
  }

  @Test func aStateThatDiffersFromTheRecordedOneIsMarked() throws {
    let wrong = Reducer<ShopAction, ShopState> { _, state in state.counter.value = 99 }
    let report = try RecordingReport(try ShopRecording([.tick]).read(), reducer: wrong)
    #expect(!report.isAsRecorded)
    #expect((try data(report.html)["rows"] as? [[Any]])?.first?.last as? Int == 1)
    #expect((try data(report.html)["problems"] as? [String])?.count == 1)
  }

  @Test(arguments: [0, 5]) func aReportWithAnotherInitialStateShowsItsActions(count: Int) throws {
    let recorded = try ShopRecording().read()
    var header = recorded.header
    header.checksum = "0000000000000000"
    let changed = Recording<ShopAction, ShopState>(
      header: header, initialState: recorded.initialState,
      actions: count == 0 ? [] : try recorded.actions(1...count))
    let report = try RecordingReport(changed, reducer: .shop)
    #expect(!report.isAsRecorded)
    let data = try data(report.html)
    let problems = try #require(data["problems"] as? [String])
    #expect(problems.map { $0.prefix(39) } == ["the initial state has another checksum "])
    // No row is marked as different.
    #expect((data["rows"] as? [[Any]])?.map(\.count) == Array(repeating: 8, count: count))
  }

  @Test func aRunWithoutSomeActionsSaysWhatBecameOfEach() throws {
    let fit: @Sendable (ShopAction, ShopState) -> AnswerFit<ShopAction> = { action, state in
      guard case .remove(let item) = action, !state.cart.contains(item) else { return .asRecorded }
      return .orphaned("there is no \(item)")
    }
    let command = ReportWhatIf<ShopAction, ShopState>.Command(skip: "shop report --skip ", report: "shop report ")
    let setting = GeneratedTest.Setting(imports: [], state: "ShopState", reducer: ".shop")
    let report = try RecordingReport(
      try ShopRecording().read(), reducer: .shop, test: setting,
      whatIf: ReportWhatIf(skipping: [1], command: command, fit: fit))
    let data = try data(report.html)
    let rows = try #require(data["rows"] as? [[Any]])
    #expect(rows[0].last as? Int == 2)
    #expect(rows[3].last as? String == "there is no tea")
    #expect(rows[1].count == 8)
    #expect(report.isAsRecorded)
    let about = try #require(data["about"] as? [String])
    #expect(about.suffix(2) == ["without 1: the states were computed again", "orphaned responses: 1"])
    #expect(data["skip"] as? String == "shop report --skip ")
    // A test of a run without some actions would fail.
    #expect(data["test"] is NSNull)
  }

  @Test(arguments: [4...9, 0...2, 7...9, 6...6])
  func aTestOfActionsThatAreNotThereIsAnErrorThatNamesThem(numbers: ClosedRange<Int>) throws {
    let recording = try ShopRecording().read()
    let setting = GeneratedTest.Setting(imports: [], state: "ShopState", reducer: ".shop")
    let error = #expect(throws: RecordingError.self) {
      _ = try GeneratedTest(of: numbers, in: recording, reducer: .shop, setting: setting)
    }
    #expect(error == .noSuchActions(path: recording.name, numbers: numbers, count: 5))
    #expect(
      error?.description.hasSuffix(
        "there are no actions \(numbers.lowerBound) to \(numbers.upperBound): the recording has the actions 1 to 5.")
        == true)
    #expect(try GeneratedTest(of: 4...5, in: recording, reducer: .shop, setting: setting).source.contains("4To5"))
  }

  @Test func aRecordingWithoutEndGivesAPageThatSaysSo() throws {
    let recorded = try ShopRecording()
    try recorded.rewrite(try recorded.lines.dropLast().joined(separator: "\n") + "\n")
    let report = try RecordingReport(try recorded.read(), reducer: .shop)
    #expect(!report.isAsRecorded)
    let problem = try #require(try data(report.html)["problems"] as? [String]).first
    #expect(
      problem?.hasSuffix(
        ":7: the recording has no end: the program did not close it, or the lines after action 5 are lost."
          + " This page shows the 5 actions before that.") == true)
  }

  private struct Machine: Codable, Hashable, Sendable {
    enum Phase: String, Codable { case running, stopped }
    var phase = Phase.stopped
    var name = "stopped"
  }

  @Test func casesAreToldFromTexts() throws {
    let recording = Recording<Bool, Machine>(
      header: RecordingHeader(app: "M", version: "1"), initialState: Machine(), actions: [])
    let data = try data(try RecordingReport(recording, reducer: Reducer { _, _ in }).html)
    let leaves = try #require((data["state"] as? [Any])?.first as? [Any])
    // The second leaf refers to the first one. The shape gives the meaning of each.
    #expect(leaves.first as? String == "stopped")
    #expect(leaves.last as? [Int] == [0])
    #expect((data["shapes"] as? [[String: Int]])?.first == ["phase": 1, "name": 0])
  }

  @Test func aDamagedRecordingGivesAPageWithTheReason() throws {
    let recorded = try ShopRecording()
    var lines = try recorded.lines
    lines[1] = lines[1].replacing("tea", with: "rum")
    try recorded.rewrite(lines.joined(separator: "\n") + "\n")
    let report = try RecordingReport(try recorded.read(), reducer: .shop)
    #expect(!report.isAsRecorded)
    let problem = try #require(try data(report.html)["problems"] as? [String]).first
    #expect(problem?.contains(":2: the line was changed after it was written. This page shows the 0 actions") == true)
  }

  @Test func thePageLoadsNothingFromElsewhere() throws {
    let html = try report([.tick])
    #expect(html.contains("default-src 'none'"))
    for address in ["http:", "https:", "src=\"", "@import", "url("] {
      let uses = html.components(separatedBy: address).dropFirst().filter { !$0.hasPrefix("//www.w3.org/2000/svg\"") }
      #expect(uses.isEmpty, "\(address) in the page")
    }
  }

  @Test func aReportIsWrittenWholeOrNotAtAll() throws {
    let (directory, longest) = (try TemporaryDirectory(), String(repeating: "x", count: 255))
    let report = try RecordingReport(try ShopRecording().read(), reducer: .shop)
    try report.write(to: directory.path + "/" + longest)
    #expect(try String(contentsOfFile: directory.path + "/" + longest, encoding: .utf8) == report.html)
    let nowhere = directory.path + "/nowhere/report.html"
    let reason = "the file cannot be written: No such file or directory"
    #expect(throws: RecordingError.system(path: nowhere, reason: reason)) { try report.write(to: nowhere) }
  }

  @Test func reportsAreWrittenToOnePathAtTheSameTime() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/report.html"
    let report = try RecordingReport(try ShopRecording().read(), reducer: .shop)
    let errors = Locked<[any Error]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<20 {
        do { try report.write(to: path, replacing: true) } catch { errors.withLock { $0.append(error) } }
      }
    }
    #expect(errors.withLock { $0.map { "\($0)" } } == [])
    #expect(try String(contentsOfFile: path, encoding: .utf8) == report.html)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["report.html"])
  }

  @Test func anExistingFileIsReplacedOnlyOnRequest() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/precious"
    try "mine\n".write(toFile: path, atomically: true, encoding: .utf8)
    let report = try RecordingReport(try ShopRecording().read(), reducer: .shop)
    #expect(throws: RecordingError.exists(path: path)) { try report.write(to: path) }
    #expect(try directory.lines("precious") == ["mine"])
    try report.write(to: path, replacing: true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == report.html)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["precious"])
  }

  @Test func aReplacedReportKeepsItsModeAndItsLink() throws {
    let directory = try TemporaryDirectory()
    let (path, link) = (directory.path + "/report.html", directory.path + "/latest.html")
    let files = FileManager.default
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try files.createSymbolicLink(atPath: link, withDestinationPath: "report.html")
    let report = try RecordingReport(try ShopRecording().read(), reducer: .shop)
    try report.write(to: link, replacing: true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == report.html)
    #expect(try files.destinationOfSymbolicLink(atPath: link) == "report.html")
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try files.contentsOfDirectory(atPath: directory.path).sorted() == ["latest.html", "report.html"])
  }

  @Test func whatIsNoFileIsNeverReplaced() throws {
    let directory = try TemporaryDirectory()
    let report = try RecordingReport(try ShopRecording().read(), reducer: .shop)
    // The test uses a pipe instead of a device, so that `/dev/null` of the machine is not in danger.
    let pipe = directory.path + "/pipe"
    unsafe #expect(mkfifo(pipe, 0o600) == 0)
    for path in [directory.path, pipe] {
      for replacing in [false, true] {
        #expect(throws: RecordingError.system(path: path, reason: "it is not a file")) {
          try report.write(to: path, replacing: replacing)
        }
      }
    }
  }

  @Test(arguments: ["run.jsonl", "./run.jsonl", "soft", "hard"])
  func theRecordingItselfIsNeverReplaced(name: String) throws {
    let recorded = try ShopRecording()
    let lines = try recorded.lines
    let files = FileManager.default
    try files.createSymbolicLink(atPath: recorded.directory.path + "/soft", withDestinationPath: recorded.path)
    try files.linkItem(atPath: recorded.path, toPath: recorded.directory.path + "/hard")
    let report = try RecordingReport(try recorded.read(), reducer: .shop)
    let path = recorded.directory.path + "/" + name
    #expect(throws: RecordingError.wouldReplaceInput(path: path)) { try report.write(to: path, replacing: true) }
    #expect(try recorded.lines == lines)
  }
}

@Suite(.timeLimit(.minutes(15))) struct JSONPatchTests {
  private func random(_ depth: Int, _ source: inout SeededRandom) -> JSONTree {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &source) {
    case 0: return .null
    case 1: return .random(using: &source) ? .yes : .no
    case 2: return .number(Int.random(in: 0..<3, using: &source))
    case 3: return .string("s\(Int.random(in: 0..<3, using: &source))")
    case 4: return .array((0..<Int.random(in: 0..<4, using: &source)).map { _ in random(depth - 1, &source) })
    default:
      let names = (0..<Int.random(in: 0..<4, using: &source)).map { _ in
        ["in", "out", "set", "at", "cut"][Int.random(in: 0..<5, using: &source)]
      }
      return .object(names.map { JSONTree.Member(name: $0, value: random(depth - 1, &source)) })
    }
  }

  @Test func aPatchOfAShortListLeadsFromTheOlderToTheNewer() {
    // All lists with up to three elements of two numbers.
    var lists: [[Int]] = [[]]
    for list in lists + [[0], [1], [0, 0], [0, 1], [1, 0], [1, 1]] { lists += [list + [0], list + [1]] }
    let trees = lists.map { list in JSONTree.array(list.map { .number($0) }) }
    for old in trees {
      for new in trees where old != new {
        #expect(JSONPatch.between(old, new).flatMap { JSONPatch.applied($0, to: old)?.text } == new.text)
      }
    }
  }

  @Test func aPatchLeadsFromTheOlderToTheNewer() {
    var source = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      let (old, new) = (random(3, &source), random(3, &source))
      if let patch = JSONPatch.between(old, new) {
        #expect(JSONPatch.applied(patch, to: old)?.text == new.text)
      } else {
        #expect(old == new)
      }
    }
  }

  @Test func aSmallChangeOfALargeListIsASmallPatch() {
    let old = JSONTree.array((0..<10_000).map { .number($0) })
    guard case .array(var elements) = old.content else { return }
    elements.insert(.null, at: 5_000)
    #expect((JSONPatch.between(old, .array(elements))?.bytes.count ?? 0) < 40)
  }

  @Test func aPatchOutsideOfItsListIsRefused() {
    for (begin, count) in [(1, Int.max), (3, 0), (0, 3), (3, -1), (1, -1), (-1, 1)] {
      let cut = JSONTree.array([.number(begin), .number(count), .array([])])
      #expect(JSONPatch.applied(.object(["cut": cut]), to: .array([.null, .null])) == nil, "\(begin), \(count)")
    }
  }
}
