import Foundation
import Testing

/// The full screen of the real executable, on a pseudo-terminal.
@Suite(.timeLimit(.minutes(10))) struct BrowseCommandTests {
  private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

  private func browse(_ arguments: String...) async throws -> PseudoTerminal {
    let terminal = try PseudoTerminal(MoviesProgram(), ["browse"] + arguments)
    await terminal.wait(for: "Trip to the Moon")
    return terminal
  }

  @Test func theTerminalIsAsBeforeAfterQuitting() async throws {
    let terminal = try await browse()
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)
    #expect(terminal.output.hasPrefix("\u{1B}[?1049h"))
    #expect(terminal.output.hasSuffix(Self.leave))
  }

  @Test func searchingAndChoosingShowsAHeartThatTheServerConfirms() async throws {
    let terminal = try await browse("--latency", "1ms")
    terminal.type("/nosferatu")
    await terminal.wait(for: "1 movie")
    terminal.type("\r ")
    await terminal.wait(for: "confirmed by")
    terminal.type("q")
    #expect(await terminal.exitCode() == 0)
  }

  @Test func interruptRestoresTheTerminalAndExitsWith130() async throws {
    let terminal = try await browse()
    terminal.type("\u{3}")
    #expect(await terminal.exitCode() == 130)
    #expect(terminal.output.contains(Self.leave))
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalRestoresTheTerminal(signal: Int32, exitCode: Int32) async throws {
    let terminal = try await browse()
    terminal.signal(signal)
    #expect(await terminal.exitCode() == exitCode)
    #expect(terminal.output.hasSuffix(Self.leave))
  }

  @Test func withoutATerminalItSaysWhatToUse() async throws {
    let result = try await MoviesProgram().run("browse")
    #expect(result.exitCode == 64)
    #expect(result.output == "")
    #expect(result.errors.contains("needs a terminal"))
  }
}
