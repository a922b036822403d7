import Testing

@testable import MoviesApp

@Suite(.timeLimit(.minutes(15))) struct MoviesTests {
  private let list = [
    Movie(id: "tt1", title: "Häxan", year: 1922, genres: ["Horror"]),
    Movie(id: "é", title: "千と千尋の神隠し", year: nil, genres: []),
    Movie(id: "7", title: "The Kid", year: 1921, genres: ["Comedy", "Drama"]),
    Movie(id: "8", title: "T", year: 1, genres: ["Horror"]),
  ]

  @Test func everyMovieIsReadBackUnchanged() {
    #expect(Array(Movies(list)) == list)
    #expect(Movies(list).genreLists == [["Horror"], [], ["Comedy", "Drama"]])
  }

  @Test func aSelectionHasTheOrderOfItsRows() {
    let movies = Movies(list)
    let selection = movies.selecting([movies.rows[2], movies.rows[0]])
    #expect(Array(selection) == [list[2], list[0]])
    #expect(Array(movies.first(3)) == Array(list.prefix(3)))
  }

  @Test func equalMoviesAreEqualInDifferentBuffers() {
    let movies = Movies(list)
    let selection = movies.selecting(movies.rows.reversed())
    #expect(selection == Movies(list.reversed()))
    #expect(selection != movies)
  }

  @Test func anIDWithEqualTextInDifferentBytesIsATakenID() throws {
    let text = "movieId,title,genres\ne\u{301},A,X\n"
    #expect(
      catalogFailure(text + "\u{E9},B,X\n") == "movies.csv:3: the id '\u{E9}' is used twice, in line 2 and in line 3")
    #expect(try catalog(text + "f,B,X\n")["\u{E9}"]?.title == "A")
  }

  @Test func aSearchEndsWhenItsTaskIsCancelled() async {
    let movies = Movies(list)
    let task = Task {
      // This ends when the task is cancelled.
      for await _ in AsyncStream<Int>.makeStream().stream {}
      var titles = 0
      movies.forEachTitle { _, _ in titles += 1 }
      return titles
    }
    task.cancel()
    #expect(await task.value == 0)
  }
}
