import Foundation
import Testing

/// What exists is replaced with `--force` only, and what a command reads is never replaced.
@Suite(.timeLimit(.minutes(5))) struct OverwritingTests {
  @Test func recordingIsReplacedWithForceOnly() async throws {
    let program = try MoviesProgram()
    try program.folder.write("run.jsonl", "mine\n")
    let refused = try await program.run("list", "--record", "run.jsonl")
    #expect(refused.exitCode == 74)
    #expect(
      refused.errors == "error: 'run.jsonl' exists already. Choose another file, or replace it with --force.\n")
    #expect(try program.folder.text("run.jsonl") == "mine\n")
    let forced = try await program.run("list", "--record", "run.jsonl", "--force")
    #expect(forced.exitCode == 0)
    #expect(try await program.run("replay", "run.jsonl").exitCode == 0)
  }

  @Test func logOfAnotherFormatIsReplacedWithForceOnly() async throws {
    let program = try MoviesProgram()
    try program.folder.write("log", "mine\n")
    let refused = try await program.run("list", "--log-file", "log", "--log", "json")
    #expect(refused.exitCode == 74)
    #expect(refused.errors.contains("--force"))
    #expect(try program.folder.text("log") == "mine\n")
    #expect(try await program.run("list", "--log-file", "log", "--log", "json", "--force").exitCode == 0)
    #expect(try program.folder.text("log").hasPrefix("{"))
  }

  @Test func whatIsReadIsNeverReplaced() async throws {
    let program = try MoviesProgram()
    let catalog = "movieId,title,genres\n1,A (1950),Drama\n"
    try program.folder.write("movies.csv", catalog)
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path("link"), withDestinationPath: program.folder.path("movies.csv"))
    for output in ["movies.csv", "./movies.csv", "link"] {
      for option in ["--record", "--log-file"] {
        let result = try await program.run(
          "list", "--catalog", "movies.csv", option, output, "--log", "json", "--force")
        #expect(result.exitCode == 74, "\(option) \(output)")
        #expect(
          result.errors == "error: '\(output)' is read by this command and is not replaced. Choose another file.\n")
        #expect(try program.folder.text("movies.csv") == catalog)
      }
    }
  }
}
