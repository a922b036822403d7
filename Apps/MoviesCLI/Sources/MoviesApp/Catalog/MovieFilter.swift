/// Which movies a list shows, and in which order.
package struct MovieFilter: Codable, Hashable, Sendable {
  /// The orders of a list.
  package enum Order: String, Codable, CaseIterable, Hashable, Sendable {
    /// By title, in the order of a language; see ``MovieFilter/language``.
    case title
    /// By year; movies without one come last.
    case year
  }

  /// Only movies of one of these genres, compared without case and diacritics; empty for all.
  package var genres: [String] = []

  /// Only movies from this year on.
  package var firstYear: Int?

  /// Only movies up to this year.
  package var lastYear: Int?

  /// Only favourites.
  package var favoritesOnly = false

  /// The order; `nil` is the catalogue's own.
  package var order: Order?

  /// The language whose alphabet and articles the order of titles follows: a locale's identifier, such as `sv_SE`; empty
  /// for none in particular.
  package var language = ""

  /// At most this many.
  package var limit: Int?

  /// A filter that lets everything pass.
  package init() {}

  /// The movies that pass, in order.
  package func movies(of movies: [Movie], isFavorite: (Movie.ID) -> Bool) -> [Movie] {
    var passed = movies
    if favoritesOnly || firstYear != nil || lastYear != nil || !genres.isEmpty {
      let wanted = Set(genres.map(FoldedText.init))
      // Few genres occur, and very often: each is folded once.
      var isWanted: [String: Bool] = [:]
      passed = movies.filter { movie in
        if firstYear != nil || lastYear != nil {
          guard let year = movie.year, year >= firstYear ?? .min, year <= lastYear ?? .max else { return false }
        }
        if favoritesOnly, !isFavorite(movie.id) { return false }
        guard !wanted.isEmpty else { return true }
        return movie.genres.contains { genre in
          if let known = isWanted[genre] { return known }
          let answer = wanted.contains(FoldedText(genre))
          isWanted[genre] = answer
          return answer
        }
      }
    }
    switch order {
    case nil: break
    case .year: passed = Self.sorted(passed) { $0.year ?? .max }
    case .title: passed = TitleOrder.sorted(passed, language: language)
    }
    return limit.map { Array(passed.prefix($0)) } ?? passed
  }

  /// Sorts by a key that is computed once a movie; movies with equal keys keep their order.
  private static func sorted<Key: Comparable>(_ movies: [Movie], by key: (Movie) -> Key) -> [Movie] {
    let keyed = movies.enumerated().map { (key: key($0.element), place: $0.offset) }
    return keyed.sorted { ($0.key, $0.place) < ($1.key, $1.place) }.map { movies[$0.place] }
  }
}

/// A genre of a catalogue and how many movies have it.
package struct GenreCount: Hashable, Sendable {
  /// The genre as the catalogue writes it.
  package let name: String

  /// The number of movies with this genre.
  package let count: Int

  /// The genres of these movies, by name. Costs one pass over the movies.
  package static func all(in movies: [Movie]) -> [GenreCount] {
    // Few lists of genres occur, and very often.
    var lists: [[String]: Int] = [:]
    for movie in movies { lists[movie.genres, default: 0] += 1 }
    var counts: [String: Int] = [:]
    for (genres, count) in lists { for genre in Set(genres) { counts[genre, default: 0] += count } }
    return counts.map { GenreCount(name: $0.key, count: $0.value) }.sorted { $0.name < $1.name }
  }

  /// The message about a genre that no movie has; `nil` if a movie has it.
  static func suggestion(for genre: String, in known: [GenreCount]) -> String? {
    let wanted = FoldedText(genre)
    if known.contains(where: { FoldedText($0.name) == wanted }) { return nil }
    let closest = Suggestion.closest(to: genre, among: known.map(\.name))
    return "no movie has the genre '\(genre)'." + (closest.map { " Did you mean '\($0)'?" } ?? " 'genres' lists them.")
  }
}
