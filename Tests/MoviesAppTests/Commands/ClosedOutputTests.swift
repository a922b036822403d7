import Foundation
import ReeluxCore
import ReeluxFavorites
import Testing

@testable import MoviesApp

/// Commands whose reader closes the pipe after the first output.
@Suite(.timeLimit(.minutes(15))) struct ClosedOutputTests {
  /// Runs a command line. Returns the number of its outputs.
  private func outputs(of words: [String]) async -> (count: Int, exitCode: ExitCode) {
    let count = Locked(0)
    var runner = CommandRunner(
      environment: ["HOME": "/nowhere"],
      console: { _ in
        var console = Console(output: { _, _ in count.withLock { $0 += 1 } }, errors: { _ in })
        console.isClosed = { count.withLock { $0 > 0 } }
        return console
      })
    runner.adjust = { $0.favorites = .mock() }
    let exitCode = await runner.run(words)
    return (count.withLock { $0 }, exitCode)
  }

  @Test(arguments: [["replay", "--step"], ["replay", "--step", "--json"], ["watch"], ["watch", "--once"]])
  func noActionIsPlayedAfterTheReaderHasClosedThePipe(words: [String]) async {
    let file = FileManager.default.temporaryDirectory.appending(path: "closed-\(UUID().uuidString).jsonl").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(await outputs(of: ["favorite", "add", "faust-1926", "--record", file]).exitCode == .done)
    let result = await outputs(of: words + [file])
    #expect(result.count == 1)
    #expect(result.exitCode == .done)
  }
}
