import ReeluxCore
import Testing

@testable import MoviesApp

/// Facts that no other test checks, as deliberate defects have shown: see Scripts/reliability, `mutate`.
@Suite(.timeLimit(.minutes(15))) struct RareWordTests {
  private func movie(_ id: String, year: Int, _ genres: [String] = ["Drama"]) -> Movie {
    Movie(id: id, title: id, year: year, genres: genres)
  }

  @Test func fishCompletesTheValuesOfOptionsAndQuotesItsTexts() {
    let text = CommandLineDescription.movies.completions(for: .fish)
    #expect(text.contains("-l color -x -a 'auto always never'"))
    #expect(text.contains(#"the catalogue\'s"#))
    #expect(!text.contains("the catalogue's"))
  }

  @Test func fishOffersNoOptionThatACommandRefuses() {
    let lines = CommandLineDescription.movies.completions(for: .fish).split(separator: "\n")
    let record = lines.first { $0.contains(" -l record ") }
    for command in ["settings", "report", "replay", "watch", "run", "man", "completions"] {
      #expect(record?.contains(#"not __MoviesCLI_runs \'\#(command)\'"#) == true, "\(command)")
    }
    #expect(lines.contains { $0.hasPrefix("complete -c MoviesCLI -l catalog ") })
  }

  @Test(arguments: Shell.allCases)
  func completionsDoNotWaitForTheSimulatedServer(shell: Shell) {
    #expect(CommandLineDescription.movies.completions(for: shell).contains(" --latency 0s --failure-rate 0 "))
  }

  @Test func aFilterTakesItsFirstAndItsLastYear() {
    var filter = MovieFilter()
    filter.firstYear = 1920
    filter.lastYear = 1922
    let movies = Movies((1919...1923).map { movie("m\($0)", year: $0) })
    #expect(filter.movies(of: movies, isFavorite: { _ in false }).map(\.year) == [1920, 1921, 1922])
  }

  @Test func moviesOfOneYearKeepTheirOrder() {
    var filter = MovieFilter()
    filter.order = .year
    let movies = Movies(["c", "a", "b"].map { movie($0, year: 1920) } + [movie("z", year: 1910)])
    #expect(filter.movies(of: movies, isFavorite: { _ in false }).map(\.id) == ["z", "c", "a", "b"])
  }

  @Test func everyMovieOfAGenreIsCounted() {
    let movies: Movies = [
      movie("a", year: 1, ["Drama"]), movie("b", year: 1, ["Drama"]), movie("c", year: 1, ["Drama", "Drama", "War"]),
    ]
    #expect(GenreCount.all(in: movies).map(\.count) == [3, 1])
  }

  @Test func aBeginningOfTwoWordsSuggestsNeither() {
    #expect(Suggestion.closest(to: "fav", among: ["favorite", "search"]) == "favorite")
    #expect(Suggestion.closest(to: "fav", among: ["favorite", "favourable"]) == nil)
  }

  @Test func aBeginningOfOneWordIsBetterThanASimilarWord() {
    #expect(Suggestion.closest(to: "--form", among: ["--sort", "--format", "--genre"]) == "--format")
  }

  @Test func theFailureRateStaysBetweenNothingAndAll() {
    var state = ScreenState(size: ScreenSize(columns: 80, rows: 24), failurePercent: 100)
    #expect(state.intent(of: .text("+")) == .setFailurePercent(100))
    state.failurePercent = 0
    #expect(state.intent(of: .text("-")) == .setFailurePercent(0))
  }

  @Test func theSelectionStaysOnItsMovieWhenResultsCome() {
    var state = ScreenState(size: ScreenSize(columns: 80, rows: 24))
    state.results = ["a", "b", "c"]
    state.selection = 1
    _ = Reducer<ScreenAction, ScreenState>.screen.reduce(.found(state.request, ["x", "c", "b"], total: 3), &state)
    #expect(state.selectedMovie == "b")
    _ = Reducer<ScreenAction, ScreenState>.screen.reduce(.found(state.request, ["x", "c"], total: 2), &state)
    #expect(state.selectedMovie == "x")
  }

  @Test func aLineOfAScriptIsReadAsAShellWould() throws {
    #expect(try ScriptLine("show a#b # a comment") == .command(["show", "a#b"]))
    #expect(try ScriptLine("show 'a b' \"c d\" e\\ f") == .command(["show", "a b", "c d", "e f"]))
    #expect(throws: UsageError.self) { try ScriptLine("show 'a b") }
    #expect(throws: UsageError.self) { try ScriptLine("show a\\") }
  }

  /// A copy of the word for each of its characters would take longer than the time limit.
  @Test func aWordOfAScriptTakesTimeInProportionToItsLength() throws {
    let long = String(repeating: "a", count: 6_000_000)
    #expect(try ScriptLine("show \(long) '\(long)'") == .command(["show", long, long]))
  }

  @Test func aFlagWinsOverTheEnvironmentAndLinesAreCountedFromOne() throws {
    let settings = try Settings(flags: ["--color": "never"], environment: ["MOVIES_COLOR": "always"])
    #expect(settings.all.first { $0.option == "--color" }?.value == "never")
    #expect(try SettingsFile.entries("# note\n\ncolor = never\n", path: "settings").map(\.line) == [3])
  }
}
