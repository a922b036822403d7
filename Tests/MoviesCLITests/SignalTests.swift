import Foundation
import Testing

@Suite struct SignalTests {
  @Test(arguments: [("INT", 130), ("TERM", 143)])
  func signalEndsTheProgramWithItsCodeAndWholeLines(signal: String, code: Int) async throws {
    let program = try MoviesProgram()
    // The first fix is out: the program is in the middle of the walk.
    let result = try await program.shell(
      """
      "$MOVIES" track --speed 1 --json > fixes & walk=$!
      until [ -s fixes ]; do sleep 0.05; done
      kill -\(signal) $walk; wait $walk; echo $?
      """)
    #expect(result.lines.last == "\(code)")
    #expect(result.errors.isEmpty)
    let fixes = try program.folder.text("fixes")
    #expect(fixes.hasSuffix("}\n"))
  }

  @Test func logIsWrittenToTheEndOnASignal() async throws {
    let program = try MoviesProgram()
    let result = try await program.shell(
      """
      "$MOVIES" track --speed 1 --json --log json --log-file log.jsonl > fixes & walk=$!
      until [ -s fixes ]; do sleep 0.05; done
      kill -TERM $walk; wait $walk; echo $?
      """)
    #expect(result.lines.last == "143")
    let log = try program.folder.text("log.jsonl")
    #expect(log.contains("location.moved"))
    #expect(log.hasSuffix("}\n"))
  }
}
