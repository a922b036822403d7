import MoviesApp
import Testing

@Suite struct JSONCatalogTests {
  @Test func objectAndBareArrayAreRead() throws {
    let movies = [
      Movie(id: "a-1901", title: "A \"é\" 😀", year: 1901, genres: ["Drama"]),
      Movie(id: "7", title: "B", year: nil, genres: []),
    ]
    let array =
      #"[{"id":"a-1901","title":"A \"\u00e9\" \ud83d\ude00","year":1901,"genres":["Drama"],"favorite":true},{"id":7,"title":"B","year":null}]"#
    #expect(try catalog(array, fileName: "x").movies == movies)
    #expect(try catalog(" {\"schema\":1,\"other\":[{}],\"movies\":\(array)}\n", fileName: "x").movies == movies)
    #expect(try catalog("[]", fileName: "x").movies.isEmpty)
    #expect(try catalog("{\"movies\":[]}", fileName: "x").movies.isEmpty)
  }

  @Test(arguments: [
    ("[\n{\"title\":\"A\"}]", "x:2: the movie has no 'id'"),
    ("[\n{\"id\":\"a\"}]", "x:2: the movie has no 'title'"),
    ("[{\"id\":\"a\",\n\"title\":3}]", "x:2: 'title' is a number, not a string"),
    ("[{\"id\":\"a\",\"title\":\"A\",\"year\":\"1901\"}]", "x:1: 'year' is a string, not a whole number or null"),
    ("[{\"id\":\"a\",\"title\":\"A\",\"year\":1e9}]", "x:1: 'year' is 1e9, not a year from 1 to 9999"),
    ("[{\"id\":\"a\",\"title\":\"A\",\"genres\":\"Drama\"}]", "x:1: 'genres' is a string, not an array of strings"),
    ("[{\"id\":\"a\",\"title\":\"A\",\"genres\":[1]}]", "x:1: a genre is a number, not a string"),
    ("[{\"id\":\"a\",\"title\":\"A\"},\n{\"id\":\"a\",\"title\":\"B\"}]", "x:2: the id 'a' is taken: line 1 has it"),
    ("[{\"id\":\"a\",\"title\":\"A\"}", "x:1: expected ']', found the end of the file"),
    ("[{\"id\":\"a\",\"title\":\"A", "x:1: the string is never closed: the file is cut off"),
    ("[1]", "x:1: expected a movie, an object, found a number"),
    ("[] x", "x:1: expected the end of the file, found 'x'"),
    ("{}", "x:1: the object has no key 'movies' with an array of movies"),
    ("{\"schema\":2,\"movies\":[]}", "x:1: the catalogue has schema 2; this version reads schema 1"),
    ("{\"movies\":{}}", "x:1: expected '[', found '{'"),
    ("[{\"id\":\"a\",\"title\":\"\\ud800\"}]", "x:1: an escape names half a surrogate pair"),
    ("[{\"id\":\"a\",\"title\":\"\\q\"}]", "x:1: a backslash begins no known escape"),
  ])
  func faultsNameFileAndLine(text: String, message: String) {
    #expect(catalogFailure(text, fileName: "x") == message)
  }

  @Test func deepNestingIsRefusedWithoutACrash() {
    let text = "[" + String(repeating: "[", count: 100_000)
    #expect(catalogFailure(text, fileName: "x") == "x:1: values are nested deeper than 64")
  }
}
