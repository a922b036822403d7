import ReeluxCore

extension Command {
  /// `list`
  static let list = Command(
    "list",
    options: [
      .option("--genre", "G", "only this genre, without regard to case"),
      .option("--year", "Y|Y..Y", "only this year, or these years; either end may be open"),
      .choice("--sort", ["title", "year"], "the order; else the catalogue's"),
      .flag("--favorites", "only favourites"), .limit, .json,
    ],
    summary: "List movies.", examples: ["list --genre horror --year 1920..1925", "list --favorites --json"]
  ) { (arguments) throws(UsageError) in
    let filter = try MovieFilter(arguments)
    return { (context) async throws(CommandFailure) in
      try await context.session().list(filter, json: arguments.has("--json"))
    }
  }
}

extension Session {
  /// Lists the movies that pass a filter.
  func list(_ filter: MovieFilter, json: Bool) async throws(CommandFailure) {
    try await load()
    if filter.favoritesOnly { try requireFavorites() } else { noteUnknownFavorites() }
    store.dispatch(.movies(.look(.list(filter))))
    showMovies(json: json)
    let catalog = store.state.movies.catalog
    if let genre = filter.genre, let suggestion = GenreList.suggestion(for: genre, in: catalog.movies) {
      console.note(suggestion)
    }
  }
}

extension MovieFilter {
  /// Reads the filter of a command line.
  init(_ arguments: Arguments) throws(UsageError) {
    self.init()
    genre = arguments.text("--genre")
    (firstYear, lastYear) = try Self.years(arguments) ?? (nil, nil)
    favoritesOnly = arguments.has("--favorites")
    order = arguments.text("--sort").flatMap(Order.init)
    limit = try arguments.count("--limit")
  }

  /// A year or a range of years.
  private static func years(_ arguments: Arguments) throws(UsageError) -> (first: Int?, last: Int?)? {
    try arguments.read("--year", "a year or a range, such as 1927, 1920..1929 or 1920..") { text -> (Int?, Int?)? in
      func year(_ text: some StringProtocol) -> Int? {
        text.count <= 4 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
      }
      guard let dots = text.firstRange(of: "..") else { return year(text).map { ($0, $0) } }
      let (start, end) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (first, last) = (year(start), year(end))
      guard start.isEmpty == (first == nil), end.isEmpty == (last == nil), first != nil || last != nil,
        first ?? .min <= last ?? .max
      else { return nil }
      return (first, last)
    }
  }
}
