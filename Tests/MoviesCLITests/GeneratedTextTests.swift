import Foundation
import Testing

@Suite struct GeneratedTextTests {
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
      """
    let result = try await program.shell(line)
    #expect(result.errors.isEmpty)
    #expect(result.lines == ["favorite", "add", "title", "--favorites", "auto always never"])
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
    #expect(result.errors.hasPrefix("error: 'completions' wants one of bash, zsh or fish, not 'tcsh'"))
  }

  @Test func manualPageNamesEveryCommand() async throws {
    let result = try await MoviesProgram().run("man")
    #expect(result.output.hasPrefix(".TH MOVIESCLI 1"))
    for word in ["favorite toggle", "\\-\\-failure\\-rate", "EXIT CODES"] { #expect(result.output.contains(word)) }
  }
}
