import Foundation
import Testing

/// The rules that the help states.
@Suite(.timeLimit(.minutes(15))) struct HelpTests {
  /// The words of a help text with one blank between them.
  private func help(_ command: String...) async throws -> String {
    let result = try await MoviesProgram().run(command + ["--help"])
    #expect(result.exitCode == 0)
    #expect(result.lines.allSatisfy { $0.count <= 80 || $0.contains("MoviesCLI ") })
    return result.output.split { $0.isWhitespace }.joined(separator: " ")
  }

  @Test(arguments: [
    "a request is tried four times, in browse once; default: 0",
    "log every action to standard error, or to --log-file; times are in UTC; default: off",
    "default: $XDG_DATA_HOME/reelux-movies, or ~/.local/share/reelux-movies",
    "demo (default) Show a tour", "A list or a search without a result is a success.",
    "print help, as 'help COMMAND' does", "print the version, as 'version' does",
  ])
  func theHelpOfTheProgramStates(rule: String) async throws {
    #expect(try await help().contains(rule))
  }

  @Test func theManualPageNamesTheDefaultCommand() async throws {
    let page = try await MoviesProgram().run("man").output
    #expect(page.contains("\n.B demo (default)\n"))
    #expect(page.contains("print help, as 'help COMMAND' does"))
  }

  @Test(arguments: [
    (
      "run",
      "A command that ends with another exit code than 0 is a failure, unless an 'expect exit N' after it expects this "
        + "code."
    ),
    ("run", "The first failed command or expectation ends the script"),
    ("browse", "--failure-rate is the share of changes that the server refuses"),
    ("browse", "it never refuses to send the favourites."),
    ("browse", "--log needs --log-file, because the screen shows the log"),
    ("demo", "the tour takes about ten seconds"),
    ("demo", "It writes no file except those of --record and --log-file."),
    ("replay", "With --skip, only that of the initial state is compared"),
    ("replay", "'equal' is then null in JSON, unless a difference was found"),
  ])
  func theHelpOfACommandStates(command: String, rule: String) async throws {
    #expect(try await help(command).contains(rule))
  }

  @Test func theHelpOfFavouritesNamesEveryStatus() async throws {
    let program = try MoviesProgram()
    var output = try await program.run("favorite", "add", "faust-1926", "nope", "--json").output
    output += try await program.run("favorite", "add", "faust-1926", "--json").output
    output += try await program.run("favorite", "remove", "faust-1926", "greed-1924", "--json").output
    let statuses = Set(output.matches(of: /"status":"([^"]*)"/).map { String($0.1) })
    #expect(statuses == ["added", "already", "removed", "was none", "failed"])
    #expect(
      try await help("favorite", "add").contains(
        "In JSON, 'status' is added, already, removed, 'was none' or failed; a failed one has an 'error'."))
  }

  @Test(arguments: [["track", "--json"], ["replay", "run.jsonl", "--step", "--skip", "1", "--json"]])
  func theHelpNamesTheKeysOfJSONLines(command: [String]) async throws {
    let program = try MoviesProgram()
    _ = try await program.run("list", "--record", "run.jsonl")
    let lines = try await program.run(command).lines
    let help = try await help(command[0])
    for line in [lines.first, lines.last].compactMap({ $0 }) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      for key in object.keys { #expect(help.contains(key), "\(key)") }
    }
  }
}
