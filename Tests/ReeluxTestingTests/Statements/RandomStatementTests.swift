import Foundation
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Random tests with right and wrong statements. A test store must accept the right ones and reject the wrong ones, as
/// a model does that compares states without `ReeluxDiff`.
///
/// `REELUX_PROGRAMS` is their number, and `REELUX_SEED` is the first seed. A failure names its seed:
///
///     REELUX_PROGRAMS=100000 swift test --filter RandomStatementTests
@Suite(.conformance(67, 68, 69), .timeLimit(.minutes(120))) struct RandomStatementTests {
  private func number(_ name: String, _ standard: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? standard
  }

  @Test func aTestStoreAcceptsRightStatementsAndRejectsWrongOnes() async {
    await check(Double.self)
  }

  @Test func withoutEquatableItAcceptsAndRejectsTheSameStatements() async {
    await check(LooseNumber.self)
  }

  private func check<Number: StatedNumber>(_: Number.Type) async {
    let (first, count) = (number("REELUX_SEED", 1), number("REELUX_PROGRAMS", 200))
    for seed in first..<(first + count) {
      var program = StatementProgram<Number>(seed: seed)
      guard let fault = await program.run() else { continue }
      Issue.record("seed \(seed): \(fault)\n\(program.history.joined(separator: "\n"))")
      return
    }
    print("\(count) random tests with \(Number.self) from seed \(first): as the model")
  }
}
