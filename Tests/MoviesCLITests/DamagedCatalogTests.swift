import Foundation
import Testing

/// Catalogues with damaged or unusual values: what is left out, and what the messages say.
@Suite(.timeLimit(.minutes(15))) struct DamagedCatalogTests {
  private let header =
    "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n"

  @Test func imdbRowsWithoutATitleOrInOtherColumnsAreLeftOutAndNoted() async throws {
    let program = try MoviesProgram()
    try program.folder.write(
      "t.tsv",
      header + "tt1\tmovie\tA\tA\t0\t1990\t\\N\t\\N\tDrama\ntt2\tmovie\t\\N\tB\t0\t1990\t\\N\t\\N\tDrama\n"
        + "tt3\tmovie\tC\tC\t2019\t1990\t\\N\t\\N\tDrama\ntt4\tmovie\tD\tD\t1\t1990\t\\N\t\\N\tDrama\n")
    let list = try await program.run("list", "--catalog", "t.tsv", "--format", "csv")
    #expect(list.lines.dropFirst() == ["tt1,A,1990,Drama,false", "tt4,D,1990,Drama,false"])
    #expect(list.errors == "note: left out 2 damaged rows, the first in line 3: primaryTitle is missing\n")
    try program.folder.write("one.tsv", header + "tt3\tmovie\tC\tC\t2019\t1990\t\\N\t\\N\tDrama\n")
    #expect(
      try await program.run("list", "--catalog", "one.tsv").errors
        .hasPrefix("note: left out 1 damaged row, the first in line 2: isAdult '2019' is neither 0 nor 1\n"))
  }

  @Test func movieLensYearOfZerosIsNoYear() async throws {
    let program = try MoviesProgram()
    try program.folder.write("m.csv", "movieId,title,genres\n1,A (0000),Drama\n2,B (0001),Drama\n")
    let list = try await program.run("list", "--catalog", "m.csv", "--json")
    #expect(list.output.contains(#""title":"A (0000)","year":null"#))
    #expect(list.output.contains(#""title":"B","year":1"#))
    try program.folder.write("own.json", list.output)
    #expect(try await program.run("list", "--catalog", "own.json").exitCode == 0)
  }

  @Test func spellingsOfAGenreAreOneGenre() async throws {
    let program = try MoviesProgram()
    try program.folder.write(
      "m.csv", "movieId,title,genres\n1,A,drama|Sci-Fi\n2,B,DRAMA|Drama\n3,C,Drama|Comédie\n4,D,Comedie\n")
    let genres = try await program.run("genres", "--catalog", "m.csv", "--format", "csv")
    #expect(genres.lines == ["genre,movies", "Comédie,2", "drama,3", "Sci-Fi,1"])
  }

  @Test func fractionOfAYearIsNamedWithItsMovieAndField() async throws {
    let program = try MoviesProgram()
    try program.folder.write("q.json", #"[{"id":"a","title":"A"},{"id":"b","title":"B","year":1.5}]"#)
    let result = try await program.run("list", "--catalog", "q.json")
    #expect(result.exitCode == 65)
    #expect(result.errors == "error: q.json:1: 'year' of movie 2 is not a whole number\n")
  }
}
