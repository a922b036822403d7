import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `list`
  static let list = Command(
    "list",
    options: [
      .option("--genre", "G", .genre, "only this genre; several: --genre A --genre B or A,B"),
      .option("--year", "Y|Y..Y", "only this year, or these years; the first or the last may be left out"),
      .choice("--sort", MovieFilter.Order.allCases.map(\.rawValue), "the order; default: the catalogue's"),
      .flag("--favorites", "only favourites"), .limit, .format, .json,
    ],
    summary: "List movies.",
    details: """
      --sort title follows the language in LC_ALL, LC_COLLATE or LANG, and ignores leading articles and punctuation.
      Genres are compared without case and diacritics. 'genres' lists all genres. If the favourites cannot be read,
      'favorite' is null in JSON and empty in CSV and TSV, and --favorites prints no list. On a narrow terminal,
      the table first leaves out the genres, then the ids; --format tsv shows all columns.
      """,
    examples: ["list --genre horror,mystery --year 1920..1925", "list --favorites --format csv"]
  ) { (arguments) throws(UsageError) in
    let filter = try MovieFilter(arguments)
    let format = try arguments.format()
    return { (context) async throws(CommandFailure) in
      var filter = filter
      filter.language = context.language
      try await context.session().list(filter, as: format)
    }
  }
}

extension Session {
  /// Lists the movies that pass a filter.
  func list(_ filter: MovieFilter, as format: OutputFormat) async throws(CommandFailure) {
    try await load(favorites: filter.favoritesOnly ? .needed : .shown)
    if filter.favoritesOnly {
      try requireFavorites()
      // A damaged file is reported already. An empty list would look like the right output.
      if damage.exitCode != nil { return }
    }
    let known = GenreCount.all(in: filter.genres.isEmpty ? [] : store.state.movies.catalog.movies)
    var filter = filter
    filter.genres = filter.genres.flatMap { text in
      // The name of a genre may contain a comma.
      GenreCount.contains(text, in: known) ? [text] : MovieFilter.names(text)
    }
    await store.dispatch(.movies(.show(.list(filter)))).reduced()
    let state = store.state
    let movies = withProgress(through: state.movies.catalog) { state.visibleMovies }
    let unknownGenres = filter.genres.compactMap { GenreCount.noteIfUnknown($0, in: known) }
    let isUnexplained = format == .table && movies.isEmpty
    if isUnexplained, filter.favoritesOnly, state.favorites.ids.isEmpty {
      console.note("there are no favourites yet; 'favorite add ID' adds one")
    } else {
      show(movies, of: state, as: format)
      let hasOptions = !filter.genres.isEmpty || filter.firstYear != nil || filter.lastYear != nil
      if isUnexplained, hasOptions, unknownGenres.isEmpty, !state.movies.catalog.movies.isEmpty {
        console.note("no movie matches the options")
      }
    }
    unknownGenres.forEach(console.note)
    if filter.favoritesOnly { noteUnknownFavorites() }
  }

  /// Names the favourites that the catalogue does not contain.
  private func noteUnknownFavorites() {
    let state = store.state
    let unknown = state.favorites.ids.filter { state.movies.catalog[$0] == nil }
    if unknown.isEmpty { return }
    let catalog = (options.catalog == nil ? "the " : "") + state.movies.catalog.name
    let more = unknown.count > 20 ? ", and \(Prose.grouped(unknown.count - 20)) more" : ""
    let named = unknown.prefix(20).joined(separator: ", ")
    let these = unknown.count == 1 ? "this favourite is" : "these favourites are"
    console.note("\(these) not in \(catalog): \(named)\(more)")
  }
}

extension MovieFilter {
  /// Reads the filter of a command line.
  init(_ arguments: Arguments) throws(UsageError) {
    self.init()
    for text in arguments.texts("--genre") {
      guard !Self.names(text).isEmpty else {
        throw UsageError("--genre needs a genre, not '\(text)'", command: arguments.command)
      }
      genres.append(text)
    }
    (firstYear, lastYear) = try Self.years(arguments) ?? (nil, nil)
    favoritesOnly = arguments.has("--favorites")
    order = arguments.text("--sort").flatMap(Order.init)
    limit = try arguments.count("--limit")
  }

  /// The genres of a text, between commas.
  static func names(_ text: String) -> [String] {
    text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }

  /// A year or a range of years.
  private static func years(_ arguments: Arguments) throws(UsageError) -> (first: Int?, last: Int?)? {
    let wanted = "a year of one to four digits or a range, such as 1927, 1920..1929 or 1920.."
    let range = try arguments.read("--year", wanted) { text -> (Int?, Int?)? in
      func year(_ text: some StringProtocol) -> Int? {
        (1...4).contains(text.count) ? DecimalText.wholeNumber(text) : nil
      }
      let separators = ["..", "-", "–"]
      guard let dots = separators.lazy.compactMap({ text.firstRange(of: $0) }).first else {
        return year(text).map { ($0, $0) }
      }
      let (start, end) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (first, last) = (year(start), year(end))
      guard start.isEmpty == (first == nil), end.isEmpty == (last == nil), first != nil || last != nil else {
        return nil
      }
      return (first, last)
    }
    if case (let first?, let last?)? = range, first > last {
      throw UsageError("--year \(first)..\(last) is reversed; write \(last)..\(first)", command: arguments.command)
    }
    return range
  }
}
