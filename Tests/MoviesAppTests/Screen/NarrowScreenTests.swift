import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@testable import MoviesApp

/// Texts that are wider than their place.
@Suite(.timeLimit(.minutes(15))) struct NarrowScreenTests {
  private func row(_ row: Int, of grid: Grid) -> String {
    let rows = grid.text.split(separator: "\n", omittingEmptySubsequences: false)
    return rows.indices.contains(row) ? String(rows[row]) : ""
  }

  private func scene(
    _ size: ScreenSize, favorites: FavoritesState<Movie.ID> = FavoritesState(),
    _ change: (inout ScreenState) -> Void = { _ in }
  ) -> ScreenScene {
    var screen = ScreenState(size: size)
    screen.results = BrowseTests.catalog.movies.map(\.id)
    screen.total = 3
    change(&screen)
    screen.answered = screen.request
    return ScreenScene(
      screen: screen, catalog: BrowseTests.catalog, favorites: favorites, step: nil, cinemas: [], isWalking: false)
  }

  @Test(arguments: [90, 80, 60])
  func aLongReasonOfAFailureIsShownToItsEnd(columns: Int) async {
    let reason = "nothing was changed: the favourites file '/home/me/movies/favorites.json' was removed"
    let stage = await Stage(ScreenSize(columns: columns, rows: 24))
    await stage.type(" ")
    await stage.answers.fail(FavoritesFailure(.storage, reason))
    let grid = stage.grid
    let column = ScreenLayout(size: grid.size).rightColumn
    let details = (2..<12).map { row in
      (column..<columns).map { grid[$0, row].text }.joined().trimmed
    }.joined(separator: " ")
    #expect(details.contains("failed: nothing was changed: the favourites file"))
    #expect(details.contains("was removed"))
  }

  @Test func aReasonThatIsTooLongEndsWithAnEllipsis() async {
    let reason = String(repeating: "the server has no time now and ", count: 20)
    let stage = await Stage(ScreenSize(columns: 80, rows: 16))
    await stage.type(" ")
    await stage.answers.fail(FavoritesFailure(.refused, reason))
    let rows = stage.grid.text.split(separator: "\n", omittingEmptySubsequences: false)[2..<10]
    #expect(rows.contains { $0.hasSuffix("…") }, "\(stage.grid.text)")
  }

  @Test func aLongChangeIsContinuedInTheNextRow() async {
    let stage = await Stage(ScreenSize(columns: 80, rows: 24))
    await stage.type(" ")
    let text = stage.grid.text
    #expect(text.contains("The Arrival of a Train is a"))
    #expect(text.contains("answered yet"))
  }

  @Test(arguments: ["all", "Documentary about science and technology"])
  func theNumberOfMoviesIsShownBesideALongGenre(genre: String) {
    for query in ["", "a search that is long and becomes longer"] {
      for columns in [60, 70, 80, 100] {
        let grid = scene(ScreenSize(columns: columns, rows: 16)) {
          $0.genre = genre
          $0.favoritesOnly = true
          $0.query = query
        }.grid()
        let line = row(1, of: grid)
        #expect(line.hasSuffix("3 movies"), "\(line)")
        #expect(line.contains("favourites only") || line.contains("♥ only"), "\(line)")
        #expect(line.contains(genre.prefix(3)), "\(line)")
      }
    }
  }

  @Test func aNoticeFitsTheSmallestScreen() {
    var state = ScreenState(size: ScreenLayout.smallest)
    for _ in 0..<3 {
      state.history.append(
        title: "action", isStep: false, view: ScreenMoment.View(favorites: FavoritesState(), step: nil))
    }
    state.press(.text("["))
    state.press(.text(" "))
    #expect(TextWidth.columns(state.message ?? "") < ScreenLayout.smallest.columns)
    #expect(state.message?.contains("Enter restores its favourites, Esc") == true)
  }

  @Test(arguments: [(20, 5), (12, 4), (16, 1)])
  func aVerySmallTerminalNamesTheSizeAndTheKey(columns: Int, rows: Int) {
    let text = scene(ScreenSize(columns: columns, rows: rows)).grid().text.replacing("\n", with: " ")
    #expect(text.contains("60 x 16, q quits"), "\(text)")
  }

  @Test(arguments: [(80, "0 % of changes refused (simulated)"), (60, "0 % refused")])
  func theBarSaysWhatTheServerRefuses(columns: Int, text: String) async {
    let stage = await Stage(ScreenSize(columns: columns, rows: 16))
    #expect(row(0, of: stage.grid).hasSuffix("♥ 0  0 % of changes refused (simulated)"))
    await stage.type(" ")
    #expect(row(0, of: stage.grid).hasSuffix("1 not confirmed  \(text)"))
  }
}
