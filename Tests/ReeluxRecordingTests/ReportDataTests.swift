import Foundation
import ReeluxCore
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

/// The numbers in the data of a report.
@Suite(.timeLimit(.minutes(15))) struct ReportDataTests {
  /// The data inside the page of a recording.
  private func data(
    _ recording: Recording<ShopAction, ShopState>, reducer: Reducer<ShopAction, ShopState> = .shop,
    hooks: ReportHooks<ShopAction, ShopState> = ReportHooks(), test: GeneratedTest.Setting? = nil,
    skipping: Set<Int> = [],
    command: ReportWhatIf<ShopAction, ShopState>.Command? = nil
  ) throws -> [String: Any] {
    let html = try RecordingReport(
      recording, reducer: reducer, hooks: hooks, test: test,
      whatIf: ReportWhatIf(skipping: skipping, command: command)
    ).html
    let begin = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: begin..<html.endIndex)).lowerBound
    let json = try JSONSerialization.jsonObject(with: Data(html[begin..<end].utf8))
    return try #require(json as? [String: Any])
  }

  @Test(arguments: [[999], [0, -1, 6]] as [Set<Int>])
  func numbersOfNoActionLeaveNothingOut(skipping: Set<Int>) throws {
    let setting = GeneratedTest.Setting(imports: [], state: "ShopState", reducer: ".shop")
    let recording = try ShopRecording().read()
    let data = try data(recording, test: setting, skipping: skipping)
    #expect((data["about"] as? [String])?.contains { $0.hasPrefix("without ") } == false)
    #expect(data["test"] is [String: Any])
    let some = try self.data(recording, test: setting, skipping: skipping.union([2]))
    #expect((some["about"] as? [String])?.last == "without 2: the states were computed again")
    #expect(some["test"] is NSNull)
  }

  /// The outcome of each row: 1 for another checksum, 2 for an action that is left out.
  private func outcomes(_ data: [String: Any]) throws -> [Int?] {
    try #require(data["rows"] as? [[Any]]).map { $0.count > 8 ? $0[8] as? Int : nil }
  }

  @Test func aRowSaysThatItsStateDiffersOrThatItsActionIsLeftOut() throws {
    let wrong = Reducer<ShopAction, ShopState> { action, state in
      if action == .count(.up) { state.counter.value += 2 } else { Reducer.shop.reduce(action, &state) }
    }
    let recording = try ShopRecording().read()
    #expect(try outcomes(data(recording)) == [nil, nil, nil, nil, nil])
    #expect(try outcomes(data(recording, reducer: wrong)) == [nil, 1, 1, 1, 1])
    #expect(try outcomes(data(recording, skipping: [2])) == [nil, 2, nil, nil, nil])
  }

  @Test func theDataHaveTheBeginningOfTheRecordingAndEveryPoint() throws {
    let recording = try ShopRecording().read()
    let hooks = ReportHooks<ShopAction, ShopState>(point: {
      ReportPoint(latitude: Double($0.after.cart.count), longitude: 2)
    })
    let data = try data(recording, hooks: hooks)
    #expect(data["points"] as? [[Double]] == [[1, 1, 2], [2, 1, 2], [3, 1, 2], [4, 0, 2], [5, 0, 2]])
    #expect(data["began"] as? Double == Double(recording.header.began) / 1e6)
  }

  @Test func aPointThatIsNotOnEarthIsLeftOut() throws {
    let hooks = ReportHooks<ShopAction, ShopState>(
      point: { $0.action == .tick ? ReportPoint(latitude: 1, longitude: .infinity) : nil },
      places: { _ in [ReportPoint(latitude: .nan, longitude: 1), ReportPoint(latitude: 1, longitude: .nan)] })
    let data = try data(try ShopRecording().read(), hooks: hooks)
    #expect((data["points"] as? [Any])?.isEmpty == true)
    #expect((data["places"] as? [Any])?.isEmpty == true)
  }

  @Test func theDataHaveTheCommandsOfTheProgram() throws {
    let data = try data(try ShopRecording().read(), command: .init(skip: "shop --skip", report: "shop"))
    #expect(data["skip"] as? String == "shop --skip")
    #expect(data["remake"] as? String == "shop")
  }

  @Test func aLaneThatReturnsKeepsItsPlace() {
    var spans = SpanTracker()
    spans.note([ReportStatus(lane: "a", kind: .pending)], at: 1)
    spans.note([ReportStatus(lane: "b", kind: .pending)], at: 2)
    spans.note([ReportStatus(lane: "a", kind: .settled)], at: 3)
    spans.finish(at: 4)
    #expect(
      spans.json.text
        == #"{"lanes":["a","b"],"spans":[[0,"pending","",1,3],[0,"settled","",3,5],[1,"pending","",2,5]]}"#)
  }

  @Test func aRowRefersToItsOwnLeavesAndToTheShapesOfAllRows() {
    var table = ShapeTable()
    func row(_ value: JSONTree) -> String {
      var bytes: [UInt8] = []
      table.beginRow()
      table.write(value, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let twice = JSONTree.object(["left": .string("green tea"), "right": .string("green tea")])
    #expect(row(twice) == #"["green tea",[0]],0"#)
    #expect(row(.object(["only": .string("green tea")])) == #"["green tea"],1"#)
    #expect(row(twice) == #"["green tea",[0]],0"#)
  }
}
