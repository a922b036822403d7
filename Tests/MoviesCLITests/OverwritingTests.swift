import Foundation
import Testing

/// Existing files are replaced only with `--force`, and files that a command reads are never replaced.
@Suite(.timeLimit(.minutes(15))) struct OverwritingTests {
  @Test func recordingIsReplacedWithForceOnly() async throws {
    let program = try MoviesProgram()
    try program.folder.write("run.jsonl", "mine\n")
    let refused = try await program.run("list", "--record", "run.jsonl")
    #expect(refused.exitCode == 74)
    #expect(
      refused.errors == "error: run.jsonl: the file exists already. Choose another file, or replace it with --force.\n")
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

  @Test(
    arguments: [
      "report run.jsonl --output - >> run.jsonl", "report run.jsonl --output page.html >> run.jsonl",
      "replay run.jsonl --step >> run.jsonl", "watch --once run.jsonl >> run.jsonl",
      "replay - < run.jsonl >> run.jsonl",
    ])
  func outputIsNotAppendedToTheRecordingThatIsRead(line: String) async throws {
    let program = try MoviesProgram()
    #expect(try await program.run("list", "--record", "run.jsonl").exitCode == 0)
    let before = try program.folder.text("run.jsonl")
    let result = try await program.shell("\"$MOVIES\" \(line)")
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("the command reads this file, and its output goes to the same file."))
    #expect(try program.folder.text("run.jsonl") == before)
  }

  @Test func recordingIsNotMixedWithWhatTheCommandWrites() async throws {
    let program = try MoviesProgram()
    for line in [
      "list --record -", "list --record /dev/stdout", "list --record /dev/fd/1 | cat",
      "list --record out.jsonl > out.jsonl",
      "list --record out.jsonl --force >> out.jsonl", "list --record /dev/stderr",
    ] {
      let result = try await program.shell("set -o pipefail; \"$MOVIES\" \(line)")
      #expect(result.exitCode == 64, "\(line)")
      #expect(result.output.isEmpty, "\(line)")
      #expect(result.errors.hasPrefix("error: --record "), "\(line)")
      #expect(result.errors.contains("would mix the recording with the command's "), "\(line)")
      #expect(result.errors.contains("Name a file"), "\(line)")
    }
    #expect(!FileManager.default.fileExists(atPath: program.folder.path("-")))
    // The output goes elsewhere, so the recording is alone in its stream.
    let apart = try await program.shell("\"$MOVIES\" list --record /dev/fd/3 3>&1 > list.txt")
    #expect(apart.exitCode == 0)
    #expect(
      apart.output.hasPrefix(#"{"format":"reelux-recording""#) || apart.output.contains(#""format":"reelux-recording""#)
    )
    #expect(try await program.shell("\"$MOVIES\" list --record /dev/null > /dev/null").exitCode == 0)
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
          result.errors
            == "error: \(output): the command reads this file and does not replace it. Choose another file.\n")
        #expect(try program.folder.text("movies.csv") == catalog)
      }
    }
  }

  /// The log appends its lines. A stream that does not append writes over them.
  @Test(arguments: ["out > out 2> errors", "errors 2> errors", "link > out 2> errors"])
  func aLogIsNotInAFileThatOutputWritesOver(options: String) async throws {
    let program = try MoviesProgram()
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path("link"), withDestinationPath: program.folder.path("out"))
    let refused = try await program.shell("\"$MOVIES\" list --limit 1 --log-file \(options)")
    #expect(refused.exitCode == 64, "\(options)")
    #expect(try program.folder.text("errors").contains("would overwrite each other"), "\(options)")
  }

  @Test(arguments: ["out >> out", "err 2>> err", "/dev/stdout | cat > out", "/dev/null > /dev/null"])
  func aLogMayBeInAFileThatOutputIsAppendedTo(options: String) async throws {
    let program = try MoviesProgram()
    #expect(try await program.shell("\"$MOVIES\" list --limit 1 --log-file \(options)").exitCode == 0, "\(options)")
  }

  @Test func aDeviceIsNoPlaceForAPage() async throws {
    let program = try MoviesProgram()
    #expect(try await program.run("genres", "--record", "rec.jsonl").exitCode == 0)
    let result = try await program.run("report", "rec.jsonl", "--output", "/dev/null")
    #expect(result.exitCode == 74)
    #expect(
      result.errors == "error: /dev/null: this is not a file. Name a file, or - for standard output.\n")
  }

  @Test func aPageDoesNotReplaceTheCatalogueOfItsRecording() async throws {
    let program = try MoviesProgram()
    let rows = (1...600).map { "\($0),Film \($0) (1920),Drama\n" }.joined()
    try program.folder.write("big.csv", "movieId,title,genres\n" + rows)
    #expect(try await program.run("genres", "--catalog", "big.csv", "--record", "rec.jsonl").exitCode == 0)
    let result = try await program.run("report", "rec.jsonl", "--output", "./big.csv", "--force")
    #expect(result.exitCode == 74)
    #expect(
      result.errors == "error: ./big.csv: the command reads this file and does not replace it. Choose another file.\n")
    #expect(try program.folder.text("big.csv").hasSuffix(rows))
  }

  @Test func theFileOfAPageIsCheckedBeforeTheRecordingIsRead() async throws {
    let program = try MoviesProgram()
    try program.folder.write("old.html", "mine")
    for (output, reason) in [
      ("old.html", "the file exists already."), ("/", "this is a folder"),
      ("no/page.html", "the file cannot be written"),
    ] {
      let result = try await program.run("report", "nowhere.jsonl", "--output", output)
      #expect(result.exitCode == 74)
      #expect(result.errors.hasPrefix("error: \(output): \(reason)"))
    }
  }

  @Test func failedRecordingKeepsTheOldFileAndLeavesNoOther() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("list", "--record", "run.jsonl")
    let old = try program.folder.text("run.jsonl")
    let failed = try await program.shell("ulimit -f 1; \"$MOVIES\" demo --record run.jsonl --force")
    #expect(failed.exitCode == 74)
    #expect(try program.folder.text("run.jsonl") == old)
    #expect(program.folder.names("").filter { $0.hasSuffix(".part") } == [])
  }
}
