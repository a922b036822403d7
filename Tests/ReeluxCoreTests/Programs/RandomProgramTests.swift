import Foundation
import ReeluxCore
import ReeluxTestSupport
import Testing

/// Random programs over the whole public API of a store, compared with a model that processes one action after the
/// other.
///
/// `REELUX_PROGRAMS` is their number, and `REELUX_SEED` is the first seed. A failure names its seed:
///
///     REELUX_PROGRAMS=100000 swift test --filter RandomProgramTests
@Suite(.timeLimit(.minutes(120))) struct RandomProgramTests {
  static func number(_ name: String, _ standard: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? standard
  }

  static let count = number("REELUX_PROGRAMS", 400)
  static let first = number("REELUX_SEED", 1)

  @Test func everyProgramDoesWhatTheModelDoes() async {
    for seed in Self.first..<(Self.first + Self.count) {
      var program = RandomProgram(seed: seed)
      guard let fault = await program.run() else { continue }
      Issue.record("seed \(seed): \(fault)\n\(program.history.joined(separator: "\n"))")
      return
    }
    print("\(Self.count) random programs from seed \(Self.first): as the model")
  }

  @Test func threadsThatUseAStoreAtOnceLoseNothing() async {
    let count = Self.count / 4
    for seed in Self.first..<(Self.first + count) {
      guard let fault = await ThreadedProgram(seed: seed).run() else { continue }
      Issue.record("seed \(seed): \(fault)")
      return
    }
    print("\(count) random programs of several threads from seed \(Self.first): nothing lost")
  }
}
