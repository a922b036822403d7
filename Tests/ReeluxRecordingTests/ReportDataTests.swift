import Foundation
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

/// The numbers in the data of a report.
@Suite(.timeLimit(.minutes(15))) struct ReportDataTests {
  /// The data inside the page of a recording.
  private func data(
    _ recording: Recording<ShopAction, ShopState>, test: GeneratedTest.Setting? = nil, skipping: Set<Int> = []
  ) throws -> [String: Any] {
    let html = try RecordingReport(
      recording, reducer: .shop, test: test, whatIf: ReportWhatIf<ShopAction, ShopState>(skipping: skipping)
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
}
