@testable import MoviesApp
import Testing

@Suite(.timeLimit(.minutes(15))) struct MovieLensTests {
  @Test func plainRowGivesIDTitleYearAndGenres() throws {
    let movies = try catalog("movieId,title,genres\n1,Toy Story (1995),Adventure|Animation\n").movies
    #expect(movies == [Movie(id: "1", title: "Toy Story", year: 1995, genres: ["Adventure", "Animation"])])
  }

  @Test(
    arguments: [
      ("Babylon 5", "Babylon 5", nil),
      ("Death Note (2006–2007)", "Death Note", 2006),
      ("Death Note (2006-2007)", "Death Note", 2006),
      ("Open (2009– )", "Open", 2009),
      ("Open (2009–)", "Open", 2009),
      ("Spaces (1995)   ", "Spaces", 1995),
      ("  Before (1995)", "Before", 1995),
      ("No-break (1995)\u{A0}", "No-break", 1995),
      ("No-break (1995) \u{A0}\u{A0} ", "No-break", 1995),
      ("No-break\u{A0}", "No-break\u{A0}", nil),
      ("Voilà", "Voilà", nil),
      ("NoBlank(1995)", "NoBlank", 1995),
      ("Nested (a.k.a. Other) (1999)", "Nested (a.k.a. Other)", 1999),
      ("Not a year (part 2)", "Not a year (part 2)", nil),
      ("Not a year (19955)", "Not a year (19955)", nil),
      ("Not a year (199)", "Not a year (199)", nil),
      ("Not a year (1995x)", "Not a year (1995x)", nil),
      ("(1995)", "(1995)", nil),
      ("Unopened 1995)", "Unopened 1995)", nil),
    ] as [(String, String, Int?)])
  func yearIsTakenFromTheTitlesEnd(text: String, title: String, year: Int?) throws {
    let movie = try #require(catalog("movieId,title,genres\n7,\(text),Drama\n").movies.first)
    #expect(movie.title == title)
    #expect(movie.year == year)
  }

  @Test func quotesCommasDoubledQuotesAndNewlinesAreText() throws {
    let text = """
      movieId,title,genres
      11,"American President, The (1995)",Comedy|Drama
      2,"He said ""Hi, you"" (2001)",Comedy
      3,"Two
      lines (1950)","Film-Noir"
      4,5' 2" (1999),Drama

      """
    let movies = try catalog(text).movies
    #expect(movies.map(\.title) == ["American President, The", "He said \"Hi, you\"", "Two\nlines", "5' 2\""])
    #expect(movies.map(\.year) == [1995, 2001, 1950, 1999])
    #expect(movies[2].genres == ["Film-Noir"])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func lineEndsAroundQuotedFieldsAreRemoved(end: String) throws {
    let row = "\"1\(end)\",\"\(end)A (1901)\(end)\",\"(no genres listed)\(end)\""
    let movies = try catalog("movieId,title,genres\n\(row)\n").movies
    #expect(movies.map(\.id) == ["1"])
    #expect(movies.map(\.title) == ["A"])
    #expect(movies.map(\.year) == [1901])
    #expect(movies.map(\.genres) == [[]])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func everyLineEndIsRead(end: String) throws {
    let lines = ["movieId,title,genres", "1,A (1901),Drama", "\"2\",\"B (1902)\",\"(no genres listed)\"", "", "3,C,"]
    let movies = try catalog(lines.joined(separator: end)).movies
    #expect(movies.map(\.id) == ["1", "2", "3"])
    #expect(movies.map(\.genres) == [["Drama"], [], []])
  }

  @Test func linesOfBlanksAreSkipped() throws {
    let text = "\n  \n\t \r\nmovieId,title,genres\n \n1,A (1990),Drama\n   \n2,B (1991),Drama\n  "
    #expect(try catalog(text).movies.map(\.id) == ["1", "2"])
    #expect(catalogFailure(" \nmovieId,title,genres\n\" \"\n").contains(":3: expected 3 columns, found 1"))
    #expect(catalogFailure("movieId,title,genres\n \n1,A\n").contains(":3: expected 3 columns, found 2"))
  }

  @Test func byteOrderMarkIsSkipped() throws {
    #expect(try catalog("\u{FEFF}movieId,title,genres\n1,A (1901),Drama\n").movies.count == 1)
  }

  @Test func columnsMayComeInAnyOrderWithOthersBetween() throws {
    let movies = try catalog("title,\"movieId\",imdb,genres\nA (1901),9,x,Drama\n").movies
    #expect(movies == [Movie(id: "9", title: "A", year: 1901, genres: ["Drama"])])
  }

  @Test func resultDoesNotDependOnHowTheBytesAreCut() throws {
    let text = "movieId,title,genres\r\n1,\"Ä \"\"x\"\", (1901)\",Drama|War\r\n\r\n2,日本 (1902),(no genres listed)"
    let whole = try catalog(text)
    for size in 1...40 {
      #expect(try movies(MovieLensParser(), of: Array(text.utf8), cutBy: size) == whole.movies)
    }
  }

  @Test func lineOfAFaultDoesNotDependOnHowTheBytesAreCut() {
    let text = "movieId,title,genres\r\n1,\"A\r\nB \"\"x\"\"\",X\r\n\r\n2,C (1902),X\r\n3,D\r\n"
    for size in 1...60 {
      let fault = #expect(throws: CatalogFault.self) {
        try movies(MovieLensParser(), of: Array(text.utf8), cutBy: size)
      }
      #expect(fault == CatalogFault(line: 6, reason: "expected 3 columns, found 2"), "cut by \(size)")
    }
  }

  @Test func fieldThatIsLargerThanManyPiecesIsReadInOnePassOrSo() throws {
    let title = String(repeating: "x\n\"\"", count: 300_000)
    let text = "movieId,title,genres\n1,\"\(title)\",X\n2,B,X\n"
    let read = try movies(MovieLensParser(), of: Array(text.utf8), cutBy: 1000)
    #expect(read.map(\.id) == ["1", "2"])
    #expect(read.first?.title.utf8.count == 3 * 300_000)
    #expect(catalogFailure(text + "3,\"never closed") == "movies.csv:300004: the quote that opens here is never closed")
  }

  @Test func brokenRowNamesFileLineAndFault() {
    let start = "movieId,title,genres\n1,A (1901),Drama\n"
    #expect(catalogFailure(start + "2,B (1902)\n") == "movies.csv:3: expected 3 columns, found 2")
    #expect(
      catalogFailure(start + "2,B, The (1902),Drama\n")
        == "movies.csv:3: expected 3 columns, found 4; a title with a comma must be quoted")
    #expect(catalogFailure(start + ",B (1902),Drama\n") == "movies.csv:3: the id is empty")
    #expect(catalogFailure(start + "2,,Drama\n") == "movies.csv:3: the title of '2' is empty")
    #expect(
      catalogFailure(start + "\n1,B (1902),Drama\n")
        == "movies.csv:4: the id '1' is used twice, in line 2 and in line 4")
    #expect(catalogFailure(start + "2,\"B (1902),Drama\n") == "movies.csv:3: the quote that opens here is never closed")
    #expect(
      catalogFailure(start + "2,\"B (1902),Drama\n3,\"C\",War\n")
        == "movies.csv:4: text follows the closing quote of a field that began on line 3; write a quote inside quotes twice"
    )
    #expect(
      catalogFailure(Array(start.utf8) + [0x32, 0x2C, 0xFF, 0xFE, 0x2C, 0x0A]) == "movies.csv:3: the text is not UTF-8")
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func lineNumbersCountNewlinesInsideQuotes(end: String) {
    let text = ["movieId,title,genres", "1,\"A", "B", "C\",Drama", "2,x", ""].joined(separator: end)
    #expect(catalogFailure(text) == "movies.csv:5: expected 3 columns, found 2")
  }
}
