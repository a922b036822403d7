import MoviesApp
import Testing

@Suite(.timeLimit(.minutes(15))) struct JSONCatalogTests {
  @Test func objectAndBareArrayAreRead() throws {
    let movies: Movies = [
      Movie(id: "a-1901", title: "A \"é\" 😀", year: 1901, genres: ["Drama"]),
      Movie(id: "7", title: "B", year: nil, genres: []),
    ]
    let array =
      #"[{"id":"a-1901","title":"A \"\u00e9\" \ud83d\ude00","year":1901,"genres":["Drama"],"favorite":true},{"id":7,"title":"B","year":null}]"#
    #expect(try catalog(array, fileName: "x").movies == movies)
    #expect(try catalog(" {\"schema\":1,\"other\":[{}],\"movies\":\(array)}\n", fileName: "x").movies == movies)
    #expect(try catalog("{\"\\u006dovies\":\(array)}", fileName: "x").movies == movies)
    #expect(try catalog("[]", fileName: "x").movies.isEmpty)
    #expect(try catalog("{\"movies\":[]}", fileName: "x").movies.isEmpty)
  }

  @Test(arguments: [
    ("[\n{\"title\":\"A\"}]", "x:2: movie 1 has no 'id'"),
    ("[\n{\"id\":\"a\"}]", "x:2: movie 1 has no 'title'"),
    ("[{\"id\":\"a\",\n\"title\":3}]", "x:1: 'title' of movie 1 is not a string"),
    ("[{\"id\":1.5,\"title\":\"A\"}]", "x:1: 'id' of movie 1 is not a string or a whole number"),
    (
      "[{\"id\":9223372036854775808,\"title\":\"A\"}]",
      "x:1: the number in 'id' of movie 1 is too large; write it as a string"
    ),
    ("[{\"id\":\"a\",\"title\":\"A\",\"year\":\"1901\"}]", "x:1: 'year' of movie 1 is not a whole number"),
    (
      "[{\"id\":\"a\",\"title\":\"A\",\"year\":1e9}]",
      "x:1: 'year' of movie 1 is 1000000000, not a year from 1 to 9999"
    ),
    (
      "[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":\"B\",\"year\":1e30}]",
      "x:1: 'year' of movie 2 is not a year from 1 to 9999"
    ),
    (
      "[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":\"B\",\"year\":0}]",
      "x:1: 'year' of movie 2 is 0, not a year from 1 to 9999"
    ),
    ("[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\"}]", "x:1: movie 2 has no 'title'"),
    ("[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":null}]", "x:1: 'title' of movie 2 is null"),
    ("[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":\"\"}]", "x:1: movie 2: the title of 'b' is empty"),
    (
      "[{\"id\":\"a\",\"title\":\"A\"},{\"id\":\"b\",\"title\":\"B\"},{\"id\":\"a\",\"title\":\"C\"}]",
      "x:1: movie 3: the id 'a' is used twice, by movie 1 and by movie 3"
    ),
    ("[{\"id\":\"a\",\"title\":\"A\",\"genres\":\"Drama\"}]", "x:1: 'genres' of movie 1 is not an array"),
    ("[{\"id\":\"a\",\"title\":\"A\",\"genres\":[1]}]", "x:1: a genre of movie 1 is not a string"),
    (
      "[{\"id\":\"a\",\"title\":\"A\"},\n{\"id\":\"a\",\"title\":\"B\"}]",
      "x:2: movie 2: the id 'a' is used twice, in line 1 and in line 2"
    ),
    ("[{\"id\":\"a\",\"title\":\"A\"}", "x:1: a value is never closed: the file is cut off"),
    ("[{\"id\":\"a\",\"title\":\"A", "x:1: a string that begins here is never closed: the file is cut off"),
    ("[1]", "x:1: movie 1 is not an object"),
    ("[] x", "x:1: more text follows the end of the JSON; a catalogue is one array or one object"),
    (
      "{}\n{}",
      "x:2: more text follows the end of the JSON; a catalogue is one array or one object. "
        + "Make one array of JSON Lines: jq -s . FILE > NEW"
    ),
    ("[{\"id\":\"a\",\"title\":\"A\"},\n\n{\"id\":\"c\",\"title\":\"\\ud800\"}]", "x:3: movie 2 is not valid JSON"),
    (
      "{\"schema\":1,\n\"movies\":[\n{\"id\":\"a\",\"title\":\"A\"},\n{\"id\":\"b\"}]}", "x:4: movie 2 has no 'title'"
    ),
    ("{}", "x:1: the object has no key 'movies'"),
    ("{\"schema\":2,\"movies\":[]}", "x:1: the catalogue has schema 2; this version reads schema 1"),
    ("{\"schema\":2,\"movies\":{}}", "x:1: the catalogue has schema 2; this version reads schema 1"),
    ("{\"schema\":2,\"films\":[]}", "x:1: the catalogue has schema 2; this version reads schema 1"),
    (
      "{\"movies\":[{\"id\":\"a\",\"title\":\"A\"}],\n\"movies\":[]}", "x:2: the object has the key 'movies' twice"
    ),
    ("{\"movies\":[],\"m\\u006Fvies\":3}", "x:1: the object has the key 'movies' twice"),
    ("{\"movies\":{}}", "x:1: 'movies' is not an array"),
    ("[{\"id\":\"a\",\"title\":\"\\ud800\"}]", "x:1: movie 1 is not valid JSON"),
    ("[\n{\"id\":\"a\",\"title\":\"A\"},\n\n]", "x:2: this is not valid JSON: no value follows the comma"),
    ("[{\"id\":\"a\",\n\"title\":\"A,\",}]", "x:2: this is not valid JSON: no value follows the comma"),
    ("{\"movies\":[],\n}", "x:1: this is not valid JSON: no value follows the comma"),
  ])
  func faultsNameFileAndLine(text: String, message: String) {
    #expect(catalogFailure(text, fileName: "x") == message)
  }

  @Test(arguments: [
    (#"{"id":"y","title":""}"#, "x:1: movie 1: the title of 'y' is empty"),
    (#"{"id":"y","title":"Y","year":0}"#, "x:1: 'year' of movie 1 is 0, not a year from 1 to 9999"),
    (#"{"id":"y","title":3}"#, "x:1: 'title' of movie 1 is not a string"),
  ])
  func ofSeveralFaultsTheFirstIsReported(movie: String, message: String) {
    let rest = #"{"id":"z","title":"Z","year":"1990"}, null, {"id":"y"}, 3]"#
    #expect(catalogFailure("[\(movie),\n\(rest)", fileName: "x") == message)
    #expect(catalogFailure("{\"movies\":[\(movie),\n\(rest)}", fileName: "x") == message)
    #expect(
      catalogFailure(#"[{"id":"y","title":"Y"},null,\#(rest)"#, fileName: "x") == "x:1: movie 2 is null")
  }

  #if os(Linux)
    /// Foundation of other systems names no place in this form.
    @Test func brokenMovieIsNamedWithItsFaultAndPlace() {
      #expect(
        catalogFailure("[\n {\"id\":\"a\",\"title\":\"A\"},\n {\"id\":\"b\",\n  \"title\":\"B\\x\"}\n]", fileName: "x")
          == "x:4: movie 2 is not valid JSON: invalid escape sequence near byte 13 of the line")
      #expect(
        catalogFailure("[{\"id\":\"a\",\"title\":\"\\q\"}]", fileName: "x")
          == "x:1: movie 1 is not valid JSON: invalid escape sequence near byte 21 of the line")
    }
  #endif

  @Test func deepNestingIsRefusedWithoutACrash() {
    let text = "[" + String(repeating: "[", count: 100_000)
    let closed = text + String(repeating: "]", count: 100_001)
    #expect(catalogFailure(closed, fileName: "x") == "x:1: the JSON is nested more than 512 levels deep")
    #expect(catalogFailure(text, fileName: "x") == "x:1: a value is never closed: the file is cut off")
  }

  @Test func anExtraFieldMayBeNestedAsDeepAsARecording() {
    func text(_ levels: Int) -> String {
      let (start, end) = (String(repeating: "[", count: levels), String(repeating: "]", count: levels))
      return "[{\"id\":\"a\",\n\"title\":\"A\",\"extra\":\(start)\(end)}]"
    }
    #expect(catalogFailure(text(510), fileName: "x") == "no error, 1 movies")
    #expect(catalogFailure(text(511), fileName: "x") == "x:2: the JSON is nested more than 512 levels deep")
  }

  @Test func textThatIsNotUTF8IsNamedAsSuch() {
    func failure(_ bytes: [UInt8]) -> String {
      catalogFailure(
        Array("[{\"id\":\"a\",\n\"title\":\"H".utf8) + bytes + Array("xan\"}]".utf8), fileName: "x")
    }
    #expect(
      failure([0xE4]) == "x:2: the text is not UTF-8; it looks like Latin-1 or Windows-1252. "
        + "Convert it: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW")
    #expect(failure([0xC3, 0xE4, 0xC3]) == "x:2: the text is not UTF-8")
    #expect(failure([0xC3, 0xA4]) == "no error, 1 movies")
  }
}
