import ReeluxCore
import ReeluxDiff
import ReeluxTesting
import Foundation
import Testing

@testable import ReeluxRecording

@Suite struct RecordingReportTests {
  private func report(
    _ actions: [ShopAction], title: String = "Shop", hooks: ReportHooks<ShopAction, ShopState> = ReportHooks(),
    redacting: [ValuePathPattern] = [], reducer: Reducer<ShopAction, ShopState> = .shop
  ) throws -> String {
    try RecordingReport(
      try ShopRecording(actions).read(), reducer: reducer, title: title, hooks: hooks, redacting: redacting
    ).html()
  }

  /// The data inside a page.
  private func data(_ html: String) throws -> [String: Any] {
    let begin = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: begin..<html.endIndex)).lowerBound
    let json = try JSONSerialization.jsonObject(with: Data(html[begin..<end].utf8))
    return try #require(json as? [String: Any])
  }

  @Test func everyActionHasItsRowWithSourceAndChanges() throws {
    let rows = try #require(try data(try report([.add("tea"), .tick]))["rows"] as? [[String: Any]])
    #expect(rows.map { $0["action"] as? String } == [#".add("tea")"#, ".tick"])
    #expect((rows[0]["file"] as? String)?.hasPrefix("ReeluxRecordingTests/") == true)
    #expect(rows[0]["changes"] as? [[String]] == [["added", "cart[0]", "", #""tea""#]])
    #expect(rows[1]["changes"] == nil)
    #expect(rows[1]["patch"] == nil)
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "<!--", "]]>", "\u{2028}&amp;\"'",
  ])
  func textsFromTheRecordingAreNeverMarkup(text: String) throws {
    let plain = try report([.add("tea")], title: "Shop")
    let html = try report([.add(text), .login(user: text, password: text)], title: text)
    let tags = { (page: String) in page.count { $0 == "<" } }
    #expect(tags(html) == tags(plain))
    let rows = try #require(try data(html)["rows"] as? [[String: Any]])
    #expect(rows[0]["action"] as? String == ".add(\(ValueText.describing(text)))")
    #expect(try data(html)["title"] as? String == text)
  }

  @Test func redactedFieldsAreNowhereInThePage() throws {
    let actions = [ShopAction.login(user: "ada", password: "hunter2")]
    #expect(try report(actions).contains("hunter2"))
    #expect(!(try report(actions, redacting: ["password", "token"]).contains("hunter2")))
  }

  @Test func spansAndPointsComeFromTheHooks() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(
      point: { action, state in
        action == .count(.up) ? ReportPoint(latitude: 1.5, longitude: Double(state.counter.value)) : nil
      },
      statuses: { state in state.cart.map { ReportStatus(lane: $0, kind: .pending, note: "waits") } })
    let data = try data(try report([.add("tea"), .count(.up), .remove("tea"), .add("milk")], hooks: hooks))
    #expect(data["points"] as? [[Double]] == [[2, 1.5, 1]])
    let spans = try #require(data["spans"] as? [String: Any])
    #expect(spans["lanes"] as? [String] == ["tea", "milk"])
    let list = try #require(spans["spans"] as? [[String: Any]])
    #expect(list.map { $0["lane"] as? String } == ["tea", "milk"])
    #expect(list.map { $0["from"] as? Int } == [1, 4])
    #expect(list.map { $0["to"] as? Int } == [3, 5])
  }

  @Test func aSpanEndsWhereItsStatusChanges() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(
      statuses: { state in [ReportStatus(lane: "tea", kind: state.cart.isEmpty ? .rolledBack : .pending)] })
    let data = try data(try report([.tick, .add("tea"), .tick, .remove("tea"), .tick], hooks: hooks))
    let list = try #require((data["spans"] as? [String: Any])?["spans"] as? [[String: Any]])
    #expect(list.map { $0["kind"] as? String } == ["rolledBack", "pending", "rolledBack"])
    #expect(list.map { [$0["from"] as? Int, $0["to"] as? Int] } == [[0, 2], [2, 4], [4, 6]])
  }

  @Test func aPointThatIsNoNumberIsLeftOut() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(point: { _, _ in ReportPoint(latitude: .nan, longitude: 0) })
    #expect((try data(try report([.tick], hooks: hooks))["points"] as? [Any])?.isEmpty == true)
  }

  @Test func aStateThatDiffersFromTheRecordedOneIsMarked() throws {
    let wrong = Reducer<ShopAction, ShopState> { _, state in state.counter.value = 99 }
    let data = try data(try report([.tick], reducer: wrong))
    #expect((data["rows"] as? [[String: Any]])?.first?["differs"] as? Bool == true)
    #expect((data["differences"] as? [String])?.count == 1)
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
    let directory = try TemporaryDirectory()
    let recording = try ShopRecording().read()
    let report = RecordingReport(recording, reducer: .shop)
    try report.write(to: directory.path + "/report.html")
    #expect(try String(contentsOfFile: directory.path + "/report.html", encoding: .utf8) == report.html())
    #expect(throws: RecordingError.self) { try report.write(to: directory.path + "/nowhere/report.html") }
  }
}

