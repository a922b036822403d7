import Foundation
@testable import MoviesApp
import ReeluxCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct TextTests {
  private let movies: Movies = [
    Movie(id: "metropolis-1927", title: "Metropolis", year: 1927, genres: ["Drama", "Sci-Fi"]),
    Movie(id: "7", title: "千と千尋の神隠し", year: nil, genres: []),
  ]

  private func text(
    _ movies: some Collection<Movie>, _ format: OutputFormat = .table, style: TextStyle = TextStyle(),
    isFavorite: @escaping (Movie.ID) -> Bool = { _ in false }
  ) -> String {
    var text = ""
    MovieText.write(movies, as: format, isFavorite: isFavorite, style: style) {
      text += $0
      return true
    }
    return text
  }

  @Test func tableIsGolden() {
    #expect(
      text(movies, isFavorite: { $0 == "metropolis-1927" }) == """
           ID               TITLE             YEAR  GENRES
        ♥  metropolis-1927  Metropolis        1927  Drama, Sci-Fi
           7                千と千尋の神隠し     –

        """)
  }

  @Test func aNumberOfAnySizeIsText() {
    #expect(Prose.metres(1e300) == "1e+300 m")
    #expect(Prose.metres(-1e300) == "-1e+300 m")
    #expect(Prose.metres(.infinity) == "inf m")
    #expect(Prose.metres(.nan) == "nan m")
    #expect(Prose.metres(40_075_016) == "40,075 km")
    #expect(Prose.decimal(1e300, places: 5) == "1e+300")
    #expect(Prose.decimal(.nan, places: 0) == "nan")
    #expect(Prose.decimal(-13.405, places: 5) == "-13.40500")
  }

  @Test func tableWithColourMarksHeadingsFavouritesAndGenres() {
    let text = text([movies[0]], style: TextStyle(colors: .sixteen)) { _ in true }
    #expect(text.contains("\u{1B}[35m♥\u{1B}[0m"))
    #expect(text.contains("\u{1B}[1mTITLE\u{1B}[0m"))
    #expect(text.contains("\u{1B}[2mDrama, Sci-Fi\u{1B}[0m"))
  }

  @Test(arguments: 1...90)
  func tableIsNeverWiderThanTheTerminal(width: Int) {
    let text = text(
      movies + [Movie(id: "x", title: "😀👩‍👩‍👧 é🇯🇵 and more and more", year: 1, genres: ["A very long genre"])],
      style: TextStyle(width: width)
    ) { _ in true }
    for line in text.split(separator: "\n") { #expect(TextWidth.columns(line) <= width) }
  }

  @Test func narrowTableDropsGenresThenWholeIdsAndKeepsTitles() {
    let wide = TextStyle(width: 50)
    #expect(
      text(movies, style: wide) == """
           ID               TITLE           YEAR  GENRES
           metropolis-1927  Metropolis      1927  Drama, …
           7                千と千尋の神…      –

        """)
    #expect(text(movies, style: TextStyle(width: 38)).hasPrefix("   ID               TITLE         YEAR\n"))
    #expect(
      text(movies, style: TextStyle(width: 37)) == """
           TITLE             YEAR
           Metropolis        1927
           千と千尋の神隠し     –

        """)
    #expect(text(movies, style: TextStyle(width: 20)).hasPrefix("   TITLE\n   Metropolis\n"))
    #expect(text(movies, style: TextStyle(width: 10)).hasPrefix("   TITLE\n   Metrop…\n"))
  }

  @Test func aLongTitleIsWholeInAPipeAndDoesNotPadTheOtherLines() {
    let long = String(repeating: "long", count: 2000)
    let movies = [
      Movie(id: "1", title: long, year: 1927, genres: []), Movie(id: "2", title: "Short", year: 1928, genres: []),
    ]
    let lines = text(movies).split(separator: "\n")
    #expect(lines[1].contains(long + "  1927"))
    #expect(lines[2].hasPrefix("   2   Short  ") && lines[2].hasSuffix("  1928") && lines[2].count < 100)
  }

  @Test func emptyCellsAreAnEmptyLine() {
    var text = ""
    TextTable(columns: [.init(heading: "A")]).write([["x"], [""]], TextStyle()) {
      text += $0
      return true
    }
    #expect(text == "A\nx\n\n")
  }

  @Test func fortyColumnsShowTheTitlesOfTheBuiltInCatalogue() {
    let lines = text(Catalog.builtIn.movies, style: TextStyle(width: 40)).split(separator: "\n")
    #expect(lines[0].hasPrefix("   TITLE  ") && lines[0].hasSuffix("  YEAR"))
    for (movie, line) in zip(Catalog.builtIn.movies, lines.dropFirst()) {
      #expect(line.contains(movie.title.prefix(30)) && line.hasSuffix("\(movie.year ?? 0)"))
    }
  }

  @Test func separatedValuesAreQuotedAsTheirFormatsWant() {
    let movie = Movie(id: "a,b", title: "A \"B\"\tC\\D", year: nil, genres: ["X", "Y"])
    #expect(text([movie], .csv) == "id,title,year,genres,favorite\n\"a,b\",\"A \"\"B\"\"\tC\\D\",,X|Y,false\n")
    #expect(text([movie], .tsv) == "id\ttitle\tyear\tgenres\tfavorite\na,b\tA \"B\"\\tC\\\\D\t\tX|Y\tfalse\n")
    #expect(
      text([movie, movie], .jsonl)
        == String(
          repeating: #"{"id":"a,b","title":"A \"B\"\tC\\D","year":null,"genres":["X","Y"],"favorite":false}"# + "\n",
          count: 2))
    #expect(text([], .csv) == "id,title,year,genres,favorite\n")
  }

  @Test func quotesWithCombiningMarksAndLineEndsOfTwoCharactersAreEscaped() {
    let movie = Movie(id: "1", title: "\"\u{301}A\r\nB\\\u{301}", year: nil, genres: [])
    #expect(text([movie], .csv) == "id,title,year,genres,favorite\n1,\"\"\"\u{301}A\r\nB\\\u{301}\",,,false\n")
    #expect(text([movie], .tsv) == "id\ttitle\tyear\tgenres\tfavorite\n1\t\"\u{301}A\\r\\nB\\\\\u{301}\t\t\tfalse\n")
  }

  @Test(arguments: OutputFormat.allCases) func noFormatSendsAControlCharacterToATerminal(format: OutputFormat) {
    let movie = Movie(id: "a\u{7}", title: "A\u{1B}[2J\u{202E}\u{9B}", year: nil, genres: ["X\u{7F}", "Y\r\n"])
    let shown = text([movie], format, style: TextStyle(isForTerminal: true))
    let controls = shown.unicodeScalars.filter { TextStyle.isControl($0) && $0 != "\n" && $0 != "\t" }
    #expect(controls.isEmpty, "\(controls.map(\.value))")
    // A file or a pipe receives the values unchanged.
    if format == .csv {
      #expect(text([movie], .csv).contains("a\u{7},A\u{1B}[2J\u{202E}\u{9B},,\"X\u{7F}|Y\r\n\",false\n"))
    }
  }

  @Test func writingEndsWhenTheReaderHasGone() {
    let many = (0..<100_000).map { Movie(id: "\($0)", title: "T", year: nil, genres: []) }
    for format in OutputFormat.allCases {
      var pieces = 0
      MovieText.write(many, as: format, isFavorite: { _ in false }) { _ in
        pieces += 1
        return false
      }
      #expect(pieces == 1)
    }
  }

  private func sorted(_ titles: [String], _ language: String) -> [String] {
    var filter = MovieFilter()
    filter.order = .title
    filter.language = language
    let movies = Movies(titles.map { Movie(id: $0, title: $0, year: nil, genres: []) })
    return filter.movies(of: movies) { _ in false }.map(\.title)
  }

  @Test func titlesAreSortedWithoutArticlesAndPunctuationAndNumbersByValue() {
    let titles = ["The Zoo", "“Éclair”", "Apple", "...And Now", "10 Days", "9 Days", "A Bee", "“The Cat”", "007 Days"]
    #expect(
      sorted(titles.reversed(), "")
        == ["007 Days", "9 Days", "10 Days", "...And Now", "Apple", "A Bee", "“The Cat”", "“Éclair”", "The Zoo"])
    #expect(
      sorted(["Toys", "Toy Story", "The", "Fast & Furious", "Fast and Dead"], "") == [
        "Fast and Dead", "Fast & Furious", "The", "Toy Story", "Toys",
      ])
  }

  @Test(
    arguments: [
      // ä counts as a in German, and is the last letter but one in Swedish. The titles are the same in another order.
      ("de_DE", ["Ägypten", "Apfel", "Öl", "Otto", "Zebra"], ["Ägypten", "Apfel", "Öl", "Otto", "Zebra"]),
      ("sv_SE", ["Ägypten", "Apfel", "Åland", "Öl", "Zebra"], ["Apfel", "Zebra", "Åland", "Ägypten", "Öl"]),
      ("da_DK", ["Åen", "Aaen", "Ægte", "Øst", "Zoo", "Ab"], ["Ab", "Zoo", "Ægte", "Øst", "Åen", "Aaen"]),
      ("cs_CZ", ["Chata", "Cukr", "Čaj", "Dům", "Hrad", "Ideál"], ["Cukr", "Čaj", "Dům", "Hrad", "Chata", "Ideál"]),
      ("en_US", ["Chata", "Cukr", "Čaj"], ["Čaj", "Chata", "Cukr"]),
      ("pl_PL", ["Łódź", "Lublin", "Lwów"], ["Lublin", "Lwów", "Łódź"]),
      ("es_ES", ["Ñandú", "Nube", "Oro"], ["Nube", "Ñandú", "Oro"]),
      // The articles are those of English and of the language.
      ("en_US", ["Die Hard", "Casablanca", "Elf"], ["Casablanca", "Die Hard", "Elf"]),
      ("de_DE", ["Die Nibelungen", "Metropolis", "Orlacs Hände"], ["Metropolis", "Die Nibelungen", "Orlacs Hände"]),
      (
        "fr_FR", ["L'Atalante", "Les Vampires", "Bienvenue", "L’Argent"],
        ["L’Argent", "L'Atalante", "Bienvenue", "Les Vampires"]
      ),
      // The alphabets follow each other. Kana and Chinese characters come last.
      ("en_US", ["千と千尋", "Метрополис", "Ωmega", "Zoo", "1984"], ["1984", "Zoo", "Ωmega", "Метрополис", "千と千尋"]),
      // The small letter of I is ı.
      ("tr_TR", ["Işık", "İdam", "Izgara", "ılık", "ihale"], ["ılık", "Işık", "Izgara", "İdam", "ihale"]),
      ("xx_unknown", ["b", "a"], ["a", "b"]),
    ] as [(String, [String], [String])])
  func titlesAreInTheOrderOfTheLanguage(language: String, titles: [String], expected: [String]) {
    #expect(sorted(titles, language) == expected)
  }

  @Test func moreLettersThanFitIntoAByteKeepTheirOrder() {
    let letters = (0x4E00..<0x5000).compactMap { Unicode.Scalar($0 as UInt32) }.map { String(Character($0)) }
    let expected = letters.sorted { $0.compare($1, locale: Locale(identifier: "zh_CN")) == .orderedAscending }
    #expect(sorted(letters.map { "\($0)a" }, "zh_CN") == expected.map { "\($0)a" })
  }

  @Test func decomposedLettersSortAsComposedOnes() {
    #expect(sorted(["Zebra", "A\u{30A}land"], "sv_SE") == ["Zebra", "A\u{30A}land"])
    #expect(sorted(["Zebra", "A\u{30A}land"], "en_US") == ["A\u{30A}land", "Zebra"])
  }

  @Test(arguments: [
    ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("😀", 2), ("👩‍👩‍👧", 2), ("🇯🇵", 2), ("❤️", 2), ("", 0), ("ﾊ", 1),
    ("한국", 4), ("–", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("ﾊ\u{FF9E}", 2),
    // A character may have several letters, or a letter and a mark with a column of its own.
    ("नमस्ते", 4), ("हिन्दी", 5), ("น้ำ", 2),
    // A soft hyphen and the signs around Arabic numbers are format characters with a column, and hexagrams are wide.
    ("so\u{AD}ft", 5), ("\u{600}\u{661}", 2), ("\u{605}", 1), ("\u{6DD}", 1), ("\u{70F}", 1), ("\u{890}", 1),
    ("\u{891}", 1), ("\u{8E2}", 1), ("a\u{200D}", 1), ("\u{4DC0}\u{4DFF}", 4),
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
      text(movies, .json) { $0 == "7" } == """
        [
          {"id":"metropolis-1927","title":"Metropolis","year":1927,"genres":["Drama","Sci-Fi"],"favorite":false},
          {"id":"7","title":"千と千尋の神隠し","year":null,"genres":[],"favorite":true}
        ]

        """)
    #expect(text([], .json) == "[]\n")
  }

  @Test func jsonOfAListIsACatalogueAgain() throws {
    #expect(try catalog(text(Catalog.builtIn.movies, .json), fileName: "x").movies == Catalog.builtIn.movies)
  }

  @Test func jsonEscapesWhatMustBeEscaped() {
    #expect(JSONOutput.line(.string("\"\\\n\u{1}\u{2028}é😀")) == #""\"\\\n\u0001\u2028é😀""#)
    #expect(
      JSONOutput.line(.string("\u{61C}ب\u{200F}“\u{202E}\u{2067}\u{7F}\u{9B}"))
        == #""\u061cب\u200f“\u202e\u2067\u007f\u009b""#)
    #expect(
      JSONOutput.line(.object([("state", .verbatim("{\"name\":\"Zo\u{7F}e\u{202E}é\u{9B}\"}"))]))
        == #"{"state":{"name":"Zo\u007fe\u202eé\u009b"}}"#)
    #expect(
      JSONOutput.line(.array([.double(1), .double(0.1), .double(-0.0), .double(.nan), .null, true]))
        == "[1,0.1,0,null,null,true]")
  }

  @Test func jsonNumbersAreTheShortestThatGiveTheSameNumberBack() {
    var random = SplitMix64(seed: 5)
    func shortest(_ number: Double) -> String {
      let text = number.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    var numbers = [
      1e-3, 0.000_999, 1e-7, 99_999_999.999_999_9, 1e8, 123_456_789.125, 1e15, 1e16, 1e17, 0.1 + 0.2, 1e300,
    ]
    for places in 0...9 {
      for _ in 0..<200 {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        numbers.append((Double.random(in: 0...200, using: &random) * scale).rounded() / scale)
        numbers.append((Double.random(in: 0...20_000_000, using: &random) * scale).rounded() / scale)
        numbers.append(Double.random(in: 0...1, using: &random) / scale)
      }
    }
    for number in numbers where number != 0 {
      #expect(JSONOutput.line(.double(number)) == shortest(number))
      #expect(JSONOutput.line(.double(-number)) == shortest(-number))
    }
  }

  @Test func titlesCannotRewriteTheTerminal() {
    let movie = Movie(id: "x", title: "A\u{1B}[2JB\nC\u{202E}D\u{200F}\u{061C}\u{200E}E", year: nil, genres: [])
    let text = text([movie]) + MovieText.details(movie, isFavorite: false)
    #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\u{200F}", "\u{061C}", "\u{200E}"].contains($0) })
    #expect(text.contains("B C"))
  }

  @Test(
    arguments: [
      (.auto, true, [:], .none), (.auto, true, ["TERM": ""], .none), (.always, true, [:], .sixteen),
      (.auto, false, ["TERM": "xterm"], .none), (.auto, true, ["NO_COLOR": "1", "TERM": "xterm"], .none),
      (.auto, true, ["NO_COLOR": "", "TERM": "xterm"], .sixteen), (.auto, true, ["TERM": "dumb"], .none),
      (.auto, true, ["TERM": "vt100"], .none), (.auto, true, ["TERM": "xterm-mono"], .none),
      (.auto, true, ["TERM": "xterm"], .sixteen), (.auto, true, ["TERM": "linux"], .sixteen),
      (.auto, true, ["TERM": "xterm-256color"], .many), (.auto, true, ["TERM": "tmux-256color"], .many),
      (.auto, true, ["TERM": "xterm-direct"], .many),
      (.auto, true, ["TERM": "xterm", "COLORTERM": "truecolor"], .many),
      (.auto, true, ["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
      (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], .sixteen),
      (.always, false, ["TERM": "xterm-256color"], .many),
      (.never, true, ["TERM": "xterm-256color"], .none),
    ] as [(ColorChoice, Bool, [String: String], ColorDepth)])
  func colourFollowsFlagThenEnvironmentThenStream(
    choice: ColorChoice, isTerminal: Bool, environment: [String: String], expected: ColorDepth
  ) {
    #expect(ColorDepth.depth(choice, isTerminal: isTerminal, environment: environment) == expected)
  }

  @Test(arguments: [ColorDepth.none, .sixteen, .many])
  func everyEmphasisKeepsItsWords(colors: ColorDepth) {
    let style = TextStyle(colors: colors)
    for emphasis in [TextStyle.Emphasis.strong, .faint, .bad, .good, .favorite] {
      let text = style.emphasized("words", emphasis)
      #expect(text.contains("words"))
      #expect(text.contains("38;5;") == (colors == .many && ![.strong, .faint].contains(emphasis)))
      #expect(text.contains("\u{1B}") == (colors != .none))
    }
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
    filter.genres = ["sci-fi", "western"]
    filter.order = .title
    filter.lastYear = 1920
    let titles = filter.movies(of: Catalog.builtIn.movies) { _ in false }.map(\.title)
    #expect(titles == ["20,000 Leagues Under the Sea", "The Great Train Robbery", "A Trip to the Moon"])
    filter = MovieFilter()
    filter.order = .year
    #expect(filter.movies(of: [movies[1], movies[0]]) { _ in false } == movies)
    filter.favoritesOnly = true
    #expect(filter.movies(of: movies) { $0 == "7" }.map(\.id) == ["7"])
    filter.limit = 1
    #expect(filter.movies(of: movies) { _ in true }.count == 1)
  }
}
