import Foundation
import Testing

/// A command that fails before its first action leaves existing files alone, and no file that the app needs is an
/// output.
@Suite(.timeLimit(.minutes(15))) struct ProtectedFileTests {
  /// A program with a finished recording, `rec.jsonl`.
  private func recorded() async throws -> (program: MoviesProgram, text: String) {
    let program = try MoviesProgram()
    #expect(try await program.run("genres", "--record", "rec.jsonl").exitCode == 0)
    return (program, try program.folder.text("rec.jsonl"))
  }

  @Test(arguments: [
    "settings", "man", "completions bash", "replay rec.jsonl", "watch rec.jsonl", "report rec.jsonl --output out.html",
  ])
  func aCommandWithoutActionsRefusesARecordingAndALog(command: String) async throws {
    let (program, text) = try await recorded()
    try program.folder.write("old", text)
    let options = [
      "--record old --force", "--record new", "--log-file old --log json --force", "--log-file new", "--log pretty",
    ]
    for option in options {
      let result = try await program.run("\(command) \(option)".split(separator: " ").map(String.init))
      #expect(result.exitCode == 64, "\(option)")
      #expect(result.output.isEmpty, "\(option)")
      let name = option.prefix { $0 != " " }
      #expect(result.errors.contains("sends no actions, so \(name) has no effect"), "\(option)")
    }
    #expect(try program.folder.text("old") == text)
    #expect(program.folder.names("").filter { $0 == "new" || $0 == "out.html" }.isEmpty)
    // The setting of a log is for all commands.
    let set = try await program.shell("MOVIES_LOG_FILE=new \"$MOVIES\" \(command)")
    #expect(set.exitCode == 0)
    #expect(!program.folder.names("").contains("new"))
    let missing = try await program.shell("rm -f out.html; MOVIES_LOG_FILE=no/such/folder/log \"$MOVIES\" \(command)")
    #expect(missing.exitCode == 0)
  }

  @Test func aHyphenIsNoFileForALog() async throws {
    let program = try MoviesProgram()
    let result = try await program.run("list", "--log", "compact", "--log-file", "-")
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--log-file - is not a file"))
    #expect(!program.folder.names("").contains("-"))
  }

  @Test(arguments: ["track nofile", "browse"])
  func aCommandThatFailsBeforeItsFirstActionKeepsTheOldFiles(command: String) async throws {
    let (program, text) = try await recorded()
    try program.folder.write("log", "mine\n")
    for option in ["--record rec.jsonl --force", "--record new", "--log-file log --force", "--log-file new"] {
      let result = try await program.run("\(command) \(option)".split(separator: " ").map(String.init))
      #expect(result.exitCode == (command == "browse" ? 64 : 66), "\(option)")
    }
    #expect(try program.folder.text("rec.jsonl") == text)
    #expect(try program.folder.text("log") == "mine\n")
    #expect(!program.folder.names("").contains("new"))
  }

  @Test(arguments: [
    "list --record DATA/favorites.json --force", "favorite add greed-1924 --log-file DATA/favorites.json --force",
    "report rec.jsonl --output DATA/favorites.json --force", "list --record DATA/favorites.json",
    "list --record link --force", "list --record hard --force", "list --log-file DATA/favorites.json.lock",
    "list --catalog movies.csv --record DATA/favorites.json --force", "list --record DATA/favorites-new.json",
    "list --record .config/reelux-movies/settings --force",
    "report rec.jsonl --output .config/reelux-movies/settings --force",
    "--data-dir other list --record other/favorites.json",
    "list --catalog - --record movies.csv --force < movies.csv",
    "list --catalog - --log-file movies.csv --force < movies.csv",
    "report - --output rec.jsonl --force < rec.jsonl", "run tour --log-file tour --force", "run record",
    "run - --log-file tour --force < tour",
  ])
  func whatTheAppNeedsIsNoOutput(line: String) async throws {
    let (program, text) = try await recorded()
    let kept = "data/reelux-movies"
    #expect(try await program.run("favorite", "add", "faust-1926").exitCode == 0)
    let path = program.folder.path
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path("\(kept)/favorites.json"))
    try FileManager.default.linkItem(atPath: path("\(kept)/favorites.json"), toPath: path("hard"))
    try program.folder.write("movies.csv", "movieId,title,genres\n1,A (1950),Drama\n")
    try program.folder.write(".config/reelux-movies/settings", "color = never\n")
    try program.folder.write("tour", "list --limit 1\n")
    try program.folder.write("record", "list --record record --force\nexpect exit 74\n")
    let names = [
      "\(kept)/favorites.json", "\(kept)/favorites.json.lock", "movies.csv", ".config/reelux-movies/settings", "tour",
      "rec.jsonl", "record",
    ]
    let before = try names.map(program.folder.text)
    let result = try await program.shell("\"$MOVIES\" " + line.replacing("DATA", with: kept))
    #expect(result.exitCode == (line == "run record" ? 0 : 74))
    #expect(result.errors.contains("Choose another file."))
    #expect(try names.map(program.folder.text) == before)
    #expect(text == before[5])
    #expect(program.folder.names(kept) == ["favorites.json", "favorites.json.lock"])
  }

  @Test func theRecordingOnStandardInputIsNotReplaced() async throws {
    let (program, text) = try await recorded()
    let result = try await program.shell("\"$MOVIES\" track - --record rec.jsonl --force < rec.jsonl")
    #expect(result.exitCode == 74)
    #expect(
      result.errors == "error: rec.jsonl: the command reads this file and does not replace it. Choose another file.\n")
    #expect(try program.folder.text("rec.jsonl") == text)
  }

  @Test func oneFileIsNotTheLogAndTheRecording() async throws {
    let program = try MoviesProgram()
    try FileManager.default.createSymbolicLink(
      atPath: program.folder.path("link"), withDestinationPath: program.folder.path("both"))
    for (log, record) in [("both", "both"), ("./both", "both"), ("link", "both"), ("both", "link")] {
      let result = try await program.run("list", "--log-file", log, "--record", record)
      #expect(result.exitCode == 64, "\(log) \(record)")
      #expect(result.output.isEmpty)
      #expect(result.errors.hasPrefix("error: \(record): --log-file and --record name this file."))
      #expect(!program.folder.names("").contains("both"))
    }
    #expect(try await program.run("list", "--log-file", "/dev/null", "--record", "/dev/null").exitCode == 0)
  }
}
