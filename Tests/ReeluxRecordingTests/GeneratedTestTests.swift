import Foundation
import ReeluxCore
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

/// A state whose decodings are counted. Only one test may use it, because tests run in parallel.
private struct Tally: Codable, Sendable {
  static let decodings = Locked(0)
  var value = 0

  init() {}

  init(from decoder: any Decoder) throws {
    Self.decodings.withLock { $0 += 1 }
    value = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .value)
  }
}

@Suite(.timeLimit(.minutes(15))) struct GeneratedTestTests {
  private let setting = GeneratedTest.Setting(imports: [], state: "Tally", reducer: ".tally")

  /// Across a state in the file: the test has every action, and states what this reducer does.
  @Test func aTestAcrossASnapshotHasEveryActionAndDecodesNoStateForEach() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<Int, Tally>(path: path, app: "T", version: "1", checksumEvery: 100)
    let store = Store(
      initialState: Tally(), feature: Feature(reducer: Reducer { $1.value += $0 }) <> .recorder(recorder))
    for number in 1...10_100 { store.dispatch(number) }
    try recorder.close()
    let recording = try Recording<Int, Tally>(path: path)
    #expect(recording.snapshot(after: 0, upTo: 10_100)?.after == 10_000)

    let begun = Tally.decodings.withLock { $0 }
    let doubled = Reducer<Int, Tally> { $1.value += 2 * $0 }
    let source = try GeneratedTest(of: 9_990...10_050, in: recording, reducer: doubled, setting: setting).source
    #expect(source.components(separatedBy: "await store.send(").count - 1 == 61)
    #expect(source.contains("\(10_050 * 10_051)"))
    #expect(Tally.decodings.withLock { $0 } - begun <= 2)

    var player = ActionPlayer(recording, reducer: Reducer { $1.value += $0 })
    try player.jump(to: 10_000)
    #expect(player.current?.number == 10_000)
    let before = Tally.decodings.withLock { $0 }
    for number in 10_001...10_020 { try player.jump(to: number) }
    #expect(Tally.decodings.withLock { $0 } == before)
  }

  @Test func textsOfARecordingStayInsideTheCommentsOfATest() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<String, Int>(path: path, app: "T\nlet a = 1", version: "1\r\u{202E}2")
    let store = Store(
      initialState: 0, feature: Feature(reducer: Reducer { _, _ in }) <> .recorder(recorder))
    store.dispatch("a\n\u{2066}b")
    try recorder.close()
    let source = try GeneratedTest(
      of: 1...1, in: try Recording<String, Int>(path: path), reducer: Reducer { _, _ in }, setting: setting
    ).source
    #expect(source.hasPrefix("// Actions 1 to 1 of a recording of T let a = 1 1  2.\nimport "))
    #expect(source.contains("\n  // 1  a  b\n"))
  }

  /// The compiler reads none of them as the end of the literal, or as an escape of Swift.
  @Test(arguments: ["#", "a\"#b", "\\#(x)", "\\\"#", "##", "#\u{FE0F}\u{20E3}", String(repeating: "#", count: 300)])
  func aNumberSignStaysInsideItsLiteral(text: String) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<[String], Int>(path: path, app: "T", version: "1")
    let store = Store(initialState: 0, feature: Feature(reducer: Reducer { _, _ in }) <> .recorder(recorder))
    store.dispatch([text])
    try recorder.close()
    let source = try GeneratedTest(
      of: 1...1, in: try Recording<[String], Int>(path: path), reducer: Reducer { _, _ in }, setting: setting
    ).source
    let start = try #require(source.range(of: "send(try RecordedJSON.value(#\"", options: .literal)).upperBound
    let end = try #require(source.range(of: "\"#", options: .literal, range: start..<source.endIndex)).lowerBound
    let json = String(source[start..<end])
    #expect(source[end...].hasPrefix("\"#))\n"))
    #expect(json.range(of: "\\#", options: .literal) == nil)
    #expect(try RecordedJSON.value(json, as: [String].self) == [text])
  }

  @Test(arguments: [(1...50, [Int]()), (3...53, [3, 53]), (1...100, [1, 51]), (1...120, [1, 51, 101])])
  func aLongTestHasNestedFunctions(numbers: ClosedRange<Int>, starts: [Int]) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/run"
    let recorder = try ActionRecorder<Int, Int>(path: path, app: "T", version: "1")
    let reducer = Reducer<Int, Int> { $1 += $0 }
    let store = Store(initialState: 0, feature: Feature(reducer: reducer) <> .recorder(recorder))
    for number in 1...120 { store.dispatch(number) }
    try recorder.close()
    let source = try GeneratedTest(
      of: numbers, in: try Recording<Int, Int>(path: path), reducer: reducer, setting: setting
    ).source
    let lines = source.split(separator: "\n").map(String.init)
    let functions = starts.map { "actions\($0)To\(min($0 + 49, numbers.upperBound))()" }
    #expect(lines.filter { $0.hasPrefix("  try await") } == functions.map { "  try await \($0)" })
    #expect(lines.filter { $0.hasPrefix("  func ") } == functions.map { "  func \($0) async throws {" })
    #expect(lines.count(where: { $0 == "  }" }) == (starts.isEmpty ? numbers.count : starts.count))
    let indent = starts.isEmpty ? "  " : "    "
    #expect(lines.filter { $0.hasPrefix("\(indent)// ") } == numbers.map { "\(indent)// \($0)  \($0)" })
    #expect(lines.count(where: { $0.hasPrefix("\(indent)await store.send(") }) == numbers.count)
  }

  @Test(arguments: ["", "{", "[1]", #"{"/":[]}"#]) func aChangeThatCannotBeAppliedNamesTheType(json: String) {
    var value = 0
    let error = #expect(throws: (any Error).self) { try RecordedJSON.change(&value, by: json) }
    #expect(error.map { "\($0)".hasPrefix("the change cannot be applied to a value of type Int: ") } == true)
  }

  @Test func aChangeReplacesThePartsOfAValueThatItNames() throws {
    var state = ShopState(cart: ["tea"], counter: Counter(value: 1))
    try RecordedJSON.change(&state, by: #"{"in":{"counter":{"in":{"value":{"set":2}}}}}"#)
    #expect(state == ShopState(cart: ["tea"], counter: Counter(value: 2)))
  }

  @Test func aTestStatesTheChangeOfEachAction() throws {
    let setting = GeneratedTest.Setting(imports: ["import Shop"], state: "ShopState", reducer: ".shop")
    let source = try GeneratedTest(
      of: 2...3, in: try ShopRecording().read(), reducer: .shop, setting: setting
    ).source
    #expect(
      source == ##"""
        // Actions 2 to 3 of a recording of Shop 1.2.
        import ReeluxRecording
        import ReeluxTesting
        import Testing

        import Shop

        @Test func recordedActions2To3() async throws {
          let store = TestStore(
            initialState: try RecordedJSON.value(#"{"cart":["tea"],"counter":{"value":0}}"#, as: ShopState.self),
            reducer: .shop)

          // 2  count · up
          await store.send(try RecordedJSON.value(#"{"count":{"_0":{"up":{}}}}"#)) {
            try RecordedJSON.change(&$0, by: #"{"in":{"counter":{"in":{"value":{"set":1}}}}}"#)
          }

          // 3  tick
          await store.send(try RecordedJSON.value(#"{"tick":{}}"#))
        }

        """##)
  }

  @Test func jsonThatDoesNotFitNamesTheType() {
    let error = #expect(throws: (any Error).self) { try RecordedJSON.value("[]", as: Int.self) }
    #expect(error.map { "\($0)".hasPrefix("the JSON is not a value of type Int: ") } == true)
  }
}
