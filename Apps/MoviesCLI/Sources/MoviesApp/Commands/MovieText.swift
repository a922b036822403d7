import ReeluxFavorites

/// Movies as lists, as facts and in messages.
package enum MovieText {
  /// The mark of a favourite in text.
  static let mark = "♥"

  /// The columns of a list of movies. `isFavorite` returns `nil` if the favourites are unknown.
  ///
  /// The title is the most important column, so it is the last one that a narrow terminal shortens. An id is shown
  /// whole or not at all, because a part of it cannot be used in a command.
  static func listing(isFavorite: @escaping (Movie.ID) -> Bool?) -> Listing<Movie> {
    Listing(columns: [
      .init(
        key: "id", json: { .string($0.id) }, text: \.id, table: .init(heading: "ID", shrinkOrder: 3, minimum: .max)),
      .init(
        key: "title", json: { .string($0.title) }, text: \.title,
        table: .init(heading: "TITLE", shrinkOrder: 1, minimum: 12)),
      .init(
        key: "year", json: { $0.year.map { .int($0) } ?? .null }, text: { $0.year.map { "\($0)" } ?? "" },
        table: .init(heading: "YEAR", alignsRight: true, shrinkOrder: 2, minimum: 4),
        cell: { $0.year.map { "\($0)" } ?? "–" }),
      .init(
        key: "genres", json: { .array($0.genres.map { .string($0) }) }, text: { $0.genres.joined(separator: "|") },
        table: .init(heading: "GENRES", shrinkOrder: 4, emphasis: .faint), cell: { $0.genres.joined(separator: ", ") }),
      .init(
        key: "favorite", json: { isFavorite($0.id).map { .bool($0) } ?? .null },
        text: { isFavorite($0.id).map { $0 ? "true" : "false" } ?? "" }, table: nil),
    ])
  }

  /// The columns of a table of movies. The mark of a favourite is the first column.
  static func table(isFavorite: @escaping (Movie.ID) -> Bool?) -> Listing<Movie> {
    var listing = listing(isFavorite: isFavorite)
    listing.columns.insert(
      .init(
        key: "favorite", json: { _ in .null }, text: { isFavorite($0.id) == true ? mark : "" },
        table: .init(heading: " ", emphasis: .favorite)), at: 0)
    return listing
  }

  /// Writes movies in this format.
  package static func write(
    _ movies: some Collection<Movie>, as format: OutputFormat, isFavorite: @escaping (Movie.ID) -> Bool?,
    style: TextStyle = TextStyle(), to write: (String) -> Bool
  ) {
    let listing = format == .table ? table(isFavorite: isFavorite) : listing(isFavorite: isFavorite)
    listing.write(movies, as: format, style: style, to: write)
  }

  /// One movie, with one fact on each line.
  package static func details(_ movie: Movie, isFavorite: Bool?, style: TextStyle = TextStyle()) -> String {
    let facts = [
      ("id", movie.id), ("year", movie.year.map { "\($0)" } ?? "unknown"),
      ("genres", movie.genres.isEmpty ? "none listed" : movie.genres.joined(separator: ", ")),
      ("favorite", isFavorite.map { $0 ? "yes \(mark)" : "no" } ?? "unknown"),
    ]
    let title = style.emphasized(style.fitted(TextStyle.harmless(movie.title)), .strong)
    return facts.reduce(title + "\n") { text, fact in
      let label = TextWidth.padded("  \(fact.0)", to: 12)
      let value = TextStyle.harmless(fact.1)
      return text + style.emphasized(label, .faint) + style.fitted(value, after: 12) + "\n"
    }
  }

  /// The title and year, such as `Metropolis (1927)`, or the id if the catalogue does not have the movie.
  package static func name(of id: Movie.ID, in catalog: Catalog) -> String {
    guard let movie = catalog[id] else { return "'\(id)'" }
    return movie.title + (movie.year.map { " (\($0))" } ?? "")
  }

  /// `Metropolis (1927) could not be added to the favourites: the server is busy`
  static func failedChange(of id: Movie.ID, _ failure: FavoritesFailure, in state: AppState) -> String {
    // After a failure, a favourite has its old value again.
    let change = state.favorites.contains(id) ? "removed from" : "added to"
    return "\(name(of: id, in: state.movies.catalog)) could not be \(change) the favourites: \(failure.reason)"
  }

  /// `no movie 'metroplis'. Did you mean 'metropolis-1927'?`
  package static func unknown(_ id: Movie.ID, in catalog: Catalog) -> String {
    let suggestion = MovieSearch.suggestion(for: id, in: catalog.movies).map { " Did you mean '\($0)'?" }
    return "no movie '\(id)'." + (suggestion ?? " 'search' finds movies by their titles.")
  }
}
