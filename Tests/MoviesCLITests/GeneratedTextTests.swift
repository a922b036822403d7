import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct GeneratedTextTests {
  @Test func bashCompletesCommandsAndOptions() async throws {
    let program = try MoviesProgram()
    let line = """
      source <("$MOVIES" completions bash)
      complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _MoviesCLI; echo "${COMPREPLY[@]}"; }
      complete_words MoviesCLI fav
      complete_words MoviesCLI favorite ad
      complete_words MoviesCLI list --sort t
      complete_words MoviesCLI list --fav
      complete_words MoviesCLI --color ""
      complete_words "$MOVIES" show metro
      complete_words "$MOVIES" favorite add --latency 1s faust
      complete_words "$MOVIES" list --genre Wes
      touch "a walk.gpx"; mkdir folder
      complete_words MoviesCLI track a
      complete_words MoviesCLI --data-dir f
      complete_words MoviesCLI completions z
      printf 'movieId,title,genres\\n77,A,Zeta\\n' > own.csv
      complete_words "$MOVIES" --catalog own.csv show 7
      complete_words MoviesCLI list --form
      """
    let result = try await program.shell(line)
    #expect(result.errors.isEmpty)
    #expect(
      result.lines == [
        "favorite", "add", "title", "--favorites", "auto always never", "metropolis-1927", "faust-1926", "Western",
        "a walk.gpx", "folder", "zsh", "77", "--format",
      ])
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func everyShellGetsEveryCommand(shell: String) async throws {
    let result = try await MoviesProgram().run("completions", shell)
    #expect(result.exitCode == 0)
    for word in ["list", "search", "favorite", "toggle", "track", "catalog"] { #expect(result.output.contains(word)) }
  }

  @Test func unknownShellIsWrongUsage() async throws {
    let result = try await MoviesProgram().run("completions", "tcsh")
    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("error: 'completions' needs one of bash, zsh or fish, not 'tcsh'"))
  }

  @Test func aCommandWithoutActionsOffersNoFilesForActions() async throws {
    let program = try MoviesProgram()
    for command in ["man", "completions", "settings", "replay", "report", "watch", "run"] {
      #expect(try await !program.run(command, "--help").output.contains("  --record FILE"), "\(command)")
    }
    #expect(try await program.run("list", "--help").output.contains("  --record FILE"))
  }

  @Test func linesOfTheManualPageAreFilledByTheReadersProgram() async throws {
    let result = try await MoviesProgram().run("man")
    #expect(!result.output.contains(".br"))
    #expect(result.lines.suffix(3).contains { $0.hasPrefix("The favourites server") })
  }

  @Test func manualPageNamesEveryCommand() async throws {
    let result = try await MoviesProgram().run("man")
    #expect(result.output.hasPrefix(".TH MOVIESCLI 1"))
    // Paths are not hyphenated.
    #expect(result.output.contains("\n.nh\n"))
    for word in ["favorite toggle", "\\-\\-failure\\-rate", "EXIT CODES"] { #expect(result.output.contains(word)) }
  }
}
