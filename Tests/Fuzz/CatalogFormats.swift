import MoviesApp

extension FuzzFormat {
  /// MovieLens `movies.csv`.
  static let movieLens = catalog(
    "movielens", file: "movies.csv", header: "movieId,title,genres\n",
    row: { number, random in
      let title = random.pick([
        "Toy Story (1995)", "\"Lost, The (1925)\"", "\"A \"\"quoted\"\" film (1910)\"", "Amélie (2001)", "No year",
      ])
      return
        "\(number),\(title),\(random.pick(["Drama", "Comedy|Drama", "(no genres listed)"]))\(random.pick(["\n", "\r\n"]))"
    },
    dictionary: [",", "\"", "\"\"", "\n", "\r", "|", "(1995)", "(", ")", "movieId", "\u{FEFF}", "\u{0}", "1,"])

  /// IMDb `title.basics.tsv`.
  static let imdb = catalog(
    "imdb", file: "title.basics.tsv",
    header: "tconst\ttitleType\tprimaryTitle\toriginalTitle\tisAdult\tstartYear\tendYear\truntimeMinutes\tgenres\n",
    row: { number, random in
      let kind = random.pick(["movie", "short", "tvSeries"])
      let year = random.pick(["1925", "\\N"])
      return
        "tt\(number)\t\(kind)\tFilm \"\(number)\"\tÜ\t0\t\(year)\t\\N\t90\t\(random.pick(["Drama", "\\N", "Drama,Comedy"]))\n"
    },
    dictionary: ["\t", "\t\t", "\\N", "\n", "\r\n", "tt", "tconst", "\u{0}", "tt1\t"])

  /// The project's own JSON.
  static let json = FuzzFormat(
    name: "json",
    generate: { random in
      let movies = (0..<random.below(5)).map { number in
        let year = random.pick(["1925", "null"])
        return
          "{\"id\": \"m\(number)\", \"title\": \"F\\u00fcr \\\"x\\\" \\ud83d\\ude00\", \"year\": \(year), \"genres\": [\"Drama\"]}"
      }
      let array = "[\(movies.joined(separator: ",\n"))]"
      return Array((random.once(in: 2) ? array : "{\"schema\": 1, \"movies\": \(array)}").utf8)
    },
    dictionary: [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "null", "true", "1e5", "\"id\":", "\"title\":",
      "\"schema\": 2",
      "[[[[[[[[", "{\"a\":{\"a\":", "\u{0}",
    ],
    check: { bytes, isValid in catalogOutcome(bytes, file: "movies.json", isValid: isValid) })

  private static func catalog(
    _ name: String, file: String, header: String, row: @escaping @Sendable (Int, inout FuzzRandom) -> String,
    dictionary: [String]
  ) -> FuzzFormat {
    FuzzFormat(
      name: name,
      generate: { random in
        var text = header
        for number in 1...(1 + random.below(6)) { text += row(number, &random) }
        return Array(text.utf8)
      },
      dictionary: dictionary,
      check: { bytes, isValid in catalogOutcome(bytes, file: file, isValid: isValid) })
  }

  private static func catalogOutcome(_ bytes: [UInt8], file: String, isValid: Bool) -> Outcome {
    do throws(CatalogError) {
      let catalog = try CatalogReader.read(bytes, fileName: file)
      let ids = Set(catalog.movies.map(\.id))
      return ids.count == catalog.movies.count ? .read : .wrong("two movies have one id")
    } catch {
      if isValid { return .wrong("a valid input is refused: \(error)") }
      guard let line = error.line, line >= 1, !error.reason.isEmpty else {
        return .wrong("an error without line or reason: \(error)")
      }
      return .refused
    }
  }
}
