/// Movies as text and as JSON.
package enum MovieText {
  /// What marks a favourite in text.
  static let mark = "♥"

  /// A table of movies.
  package static func table(
    _ movies: [Movie], isFavorite: (Movie.ID) -> Bool, style: TextStyle = TextStyle()
  ) -> String {
    guard !movies.isEmpty else { return "" }
    let table = TextTable(
      columns: [
        .init(heading: " ", emphasis: .favorite), .init(heading: "ID", yields: 1), .init(heading: "TITLE", yields: 2),
        .init(heading: "YEAR", alignsRight: true), .init(heading: "GENRES", yields: 3, emphasis: .faint),
      ],
      rows: movies.map { movie in
        [
          isFavorite(movie.id) ? mark : "", movie.id, movie.title, movie.year.map { "\($0)" } ?? "–",
          movie.genres.joined(separator: ", "),
        ]
      })
    return table.text(style)
  }

  /// One movie, a fact a line.
  package static func details(_ movie: Movie, isFavorite: Bool, style: TextStyle = TextStyle()) -> String {
    let facts = [
      ("id", movie.id), ("year", movie.year.map { "\($0)" } ?? "unknown"),
      ("genres", movie.genres.isEmpty ? "none listed" : movie.genres.joined(separator: ", ")),
      ("favorite", isFavorite ? "yes \(mark)" : "no"),
    ]
    let title = style.emphasized(style.fitted(TextStyle.harmless(movie.title)), .strong)
    return facts.reduce(title + "\n") { text, fact in
      let label = TextWidth.padded("  \(fact.0)", to: 12)
      let value = TextStyle.harmless(fact.1)
      let fitted = style.width.map { TextWidth.shortened(value, to: max(0, $0 - 12)) } ?? value
      return text + style.emphasized(label, .faint) + fitted + "\n"
    }
  }

  /// Movies as a JSON array.
  package static func json(_ movies: [Movie], isFavorite: (Movie.ID) -> Bool) -> String {
    JSONText.array(movies.map { value($0, isFavorite: isFavorite($0.id)) })
  }

  /// One movie as a JSON object.
  package static func json(_ movie: Movie, isFavorite: Bool) -> String {
    JSONText.line(value(movie, isFavorite: isFavorite)) + "\n"
  }

  private static func value(_ movie: Movie, isFavorite: Bool) -> JSONText.Value {
    .object([
      ("id", .string(movie.id)), ("title", .string(movie.title)), ("year", movie.year.map { .int($0) } ?? .null),
      ("genres", .array(movie.genres.map { .string($0) })), ("favorite", .bool(isFavorite)),
    ])
  }

  /// `no movie 'metroplis' in the built-in catalogue. Did you mean 'metropolis-1927'?`
  package static func unknown(_ id: Movie.ID, in catalog: Catalog) -> String {
    let suggestion = MovieSearch.suggestion(for: id, in: catalog.movies).map { " Did you mean '\($0)'?" }
    return "no movie '\(id)'." + (suggestion ?? " 'search' finds movies by their titles.")
  }
}
