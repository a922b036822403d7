import Foundation
import Testing

@Suite(
  .timeLimit(.minutes(15)),
  .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script"), "script(1) is not installed."))
struct TerminalTests {
  private func onTerminal(_ command: String, columns: Int, environment: String = "") async throws -> String {
    let line = "\(environment) TERM=${TERM:-xterm} script -qec \"stty cols \(columns); '$MOVIES' \(command)\" /dev/null"
    return try await MoviesProgram().shell(line).output
  }

  @Test func tableIsColouredAndNoWiderThanTheTerminal() async throws {
    let output = try await onTerminal("list --limit 20", columns: 60, environment: "TERM=xterm")
    #expect(output.contains("\u{1B}[1mTITLE"))
    let plain = output.replacing(/\u{1B}\[[0-9;]*[a-zA-Z]/, with: "").replacing("\r\n", with: "\n")
    for line in plain.split(separator: "\n") where !line.hasPrefix("note:") { #expect(line.count <= 60) }
  }

  @Test func lineSaysWhichRequestIsOutAndGoesAway() async throws {
    let command = "favorite add faust-1926 --latency 300ms"
    let output = try await onTerminal(command, columns: 80, environment: "TERM=xterm")
    let saving = try #require(output.firstRange(of: "saving: Faust (1926)"))
    #expect(output[saving.upperBound...].contains("\r\u{1B}[2K"))
    #expect(output[saving.upperBound...].contains("added     faust-1926  Faust (1926)"))
  }

  @Test func aLogOnTheTerminalIsNotMixedWithTheProgress() async throws {
    let command = "favorite add faust-1926 --latency 300ms --log compact"
    let output = try await onTerminal(command, columns: 80, environment: "TERM=xterm")
    #expect(output.contains("added     faust-1926"))
    #expect(output.contains(".favorites(.set(\"faust-1926\", isFavorite: true))"))
    #expect(!output.contains("saving:"))
    let other = try await onTerminal(command + " --log-file log", columns: 80, environment: "TERM=xterm")
    #expect(other.contains("saving: Faust (1926)"))
  }

  @Test func theTerminalOfTheProcessIsNoRecording() async throws {
    let output = try await onTerminal("list --limit 1 --record /dev/tty", columns: 80)
    #expect(output.contains("error: --record /dev/tty would mix the recording with the command's output."))
    #expect(!output.contains("reelux-recording"))
  }

  @Test(arguments: ["NO_COLOR=1 TERM=xterm", "TERM=dumb"])
  func environmentTurnsColourOff(environment: String) async throws {
    let output = try await onTerminal("list --limit 3", columns: 80, environment: environment)
    #expect(!output.contains("\u{1B}"))
  }
}
