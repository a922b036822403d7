import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct UsageTests {
  @Test func helpGoesToStandardOutputWithAnExampleFirst() async throws {
    let program = try MoviesProgram()
    for arguments in [["--help"], ["-h"], ["--nonsense", "-h"]] {
      let result = try await program.run(arguments)
      #expect(result.exitCode == 0)
      #expect(result.errors.isEmpty)
      #expect(result.output.contains("\n\nExamples:\n  MoviesCLI list"))
    }
    let list = try await program.run("list", "--help")
    #expect(list.output.hasPrefix("List movies.\n\nExamples:\n  MoviesCLI list"))
    #expect(list.output.split(separator: "-h, --help").count == 2)
  }

  @Test(arguments: [
    ["--skip", "999"], ["--skip", "2..999"], ["--skip", "1..4000000000000000000"], ["--to", "999"],
    ["--to", "9223372036854775807"],
  ])
  func actionsThatARecordingDoesNotHaveAreNamed(options: [String]) async throws {
    let program = try MoviesProgram()
    _ = try await program.run("genres", "--record", "run.jsonl")
    let result = try await program.run(["replay", "run.jsonl"] + options)
    #expect(result.exitCode == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors.firstMatch(of: /error: run.jsonl: there is no action \d+; the last one is \d+\n/) != nil)
  }

  /// A number in the right form is no wrong usage.
  @Test func aNumberThatNamesNothingHasOneExitCode() async throws {
    let program = try MoviesProgram()
    _ = try await program.run("genres", "--record", "run.jsonl")
    _ = try program.folder.write("walk.gpx", "<gpx><trk><trkseg><trkpt lat='1' lon='1'/></trkseg></trk></gpx>")
    for words in [
      ["replay", "run.jsonl", "--skip", "9"], ["replay", "run.jsonl", "--to", "9"],
      ["replay", "run.jsonl", "--as-test", "1..9"], ["report", "run.jsonl", "--skip", "9"],
      ["track", "walk.gpx", "--only", "9"], ["show", "9"],
    ] {
      let result = try await program.run(words)
      #expect(result.exitCode == 1, "\(words)")
      #expect(result.output.isEmpty, "\(words)")
    }
  }

  @Test func anArgumentThatIsNotUTF8IsNamed() async throws {
    let result = try await MoviesProgram().shell(#""$MOVIES" list --catalog "$(printf 'caf\351.csv')""#)
    #expect(result.exitCode == 64)
    #expect(result.output.isEmpty)
    #expect(
      result.errors == """
        error: argument 3 is not UTF-8: 'caf\u{FFFD}.csv'. Write the argument in UTF-8. A file \
        whose name is not UTF-8 must be renamed.
        See 'MoviesCLI --help'.

        """)
  }

  @Test func aVariableThatIsNotUTF8IsNamed() async throws {
    let result = try await MoviesProgram().shell(#"HOME="$(printf '/tmp/H\366me')" "$MOVIES" favorite list"#)
    #expect(result.exitCode == 64)
    #expect(
      result.errors.hasPrefix(
        "error: the environment variable HOME is not UTF-8: '/tmp/H\u{FFFD}me'. Set it to a text in UTF-8.\n"))
  }

  #if os(Linux)
    @Test func filesAreWrittenInAFolderWhoseNameIsNotUTF8() async throws {
      let result = try await MoviesProgram().shell(
        #"""
        mkdir "$(printf 'M\374ller')" && cd "$(printf 'M\374ller')" &&
        "$MOVIES" --quiet --data-dir data --log compact --log-file l.log favorite add metropolis-1927 &&
        ls l.log data/favorites.json && ls -d ../M*ller | wc -l
        """#)
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.output.hasSuffix("data/favorites.json\nl.log\n1\n"), "\(result.output)")
    }
  #endif

  @Test func versionIsOneLine() async throws {
    let program = try MoviesProgram()
    let result = try await program.run("--version")
    #expect(try await program.run("version").output == result.output)
    #expect(result.output.hasPrefix("MoviesCLI "))
    #expect(result.lines.count == 1)
    #expect(result.exitCode == 0)
  }

  @Test(arguments: [
    (["lst", "--help"], "error: unknown command 'lst'. Did you mean 'list'?\nSee 'MoviesCLI --help'.\n"),
    (["help", "nope"], "error: unknown command 'nope'\nSee 'MoviesCLI --help'.\n"),
    (
      ["list", "--year", "1920..1910"],
      "error: --year 1920..1910 is reversed; write 1910..1920\nSee 'MoviesCLI list --help'.\n"
    ),
    (["lst"], "error: unknown command 'lst'. Did you mean 'list'?\nSee 'MoviesCLI --help'.\n"),
    (["list", "--jsno"], "error: unknown option '--jsno'. Did you mean '--json'?\nSee 'MoviesCLI list --help'.\n"),
    (["list", "--help=x"], "error: --help takes no value\nSee 'MoviesCLI list --help'.\n"),
    (["--version=1"], "error: --version takes no value\nSee 'MoviesCLI --help'.\n"),
    (["version", "now"], "error: 'version' takes no argument 'now'\nSee 'MoviesCLI --help'.\n"),
    (
      ["nearby", "--at", "95,13"],
      "error: --at: the latitude 95 is not from -90 to 90\nSee 'MoviesCLI nearby --help'.\n"
    ),
    (["favorite"], "error: 'favorite' needs one of add, remove, toggle or list\nSee 'MoviesCLI favorite --help'.\n"),
  ])
  func wrongUsageExplainsItself(arguments: [String], message: String) async throws {
    let result = try await MoviesProgram().run(arguments)
    #expect(result.exitCode == 64)
    #expect(result.output.isEmpty)
    #expect(result.errors == message)
  }

  @Test func usageErrorsHaveTheChosenColours() async throws {
    var program = try MoviesProgram()
    let plain = "error: unknown option '--jsno'. Did you mean '--json'?\n"
    let colored = plain.replacing("error:", with: "\u{1B}[31merror:\u{1B}[0m")
    #expect(try await program.run("list", "--jsno", "--color", "always").errors.hasPrefix(colored))
    #expect(try await program.run("--color=always", "list", "--jsno").errors.hasPrefix(colored))
    try program.folder.write(".config/reelux-movies/settings", "color = always\n")
    #expect(try await program.run("list", "--jsno").errors.hasPrefix(colored))
    #expect(try await program.run("list", "--jsno", "--color", "never").errors.hasPrefix(plain))
    program.environment["MOVIES_COLOR"] = "never"
    #expect(try await program.run("list", "--jsno").errors.hasPrefix(plain))
  }

  @Test(arguments: [
    "", "demo", "browse", "list", "search", "show", "genres", "favorite", "favorite add", "favorite list", "track",
    "nearby", "replay", "report", "watch", "run", "settings", "completions", "man",
  ])
  func helpFitsInEightyColumns(topic: String) async throws {
    let result = try await MoviesProgram().run(topic.split(separator: " ").map(String.init) + ["--help"])
    #expect(result.exitCode == 0)
    // An example and a word are not divided.
    let long = result.lines.filter { $0.count > 80 && !$0.hasPrefix("  MoviesCLI ") }
    #expect(long.isEmpty, "\(long)")
  }
}
