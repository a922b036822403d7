import Foundation
import ReeluxTestSupport
import Testing

/// Random schedules with a model of a server; see ``Schedule`` for the conditions.
///
/// `REELUX_FAVORITES_SCHEDULES` is their number, and `REELUX_FAVORITES_SEED` is the first one. A failure names its
/// seed:
///
///     REELUX_FAVORITES_SCHEDULES=1000000 swift test -c release -Xswiftc -enable-testing --filter ScheduleTests
@Suite(.timeLimit(.minutes(15))) struct ScheduleTests {
  static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }

  @Test(.conformance(83, 111, 112, 113, 114)) func everyScheduleEndsWithClientAndServerAgreed() {
    let count = Self.number("REELUX_FAVORITES_SCHEDULES") ?? 2_000
    let first = Self.number("REELUX_FAVORITES_SEED") ?? 1
    var counts: [String: Int] = [:]
    var answers = [Int](repeating: 0, count: 12)
    var actions = 0
    for seed in first..<(first + count) {
      var schedule = Schedule(seed: seed)
      schedule.play(steps: 20 + Int(seed % 60))
      counts.merge(schedule.counts, uniquingKeysWith: +)
      for (index, count) in schedule.answers.enumerated() { answers[index] += count }
      actions += schedule.actions
      guard let violation = schedule.violation else { continue }
      var replay = Schedule(seed: seed, keepsHistory: true)
      replay.play(steps: 20 + Int(seed % 60))
      Issue.record("seed \(seed): \(violation)\n\(replay.history.joined(separator: "\n"))")
      return
    }
    for what in [
      "stray", "other client", "reinstalled", "restored", "restored from an older copy", "encoded", "made again",
      "reset",
    ] { #expect(counts[what] != nil, "\(what) never happened") }
    #expect(!answers.contains(0))
    if count >= 100_000 {
      print("\(count) schedules from seed \(first), \(actions) actions, answers \(answers)")
      for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(what): \(count)") }
    }
  }
}
