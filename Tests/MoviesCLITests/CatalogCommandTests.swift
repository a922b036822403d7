import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct CatalogCommandTests {
  private struct MovieJSON: Decodable, Equatable {
    var id: String
    var title: String
    var year: Int?
    var genres: [String]
    var favorite: Bool
  }

  private func decode(_ text: String) throws -> [MovieJSON] {
    try JSONDecoder().decode([MovieJSON].self, from: Data(text.utf8))
  }

  @Test func listShowsTheBuiltInCatalogue() async throws {
    let result = try await MoviesProgram().run("list", "--json")
    #expect(result.exitCode == 0)
    #expect(result.errors.isEmpty)
    let movies = try decode(result.output)
    #expect((40...60).contains(movies.count))
    #expect(movies.allSatisfy { $0.year ?? 0 < 1930 && !$0.favorite })
  }

  @Test func listFiltersSortsAndLimits() async throws {
    let result = try await MoviesProgram().run(
      "list", "--genre", "HORROR", "--year", "1920..1922", "--sort", "title", "--limit", "3", "--json")
    #expect(
      try decode(result.output).map(\.title) == [
        "The Cabinet of Dr. Caligari", "The Golem: How He Came into the World", "Häxan",
      ])
  }

  @Test(arguments: ["LC_ALL", "LC_COLLATE", "LANG"]) func aVeryLongNameOfALocaleIsIgnored(variable: String) async throws
  {
    var program = try MoviesProgram()
    let usual = try await program.run("list", "--sort", "title")
    program.environment[variable] = String(repeating: "x", count: 200)
    let result = try await program.run("list", "--sort", "title")
    #expect(result.exitCode == 0)
    #expect(result.output == usual.output)
  }

  @Test func unknownGenreSuggestsAGenre() async throws {
    let result = try await MoviesProgram().run("list", "--genre", "horor")
    #expect(result.exitCode == 0)
    #expect(result.output.isEmpty)
    #expect(result.errors == "note: no movie has the genre 'horor'. Did you mean 'Horror'?\n")
  }

  @Test(arguments: [["--year", "1800"], ["--genre", "horror", "--year", "1800"]])
  func anEmptyListIsExplained(options: [String]) async throws {
    let result = try await MoviesProgram().run(["list"] + options)
    #expect(result.exitCode == 0)
    #expect(result.output.isEmpty)
    #expect(result.errors == "note: no movie matches the options\n")
    #expect(try await MoviesProgram().run(["list", "--json"] + options).errors.isEmpty)
  }

  @Test(arguments: [
    ("Action, Adventure", ["a"]), ("action, adventure", ["a"]), ("Drama,War", ["b", "c"]), ("Drama, War,", ["b", "c"]),
  ])
  func aGenreWithACommaIsSelected(genre: String, ids: [String]) async throws {
    let program = try MoviesProgram()
    try program.folder.write(
      "m.json",
      """
      [{"id": "a", "title": "A", "genres": ["Action, Adventure"]}, {"id": "b", "title": "B", "genres": ["Drama"]},
       {"id": "c", "title": "C", "genres": ["War"]}]
      """)
    let result = try await program.run("list", "--catalog", "m.json", "--genre", genre, "--json")
    #expect(try decode(result.output).map(\.id) == ids)
    #expect(result.errors.isEmpty)
  }

  @Test func searchDisregardsCaseAndDiacritics() async throws {
    let result = try await MoviesProgram().run("search", "NAPOLEON", "--json")
    #expect(try decode(result.output).map(\.id) == ["napoleon-1927"])
    let none = try await MoviesProgram().run("search", "nothing", "like", "it", "--json")
    #expect(none.output == "[]\n")
    #expect(none.exitCode == 0)
  }

  @Test(arguments: [
    ("C.UTF-8", ["Ärger", "b", "Éclair", "X", "zebra"]), ("sv_SE.UTF-8", ["b", "Éclair", "X", "zebra", "Ärger"]),
  ])
  func genresAreInTheOrderOfTheLanguage(language: String, names: [String]) async throws {
    var program = try MoviesProgram()
    program.environment = ["LANG": language]
    let file = try program.folder.write("m.csv", "movieId,title,genres\n1,A (1901),zebra|X|b|Éclair|Ärger\n")
    let result = try await program.run("genres", "--catalog", file, "--format", "csv")
    #expect(result.lines.dropFirst().map { $0.dropLast(2) } == names.map { Substring($0) })
  }

  @Test func aCatalogueWithoutGenresIsNamed() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("m.csv", "movieId,title,genres\n1,A (1901),(no genres listed)\n")
    let result = try await program.run("genres", "--catalog", file)
    #expect(result.exitCode == 0)
    #expect(result.output == "")
    #expect(result.errors == "note: no movie of this catalogue has a genre\n")
    #expect(try await program.run("genres", "--catalog", file, "--quiet").errors == "")
    let json = try await program.run("genres", "--catalog", file, "--json")
    #expect(json.output == "[]\n")
    #expect(json.errors == "")
  }

  @Test(arguments: [
    ("476", ["a"]), ("0476", ["a"]), ("9", ["b"]), ("..500", ["a", "b"]), ("9-476", ["a", "b"]), ("500..", ["c"]),
  ])
  func aYearHasOneToFourDigits(years: String, ids: [String]) async throws {
    let program = try MoviesProgram()
    try program.folder.write(
      "m.json",
      """
      [{"id": "a", "title": "A", "year": 476}, {"id": "b", "title": "B", "year": 9},
       {"id": "c", "title": "C", "year": 1999}]
      """)
    let result = try await program.run("list", "--catalog", "m.json", "--year", years, "--json")
    #expect(try decode(result.output).map(\.id) == ids)
    #expect(result.errors == "")
  }

  @Test func genresAreListedWithTheirCounts() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("m.csv", "movieId,title,genres\n1,A (1901),Drama|War\n2,B (1902),Drama\n")
    #expect(
      try await program.run("genres", "--catalog", file, "--format", "csv").output == "genre,movies\nDrama,2\nWar,1\n")
    #expect(
      try await program.run("genres", "--catalog", file).output == "GENRE  MOVIES\nDrama       2\nWar         1\n")
  }

  @Test func catalogueIsReadFromStandardInput() async throws {
    let program = try MoviesProgram()
    let line = "printf 'movieId,title,genres\\n1,A (1901),Drama\\n' | \"$MOVIES\" --catalog - list --format tsv"
    #expect(try await program.shell(line).output == "id\ttitle\tyear\tgenres\tfavorite\n1\tA\t1901\tDrama\tfalse\n")
    let broken = try await program.shell("printf 'movieId,title,genres\\n1\\n' | \"$MOVIES\" --catalog - list")
    #expect(broken.exitCode == 65)
    #expect(broken.errors == "error: standard input:2: expected 3 columns, found 1\n")
  }

  @Test func searchForgivesATypingMistakeAndSuggestsTitles() async throws {
    let program = try MoviesProgram()
    let forgiven = try await program.run("search", "caligary", "--format", "tsv")
    #expect(forgiven.lines.count == 2)
    #expect(forgiven.errors == "note: no title has 'caligary'; showing 'Caligari'\n")
    // 'Dark Knight' has 'dark', so the note names the words together.
    let catalog = try program.folder.write("m.csv", "movieId,title,genres\n1,Dark Knight,Drama\n2,Bark Knight,Drama\n")
    let several = try await program.run("search", "dark", "knigt", "--catalog", catalog, "--format", "tsv")
    #expect(several.lines.dropFirst().map { $0.prefix(2) } == ["1\t", "2\t"])
    #expect(several.errors == "note: no title has all of 'dark' and 'knigt'; showing 'Bark' and 'Knight'\n")
    let ofYear = try await program.run("search", "metroplis", "1927")
    #expect(ofYear.errors == "note: no title has 'metroplis'; showing 'Metropolis'\n")
    let none = try await program.run("search", "nosferotoo")
    #expect(none.exitCode == 0)
    #expect(none.errors == "note: no title has 'nosferotoo'. Did you mean 'Nosferatu (1922)'?\n")
    let year = try await program.run("search", "1927")
    #expect(year.errors == "note: no title has '1927'. To list the movies of this year, use 'list --year 1927'.\n")
  }

  @Test func latinTextIsNamedAsSuch() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write(
      "m.csv", Data("movieId,title,genres\n1,H".utf8) + Data([0xE4]) + Data("xan (1922),Horror\n".utf8))
    let result = try await program.run("list", "--catalog", file)
    #expect(result.exitCode == 65)
    #expect(result.errors.hasPrefix("error: \(file):2: the text is not UTF-8; it looks like Latin-1"))
    #expect(result.errors.contains("iconv -f WINDOWS-1252 -t UTF-8"))
  }

  @Test func bracketsAsAHeaderAreAShortJSONText() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("m.csv", "[]\n1,A (1901),Drama\n")
    let result = try await program.run("list", "--catalog", file)
    #expect(result.exitCode == 65)
    #expect(
      result.errors
        == "error: \(file):2: more text follows the end of the JSON; a catalogue is one array or one object\n")
  }

  @Test func showTellsOneMovie() async throws {
    let program = try MoviesProgram()
    let json = try await program.run("show", "metropolis-1927", "--json")
    #expect(
      json.output
        == #"{"id":"metropolis-1927","title":"Metropolis","year":1927,"genres":["Drama","Sci-Fi"],"favorite":false}"#
        + "\n")
    let text = try await program.run("show", "metropolis-1927")
    #expect(text.output.hasPrefix("Metropolis\n  id        metropolis-1927\n"))
  }

  @Test func unknownIDFailsWithASuggestion() async throws {
    let result = try await MoviesProgram().run("show", "metroplis")
    #expect(result.exitCode == 1)
    #expect(result.output.isEmpty)
    #expect(result.errors == "error: no movie 'metroplis'. Did you mean 'metropolis-1927'?\n")
  }

  @Test func movieLensIMDbAndJSONAreRead() async throws {
    let program = try MoviesProgram()
    let movieLens = try program.folder.write(
      "movies.csv",
      "movieId,title,genres\r\n11,\"American \"\"P\"\"resident, The (1995)\",Comedy|Drama\r\n2,Ä,(no genres listed)\r\n"
    )
    #expect(
      try decode(try await program.run("--catalog", movieLens, "list", "--json").output) == [
        MovieJSON(
          id: "11", title: "American \"P\"resident, The", year: 1995, genres: ["Comedy", "Drama"], favorite: false),
        MovieJSON(id: "2", title: "Ä", year: nil, genres: [], favorite: false),
      ])
    let imdb = try program.folder.write(
      "title.basics.tsv",
      "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n"
        + "tt0000001\tshort\tCarmencita\tCarmencita\t0\t1894\t\\N\t1\tDocumentary,Short\n"
        + "tt0000002\ttvSeries\tX\tX\t0\t\\N\t\\N\t\\N\t\\N\n")
    let result = try await program.run("list", "--catalog=\(imdb)", "--json")
    #expect(
      try decode(result.output) == [
        MovieJSON(id: "tt0000001", title: "Carmencita", year: 1894, genres: ["Documentary", "Short"], favorite: false)
      ])
    #expect(result.errors == "note: left out 1 title that is not a movie: 1 tvSeries\n")
    let json = try program.folder.write("own.json", result.output)
    #expect(try await program.run("list", "--catalog", json, "--json").output == result.output)
  }

  @Test func brokenRowNamesFileLineAndFault() async throws {
    let program = try MoviesProgram()
    let file = try program.folder.write("movies.csv", "movieId,title,genres\n1,A (1901),Drama\n2,B (1902)\n")
    let result = try await program.run("list", "--catalog", file)
    #expect(result.exitCode == 65)
    #expect(result.output.isEmpty)
    #expect(result.errors == "error: \(file):3: expected 3 columns, found 2\n")
  }

  @Test func missingFileIsMissingInput() async throws {
    let result = try await MoviesProgram().run("list", "--catalog", "nowhere.csv")
    #expect(result.exitCode == 66)
    #expect(result.errors == "error: nowhere.csv: there is no such file\n")
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/mem"), "there is no /proc/self/mem"),
    arguments: ["list --catalog", "track", "run"])
  func aFileThatCannotBeReadIsMissingInputForEveryCommand(command: String) async throws {
    #expect(try await MoviesProgram().shell("\"$MOVIES\" \(command) /proc/self/mem").exitCode == 66)
  }

  @Test func nineThousandRowsAreAllRead() async throws {
    let program = try MoviesProgram()
    var text = "movieId,title,genres\n"
    for number in 1...9000 {
      text += "\(number),\"Title, \"\"No.\"\" \(number) é (\(1900 + number % 120))\",Drama|War\n"
    }
    let file = try program.folder.write("movies.csv", text)
    let result = try await program.run("list", "--catalog", file, "--json")
    let movies = try decode(result.output)
    #expect(movies.count == 9000)
    #expect(movies.last?.title == "Title, \"No.\" 9000 é")
  }

  @Test func aCatalogueWithoutMoviesIsNamed() async throws {
    let program = try MoviesProgram()
    try program.folder.write("empty.csv", "[]\n")
    let result = try await program.run("list", "--catalog", "empty.csv")
    #expect(result.exitCode == 0)
    #expect(result.errors == "note: empty.csv: the catalogue has no movies\n")
  }
}
