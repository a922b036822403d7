import Foundation
import Testing

@Suite struct DemoTests {
  @Test func demoIsTheDefaultAndEndsAtOnceInAPipe() async throws {
    let program = try MoviesProgram()
    let result = try await program.run()
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    for word in ["simulated", "fictional", "not confirmed yet", "confirmed", "refuses", "62 fixes", "MoviesCLI --help"]
    {
      #expect(result.output.contains(word), "\(word)")
    }
    #expect(!FileManager.default.fileExists(atPath: program.dataDirectory))
  }

  @Test func demoShowsEveryActionWithItsSource() async throws {
    let actions = try await MoviesProgram().run("demo").lines.filter { $0.hasPrefix("  action") }
    #expect(actions.count >= 9)
    #expect(actions.allSatisfy { $0.contains(".swift:") })
  }

  @Test func demoEndsByItselfOnATerminal() async throws {
    guard FileManager.default.fileExists(atPath: "/usr/bin/script") else { return }
    let program = try MoviesProgram()
    let result = try await program.shell("TERM=xterm script -qec \"stty cols 80; '$MOVIES'\" /dev/null")
    #expect(result.output.contains("\u{1B}[1m"))
    #expect(result.output.contains("the feed is closed"))
  }
}
