@testable import MoviesApp
import Testing

@Suite(.timeLimit(.minutes(15))) struct IMDbTests {
  private let header =
    "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n"

  @Test func rowsAreReadWithQuotesAsText() throws {
    let text =
      header + "tt0000001\tshort\tCarmencita\tCarmencita\t0\t1894\t\\N\t1\tDocumentary,Short\n"
      + "tt0000002\tmovie\t\"Say \"\"No\"\tX\t0\t\\N\t\\N\t\\N\t\\N\r\n"
    let movies = try catalog(text, fileName: "title.basics.tsv").movies
    #expect(
      movies == [
        Movie(id: "tt0000001", title: "Carmencita", year: 1894, genres: ["Documentary", "Short"]),
        Movie(id: "tt0000002", title: "\"Say \"\"No\"", year: nil, genres: []),
      ])
  }

  @Test func whatIsNoMovieIsLeftOutAndCounted() throws {
    let catalog = try catalog(
      header + "tt1\ttvSeries\tS\tS\t0\t1990\t1999\t\\N\tDrama\ntt2\ttvEpisode\tE\tE\t0\t1990\t\\N\t\\N\tDrama\n"
        + "tt3\tmovie\tM\tM\t0\t1990\t\\N\t\\N\tDrama\ntt4\ttvEpisode\tE\tE\t0\t1990\t\\N\t\\N\tDrama",
      fileName: "title.basics.tsv")
    #expect(catalog.movies.map(\.id) == ["tt3"])
    #expect(catalog.notes == ["left out 3 titles that are not movies: 2 tvEpisode, 1 tvSeries"])
  }

  @Test func theNumbersOfWhatIsLeftOutAreGrouped() throws {
    let episodes = (1...1_200).map { "tt\($0)\ttvEpisode\tE\tE\t0\t1990\t\\N\t\\N\tDrama\n" }.joined()
    let catalog = try catalog(header + episodes, fileName: "title.basics.tsv")
    #expect(catalog.notes == ["left out 1,200 titles that are not movies: 1,200 tvEpisode"])
  }

  @Test(arguments: ["\\N", "", " "]) func aRowWithoutATitleIsLeftOutAndCounted(title: String) throws {
    let catalog = try catalog(
      header + "tt1\tmovie\t\(title)\tX\t0\t1990\t\\N\t\\N\tDrama\ntt2\tmovie\tM\tM\t0\t1990\t\\N\t\\N\tDrama\n",
      fileName: "title.basics.tsv")
    #expect(catalog.movies.map(\.id) == ["tt2"])
    #expect(catalog.notes == ["left out 1 damaged row, the first in line 2: primaryTitle is missing"])
  }

  @Test func resultDoesNotDependOnHowTheBytesAreCut() throws {
    let text = header + "tt3\tmovie\tÄ日\tM\t0\t1990\t\\N\t\\N\tDrama\r\ntt4\tmovie\tN\tN\t0\t\\N\t\\N\t\\N\t\\N\n"
    let whole = try catalog(text, fileName: "x")
    for size in 1...40 {
      #expect(try movies(IMDbParser(), of: Array(text.utf8), cutBy: size) == whole.movies)
    }
  }

  @Test func columnsMayComeInAnyOrder() throws {
    let text = "primaryTitle\tgenres\tstartYear\ttconst\ttitleType\nMetropolis\tDrama\t1927\ttt0017136\tmovie\n"
    let movie = try #require(catalog(text, fileName: "t.tsv").movies.first)
    #expect(movie.id == "tt0017136" && movie.title == "Metropolis" && movie.year == 1927)
  }

  @Test func aHeaderInQuotesIsRefusedWithTheReason() {
    #expect(
      catalogFailure("\"tconst\"\t\"titleType\"\n", fileName: "t.tsv")
        == "t.tsv:1: the columns are in quotes; a file in the format of IMDb's title.basics.tsv has none")
  }

  @Test func brokenRowNamesFileLineAndFault() {
    let good = header + "tt3\tmovie\tM\tM\t0\t1990\t\\N\t\\N\tDrama\n"
    #expect(
      catalogFailure(good + "tt4\tmovie\tM\n", fileName: "t.tsv")
        == "t.tsv:3: expected 9 columns between tabs, found 3")
    #expect(
      catalogFailure(good + "tt4\tmovie\tM", fileName: "t.tsv")
        == "t.tsv:3: expected 9 columns between tabs, found 3: the file is cut off")
    #expect(
      catalogFailure(good + "tt4\tmovie\tM\tM\t0\tMCM\t\\N\t\\N\tDrama\n", fileName: "t.tsv")
        == "t.tsv:3: startYear 'MCM' is neither a year nor \\N")
    #expect(
      catalogFailure(good + "tt4\tmovie\tM\tM\t0\t+1994\t\\N\t\\N\tDrama\n", fileName: "t.tsv")
        == "t.tsv:3: startYear '+1994' is neither a year nor \\N")
    #expect(
      catalogFailure(good + "tt3\tmovie\tM\tM\t0\t1990\t\\N\t\\N\tDrama\n", fileName: "t.tsv")
        == "t.tsv:3: the id 'tt3' is used twice, in line 2 and in line 3")
    #expect(
      catalogFailure("tconst\ttitleType\n", fileName: "t.tsv")
        == "t.tsv:1: the header lacks the column 'primaryTitle' of IMDb's title.basics.tsv")
  }
}
