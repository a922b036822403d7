@testable import MoviesApp
import Testing

@Suite struct TextTests {
  private let movies = [
    Movie(id: "metropolis-1927", title: "Metropolis", year: 1927, genres: ["Drama", "Sci-Fi"]),
    Movie(id: "7", title: "千と千尋の神隠し", year: nil, genres: []),
  ]

  @Test func tableIsGolden() {
    #expect(
      MovieText.table(movies, isFavorite: { $0 == "metropolis-1927" }) == """
           ID               TITLE             YEAR  GENRES
        ♥  metropolis-1927  Metropolis        1927  Drama, Sci-Fi
           7                千と千尋の神隠し     –

        """)
  }

  @Test func tableWithColourMarksHeadingsFavouritesAndGenres() {
    let text = MovieText.table([movies[0]], isFavorite: { _ in true }, style: TextStyle(usesColor: true))
    #expect(text.contains("\u{1B}[35m♥\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1mTITLE\u{1B}[0m"))
    #expect(text.contains("\u{1B}[2mDrama, Sci-Fi\u{1B}[0m"))
  }

  @Test(arguments: 1...90)
  func tableIsNeverWiderThanTheTerminal(width: Int) {
    let text = MovieText.table(
      movies + [Movie(id: "x", title: "😀👩‍👩‍👧 é🇯🇵 and more and more", year: 1, genres: ["A very long genre"])],
      isFavorite: { _ in true }, style: TextStyle(width: width))
    for line in text.split(separator: "\n") { #expect(TextWidth.columns(line) <= width) }
  }

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("😀", 2), ("👩‍👩‍👧", 2), ("🇯🇵", 2), ("❤️", 2), ("", 0), ("ﾊ", 1),
    ("한국", 4), ("–", 1),
  ])
  func textHasTheWidthThatATerminalGivesIt(text: String, columns: Int) {
    #expect(TextWidth.columns(text) == columns)
  }

  @Test func textIsShortenedBetweenCharacters() {
    #expect(TextWidth.shortened("日本語", to: 4) == "日…")
    #expect(TextWidth.shortened("日本語", to: 6) == "日本語")
    #expect(TextWidth.shortened("abc", to: 1) == "…")
    #expect(TextWidth.shortened("abc", to: 0) == "")
  }

  @Test func detailsAreGolden() {
    #expect(
      MovieText.details(movies[0], isFavorite: true) == """
        Metropolis
          id        metropolis-1927
          year      1927
          genres    Drama, Sci-Fi
          favorite  yes ♥

        """)
    #expect(MovieText.details(movies[1], isFavorite: false).contains("year      unknown\n  genres    none listed"))
  }

  @Test func jsonHasStableKeysAndNullForAnUnknownYear() {
    #expect(
      MovieText.json(movies, isFavorite: { $0 == "7" }) == """
        [
          {"id":"metropolis-1927","title":"Metropolis","year":1927,"genres":["Drama","Sci-Fi"],"favorite":false},
          {"id":"7","title":"千と千尋の神隠し","year":null,"genres":[],"favorite":true}
        ]

        """)
    #expect(MovieText.json([], isFavorite: { _ in false }) == "[]\n")
  }

  @Test func jsonOfAListIsACatalogueAgain() throws {
    let text = MovieText.json(Catalog.builtIn.movies, isFavorite: { _ in false })
    #expect(try catalog(text, fileName: "x").movies == Catalog.builtIn.movies)
  }

  @Test func jsonEscapesWhatMustBeEscaped() {
    #expect(JSONText.line(.string("\"\\\n\u{1}\u{2028}é😀")) == #""\"\\\n\u0001\u2028é😀""#)
    #expect(
      JSONText.line(.array([.double(1), .double(0.1), .double(-0.0), .double(.nan), .null, true]))
        == "[1,0.1,0,null,null,true]")
  }

  @Test func titlesCannotRewriteTheTerminal() {
    let movie = Movie(id: "x", title: "A\u{1B}[2JB\nC\u{202E}D", year: nil, genres: [])
    let text = MovieText.table([movie], isFavorite: { _ in false }) + MovieText.details(movie, isFavorite: false)
    #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
    #expect(text.contains("B C"))
  }

  @Test(
    arguments: [
      (ColorChoice.auto, true, [:], true), (.auto, false, [:], false), (.auto, true, ["NO_COLOR": "1"], false),
      (.auto, true, ["NO_COLOR": ""], true), (.auto, true, ["TERM": "dumb"], false),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true), (.never, true, [:], false),
    ] as [(ColorChoice, Bool, [String: String], Bool)])
  func colourFollowsFlagThenEnvironmentThenStream(
    choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: Bool
  ) {
    #expect(TextStyle.usesColor(choice, isTerminal: isTerminal, environment: environment) == expected)
  }

  @Test func usageErrorPointsToTheHelp() {
    let error = UsageError("unknown option '--jsn'", command: "list")
    #expect(
      MessageText.usage(error, program: "MoviesCLI")
        == "error: unknown option '--jsn'\nSee 'MoviesCLI list --help'.\n")
  }

  @Test func unknownMovieGetsASuggestion() {
    #expect(
      MovieText.unknown("metroplis", in: .builtIn) == "no movie 'metroplis'. Did you mean 'metropolis-1927'?")
    #expect(
      MovieText.unknown("qqqqqq", in: .builtIn) == "no movie 'qqqqqq'. 'search' finds movies by their titles.")
  }

  @Test func filterSelectsAndSorts() {
    var filter = MovieFilter()
    filter.genre = "sci-fi"
    filter.order = .title
    filter.lastYear = 1920
    let titles = filter.movies(of: Catalog.builtIn.movies) { _ in false }.map(\.title)
    #expect(titles == ["20,000 Leagues Under the Sea", "A Trip to the Moon"])
    filter = MovieFilter()
    filter.order = .year
    #expect(filter.movies(of: [movies[1], movies[0]]) { _ in false } == movies)
    filter.favoritesOnly = true
    #expect(filter.movies(of: movies) { $0 == "7" }.map(\.id) == ["7"])
    filter.limit = 0
    #expect(filter.movies(of: movies) { _ in true }.isEmpty)
  }
}
