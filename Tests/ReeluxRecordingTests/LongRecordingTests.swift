import Foundation
import ReeluxCore
import ReeluxLoggerTestSupport
import Testing

@testable import ReeluxRecording

/// The memory and the times of a long recording.
@Suite(.timeLimit(.minutes(15))) struct LongRecordingTests {
  /// A number of living objects.
  final class Count: Sendable {
    private let count = Locked(0)

    var value: Int { count.withLock { $0 } }

    func add(_ number: Int) { count.withLock { $0 += number } }
  }

  final class Job: Encodable, Sendable {
    private enum CodingKeys: CodingKey {}

    private let living: Count

    init(_ living: Count) {
      self.living = living
      living.add(1)
    }

    deinit { living.add(-1) }
  }

  @Test(arguments: [1, 40]) func keysThatComeAndGoAreForgotten(jobs: Int) throws {
    let living = Count()
    let encoder = TreeEncoder(remembers: true)
    for round in 0..<200 {
      let running = Dictionary(uniqueKeysWithValues: (0..<jobs).map { ("\(round + $0)", Job(living)) })
      let tree = try encoder.encode(["running": running])
      #expect(tree.text == (try TreeEncoder().encode(["running": running]).text))
    }
    #expect(living.value <= 2 * jobs + 17)
  }

  @Test func aKeyThatWasForgottenIsEncodedAgain() throws {
    let encoder = TreeEncoder(remembers: true)
    for keys in [0..<60, 60..<61, 61..<79, 59..<79] {
      let values = Dictionary(uniqueKeysWithValues: keys.map { ("key \($0)", $0) })
      #expect(try encoder.encode(values).bytes == TreeEncoder().encode(values).bytes)
    }
  }

  @Test func theTimesOfThePageDoNotDrift() throws {
    let source = ActionSource(file: "App/Shop.swift", function: "run()", line: 1)
    let actions = (0..<1_000).map { index in
      RecordedAction(number: index + 1, action: ShopAction.tick, source: source, time: Int64(index + 1) * 1_999)
    }
    let recording = Recording(
      header: RecordingHeader(app: "Shop", version: "1"), initialState: ShopState(),
      actions: actions)
    let html = try RecordingReport(recording, reducer: .shop, title: "Shop").html
    let begin = try #require(html.range(of: #"id="data">"#)).upperBound
    let end = try #require(html.range(of: "</script>", range: begin..<html.endIndex)).lowerBound
    let data = try JSONSerialization.jsonObject(with: Data(html[begin..<end].utf8)) as? [String: Any]
    let rows = try #require(data?["rows"] as? [[Any]])
    #expect(rows.reduce(0) { $0 + ($1[2] as? Int ?? 0) } == 1_999)
  }

  @Test func checksumsThatTookVeryLongAreRareAfterwards() {
    var effort = RecordWriter<Int, Int>.Effort(actions: 900_000_000, checksums: 0, count: 900_000)
    #expect(effort.spacing(after: 1_000_000_000) == 1)
    effort.checksums = 3_600_000_000_000
    #expect(effort.spacing(after: 3_600_000_000_000) == 10_800_000_000)
    #expect(effort.spacing(after: .max) > 10_800_000_000)
  }
}
