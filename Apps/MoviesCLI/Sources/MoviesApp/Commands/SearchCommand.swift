import ReeluxCore

extension Command {
  /// `search`
  static let search = Command(
    "search", .many("TEXT"), options: [.limit, .format, .json],
    summary: "Find movies by words of the title, the best matches first.",
    details: """
      The search ignores case, diacritics, punctuation and articles. If TEXT has only articles, the search finds the
      titles that contain them as words. A word of at least three letters also finds longer words that contain it. A
      shorter word finds only words that begin with it. Chinese characters also find longer words that contain them. If
      TEXT ends with a year, the movies of that year come first. If TEXT has only symbols, the search finds the titles
      that contain them. If no title has every word, the search accepts one typing mistake in each word of at least four
      letters.
      """,
    examples: ["search haxan", "search metropolis 1927", "search cabinet caligari --json"]
  ) { (arguments) throws(UsageError) in
    let limit = try arguments.count("--limit")
    let format = try arguments.format()
    return { (context) async throws(CommandFailure) in
      let session = try context.session()
      try await session.load(favorites: .shown)
      await session.store.dispatch(.movies(.show(.search(arguments.words, limit: limit)))).reduced()
      let state = session.store.state
      let result = session.withProgress(through: state.movies.catalog) { state.movies.searchResult }
      session.show(result.movies, of: state, as: format)
      // A year in an argument of its own is not searched in titles.
      let hasYear = MovieSearch(arguments.words).hasYear && arguments.words.last?.contains(where: \.isLetter) == false
      let words = arguments.words.dropLast(hasYear ? 1 : 0).map { "'\($0)'" }
      let missing = "no title has " + (words.count > 1 ? "all of " : "") + Prose.list(words)
      let corrections = result.corrections.sorted { $0.key < $1.key }.map { "'\($0.value)'" }
      if !corrections.isEmpty { context.console.note("\(missing); showing \(Prose.list(corrections))") }
      guard result.movies.isEmpty else { return }
      let titles = result.suggestions.map { "'\($0)'" }
      let word = arguments.first
      let isYear = arguments.words.count == 1 && word.utf8.count == 4 && DecimalText.isDigits(word)
      context.console.note(
        missing + "." + (titles.isEmpty ? "" : " Did you mean \(Prose.list(titles, "or"))?")
          + (isYear ? " To list the movies of this year, use 'list --year \(word)'." : ""))
    }
  }
}
