import Foundation
@testable import MoviesApp
import ReeluxCore
import Testing

@Suite(.timeLimit(.minutes(15))) struct CatalogTests {
  @Test func builtInCatalogueHasFortyToSixtyFilmsFromBefore1930WithOwnSlugs() {
    let movies = Catalog.builtIn.movies
    #expect((40...60).contains(movies.count))
    #expect(Set(movies.map(\.id)).count == movies.count)
    for movie in movies {
      #expect(movie.year.map { $0 < 1930 } == true)
      #expect(movie.id.hasSuffix("-\(movie.year ?? 0)"))
      #expect(movie.id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
      #expect(!movie.genres.isEmpty)
    }
    #expect(Catalog.builtIn.name.contains("built-in"))
  }

  @Test func movieIsFoundByIDAmongManyThousands() {
    let movies = (0..<5000).map { Movie(id: "m\($0)", title: "T", year: nil, genres: []) }
    let catalog = Catalog(name: "x", movies: Movies(movies))
    #expect(movies.allSatisfy { catalog[$0.id] == $0 })
    #expect(catalog["m5000"] == nil)
    #expect(Catalog.empty["m1"] == nil)
  }

  @Test(arguments: [
    ["a", "b", "c", "d"], ["1", "2", "10", "11", "100"], ["tt1", "tt10", "tt2"], ["b", "a", "d", "c"],
    ["9", "10", "1"],
    ["only"], ["e", "é", "d"],
  ])
  func movieIsFoundByIDInWhateverOrderIDsCome(ids: [String]) throws {
    let text = ids.reduce("movieId,title,genres\n") { $0 + "\($1),T,X\n" }
    let found = try catalog(text)
    for id in ids { #expect(found[id]?.id == id) }
    for id in ["", "0", "zz", "tt11", "aa", "99"] { #expect(found[id] == nil) }
    // The first row occurs again at the end. In any order, the second one is rejected.
    let first = try #require(ids.first)
    #expect(
      catalogFailure(text + "\(first),T,X\n")
        == "movies.csv:\(ids.count + 2): the id '\(first)' is used twice, in line 2 and in line \(ids.count + 2)")
  }

  @Test(arguments: [
    ["10", "9", "9"], ["9", "9", "10"], ["a", "a", "b"], ["1", "2", "10", "10", "100"], ["b", "b", "a", "b"],
  ])
  func ofMoviesWithTheSameIDTheFirstIsFound(ids: [String]) {
    let movies = ids.enumerated().map { Movie(id: $1, title: "\($0)", year: nil, genres: []) }
    let catalog = Catalog(name: "x", movies: Movies(movies))
    for id in ids { #expect(catalog[id]?.title == ids.firstIndex(of: id).map { "\($0)" }) }
  }

  @Test func catalogueRoundTripsThroughCodable() throws {
    let data = try JSONEncoder().encode(Catalog.builtIn)
    let copy = try JSONDecoder().decode(Catalog.self, from: data)
    #expect(copy == Catalog.builtIn)
    #expect(copy["metropolis-1927"]?.title == "Metropolis")
  }

  @Test(arguments: [
    (
      "", "movies.csv",
      "movies.csv:1: the file is empty; expected the header 'movieId,title,genres' of a MovieLens catalogue"
    ),
    ("hello\n", "x.tsv", "x.tsv:1: expected the header of IMDb's title.basics.tsv, with the column 'tconst'"),
    ("hello\n", "x.json", "x.json:1: expected a JSON array of movies, or an object with the key 'movies'"),
    ("hello\n", "x", "x:1: expected MovieLens movies.csv, IMDb title.basics.tsv or a JSON catalogue"),
    ("movieId,name\n", "x", "x:1: expected the header 'movieId,title,genres', found 'movieId,name'"),
  ])
  func unknownContentSaysWhatWasExpected(text: String, file: String, message: String) {
    #expect(catalogFailure(text, fileName: file) == message)
  }

  @Test func compressedAndUTF16FilesSayWhatToDo() {
    #expect(
      catalogFailure([0x1F, 0x8B, 8, 0], fileName: "t.gz")
        == "t.gz:1: the file is compressed (gzip). Decompress it first: gzip -dc FILE > NEW")
    #expect(catalogFailure([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 1], fileName: "t.csv").contains("xz -dc FILE"))
    #expect(catalogFailure([0xFF, 0xFE, 0x31, 0], fileName: "t.csv").contains("save the file as UTF-8"))
  }

  @Test(arguments: [
    "\nmovieId,title,genres\n1,A (1971),C\n", "\u{FEFF}\r\n\r\nmovieId,title,genres\n1,A (1971),C\n",
    "\n\ntconst\ttitleType\tprimaryTitle\tstartYear\tgenres\n1\tmovie\tA\t1971\tC\n",
  ])
  func blankLinesBeforeTheHeaderAreSkipped(text: String) throws {
    #expect(try catalog(text).movies.map(\.title) == ["A"])
  }

  @Test(arguments: [
    "movieId,title,genres\n 1 , A\u{A0} (1971) , C | D E ||\n",
    "tconst\ttitleType\tprimaryTitle\tstartYear\tgenres\n 1 \tmovie\t A\u{A0} \t1971\t C , D E ,,\n",
    #"[{"id": " 1 ", "title": "\t A\u00A0 ", "year": 1971, "genres": [" C ", "D E\n", " ", ""]}]"#,
  ])
  func blanksAroundIDsTitlesAndGenresAreRemovedInEveryFormat(text: String) throws {
    let movies = try catalog(text).movies
    #expect(Array(movies) == [Movie(id: "1", title: "A\u{A0}", year: 1971, genres: ["C", "D E"])])
  }

  @Test func contentDecidesAgainstTheFilesName() throws {
    #expect(try catalog("[]", fileName: "movies.csv").movies.isEmpty)
    #expect(try catalog("movieId,title,genres\n", fileName: "x.json").movies.isEmpty)
  }

  @Test func missingFileAndFolderAreMissingInput() {
    #expect(throws: CatalogError(kind: .missing, file: "/nowhere/x.csv", reason: "there is no such file")) {
      try CatalogReader.read(path: "/nowhere/x.csv")
    }
    #expect(throws: CatalogError.self) { try CatalogReader.read(path: NSTemporaryDirectory()) }
  }

  @Test(arguments: 0..<UInt64(5)) func randomBytesNeverTrap(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let starts = [
      "movieId,title,genres\n", "tconst\ttitleType\tprimaryTitle\tstartYear\tgenres\n", "[{", "{\"movies\":[", "",
    ]
    let alphabet = Array("\"\",\n\r\t\\(){}[]:1995é\\u00|N ".utf8) + [0xFF, 0x00, 0xC3]
    for start in starts {
      for _ in 0..<100 {
        let tail = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator) ?? 0
        }
        _ = catalogFailure(Array(start.utf8) + tail)
      }
    }
  }

  @Test func textOfAnotherEncodingNamesIt() {
    let bytes = Array("movieId".utf8)
    #expect(catalogFailure([0xFF, 0xFE] + bytes.flatMap { [$0, 0] }).contains("the text is UTF-16"))
    #expect(catalogFailure([0xFF, 0xFE, 0, 0] + bytes.flatMap { [$0, 0, 0, 0] }).contains("the text is UTF-32"))
    #expect(catalogFailure([0, 0, 0xFE, 0xFF] + bytes.flatMap { [0, 0, 0, $0] }).contains("the text is UTF-32"))
    // Without a byte order mark.
    #expect(catalogFailure(bytes.flatMap { [$0, 0] }).contains("the text is UTF-16"))
    #expect(catalogFailure(bytes.flatMap { [0, $0] }).contains("the text is UTF-16"))
  }

  @Test func genreThatIsWrittenTwiceCountsOnce() throws {
    let movies = try catalog("movieId,title,genres\n1,A (1990),Drama|Drama| |drama\n").movies
    #expect(movies.map(\.genres) == [["Drama", "drama"]])
  }

  @Test func blanksBeforeTheContentOfAPipeDoNotMatter() throws {
    for content in ["movieId,title,genres\n1,T,X\n", #"[{"id": "1", "title": "T"}]"#] {
      var reader = CatalogReader(fileName: "standard input")
      for piece in [String(repeating: " ", count: 4096), String(repeating: "\n", count: 10), content] {
        try reader.feed(Array(piece.utf8)[...])
      }
      #expect(try reader.finish().movies.map(\.id) == ["1"])
    }
  }
}
