/// Which movies a list shows, and in which order.
package struct MovieFilter: Codable, Hashable, Sendable {
  /// The orders of a list.
  package enum Order: String, Codable, CaseIterable, Hashable, Sendable {
    /// By title, without regard to case and diacritics.
    case title
    /// By year; movies without one come last.
    case year
  }

  /// Only movies of this genre, compared without case and diacritics.
  package var genre: String?

  /// Only movies from this year on.
  package var firstYear: Int?

  /// Only movies up to this year.
  package var lastYear: Int?

  /// Only favourites.
  package var favoritesOnly = false

  /// The order; `nil` is the catalogue's own.
  package var order: Order?

  /// At most this many.
  package var limit: Int?

  /// A filter that lets everything pass.
  package init() {}

  /// The movies that pass, in order.
  package func movies(of movies: [Movie], isFavorite: (Movie.ID) -> Bool) -> [Movie] {
    let genre = genre.map(FoldedText.init)
    var passed = movies.filter { movie in
      if favoritesOnly, !isFavorite(movie.id) { return false }
      if firstYear != nil || lastYear != nil {
        guard let year = movie.year, year >= firstYear ?? .min, year <= lastYear ?? .max else { return false }
      }
      guard let genre else { return true }
      return movie.genres.contains { FoldedText($0) == genre }
    }
    switch order {
    case nil: break
    case .year: passed = Self.sorted(passed) { $0.year ?? .max }
    case .title: passed = Self.sorted(passed) { FoldedText($0.title) }
    }
    return limit.map { Array(passed.prefix($0)) } ?? passed
  }

  /// Sorts by a key that is computed once a movie; movies with equal keys keep their order.
  private static func sorted<Key: Comparable>(_ movies: [Movie], by key: (Movie) -> Key) -> [Movie] {
    let keyed = movies.enumerated().map { (key: key($0.element), place: $0.offset) }
    return keyed.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map { movies[$0.place] }
  }
}

/// The genres of a catalogue.
enum GenreList {
  /// What to say about a genre that no movie has; `nil` when one has it.
  static func suggestion(for genre: String, in movies: [Movie]) -> String? {
    let wanted = FoldedText(genre)
    var genres: Set<String> = []
    for movie in movies { genres.formUnion(movie.genres) }
    if genres.contains(where: { FoldedText($0) == wanted }) { return nil }
    let closest = Suggestion.closest(to: genre, among: genres.sorted())
    return "no movie has the genre '\(genre)'." + (closest.map { " Did you mean '\($0)'?" } ?? "")
  }
}
