import Testing

@testable import MoviesApp

@Suite(.timeLimit(.minutes(15))) struct ProgramTests {
  @Test(arguments: [
    ("MoviesCLI", "MoviesCLI"), ("/usr/local/bin/MoviesCLI", "/usr/local/bin/MoviesCLI"),
    ("./MoviesCLI", "./MoviesCLI"), ("/my tools/MoviesCLI", "'/my tools/MoviesCLI'"),
    ("/home/me/reelux/.build/debug/MoviesCLI", "swift run MoviesCLI"),
    (".build/release/MoviesCLI", "swift run MoviesCLI"),
  ])
  func suggestionsAreTypedAsTheProgramWasStarted(path: String, name: String) {
    #expect(Program.name(startedAs: path) == name)
  }
}