@Suite struct JSONPatchTests {
  /// The report's script, once more in Swift.
  private func patched(_ value: JSONValue, _ patch: JSONValue) -> JSONValue {
    guard case .object(let parts) = patch else { return value }
    if let set = parts["set"] { return set }
    if case .array(let cut)? = parts["cut"], case .array(var elements) = value, case .number(let place) = cut[0],
      case .number(let count) = cut[1], case .array(let added) = cut[2], let begin = Int(place), let length = Int(count)
    {
      elements.replaceSubrange(begin..<(begin + length), with: added)
      return .array(elements)
    }
    if case .array(let changes)? = parts["at"], case .array(var elements) = value {
      for case .array(let change) in changes {
        if case .number(let place) = change[0], let index = Int(place) {
          elements[index] = patched(elements[index], change[1])
        }
      }
      return .array(elements)
    }
    guard case .object(var members) = value, case .object(let changed)? = parts["in"] else { return value }
    if case .array(let names)? = parts["out"] {
      for case .string(let name) in names { members[name] = nil }
    }
    for (name, inner) in changed { members[name] = patched(members[name] ?? .null, inner) }
    return .object(members)
  }

  private func random(_ depth: Int, _ source: inout SeededRandom) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 6 : 4), using: &source) {
    case 0: return .null
    case 1: return .bool(.random(using: &source))
    case 2: return .number("\(Int.random(in: 0..<3, using: &source))")
    case 3: return .string("s\(Int.random(in: 0..<3, using: &source))")
    case 4: return .array((0..<Int.random(in: 0..<4, using: &source)).map { _ in random(depth - 1, &source) })
    default:
      let names = (0..<Int.random(in: 0..<4, using: &source)).map { _ in
        ["in", "out", "set", "at", "cut"][Int.random(in: 0..<5, using: &source)]
      }
      return .object(Dictionary(names.map { ($0, random(depth - 1, &source)) }) { $1 })
    }
  }

  @Test func aPatchLeadsFromTheOlderToTheNewer() {
    var source = SeededRandom(seed: 7)
    for _ in 0..<2_000 {
      let (old, new) = (random(3, &source), random(3, &source))
      if let patch = JSONPatch.between(old, new) {
        #expect(patched(old, patch) == new)
      } else {
        #expect(old == new)
      }
    }
  }

  @Test func aSmallChangeOfALargeListIsASmallPatch() {
    let old = JSONValue.array((0..<10_000).map { .number("\($0)") })
    guard case .array(var elements) = old else { return }
    elements.insert(.null, at: 5_000)
    #expect((JSONPatch.between(old, .array(elements))?.bytes.count ?? 0) < 40)
  }
}
