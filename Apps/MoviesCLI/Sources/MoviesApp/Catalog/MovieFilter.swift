/// The conditions that a listed movie meets, and the order of the list.
package struct MovieFilter: Codable, Hashable, Sendable {
  /// The orders of a list.
  package enum Order: String, Codable, CaseIterable, Hashable, Sendable {
    /// By title, in the alphabet of a language; see ``MovieFilter/language``.
    case title
    /// By year; movies without one come last.
    case year
  }

  /// The genres, compared without case and diacritics. A movie passes if it has one of them. Empty for all movies.
  package var genres: [String] = []

  /// The first year of the movies.
  package var firstYear: Int?

  /// The last year of the movies.
  package var lastYear: Int?

  /// Whether only favourites pass.
  package var favoritesOnly = false

  /// The order; `nil` for the catalogue's own.
  package var order: Order?

  /// The language that determines the alphabet and the articles for the order of titles: a locale's identifier such as
  /// `sv_SE`. Empty for no particular language.
  package var language = ""

  /// The largest number of movies.
  package var limit: Int?

  /// A filter that every movie passes.
  package init() {}

  /// The movies that pass, in the order of the filter.
  package func movies(of movies: Movies, isFavorite: (Movie.ID) -> Bool) -> Movies {
    var passed = movies
    if favoritesOnly || firstYear != nil || lastYear != nil || !genres.isEmpty {
      // A catalogue has few different lists of genres, so each list is compared only once.
      let wanted = Set(genres.map(FoldedText.init))
      let hasGenre = movies.genreLists.map { list in
        wanted.isEmpty || list.contains { wanted.contains(FoldedText($0)) }
      }
      passed = movies.selecting(
        movies.rows.filter { row in
          if !hasGenre[Int(row.genres)] { return false }
          if firstYear != nil || lastYear != nil {
            guard let year = row.year, year >= firstYear ?? .min, year <= lastYear ?? .max else { return false }
          }
          return !favoritesOnly || isFavorite(movies.id(of: row))
        })
    }
    switch order {
    case nil: break
    case .year: passed = Self.sortedByYear(passed)
    case .title: passed = TitleOrder.sorted(passed, language: language)
    }
    return limit.map(passed.first) ?? passed
  }

  /// The movies in the order of their years. Movies of one year keep their order.
  private static func sortedByYear(_ movies: Movies) -> Movies {
    let keyed = movies.rows.enumerated().map { (year: $0.element.year ?? .max, place: $0.offset) }
    return movies.selecting(
      keyed.sorted { ($0.year, $0.place) < ($1.year, $1.place) }.map { movies.rows[$0.place] })
  }
}

/// A genre of a catalogue and the number of its movies.
package struct GenreCount: Hashable, Sendable {
  /// The genre as the catalogue writes it first. Spellings that differ only in case or diacritics are one genre.
  package let name: String

  /// The number of movies with this genre.
  package let count: Int

  /// The genres of these movies, in the order of their Unicode scalars. Costs one pass over the movies.
  package static func all(in movies: Movies) -> [GenreCount] {
    // A catalogue has few different lists of genres, so whole lists are counted first.
    var lists = [Int](repeating: 0, count: movies.genreLists.count)
    for row in movies.rows { lists[Int(row.genres)] += 1 }
    var counts: [FoldedText: (name: String, count: Int)] = [:]
    for (genres, count) in zip(movies.genreLists, lists) where count > 0 {
      let spellings = Dictionary(genres.map { (FoldedText($0), $0) }, uniquingKeysWith: { first, _ in first })
      for (genre, name) in spellings { counts[genre, default: (name, 0)].count += count }
    }
    return counts.values.map { GenreCount(name: $0.name, count: $0.count) }.sorted { $0.name < $1.name }
  }

  /// The genres of these movies, in the order in which ``TitleOrder`` sorts titles.
  ///
  /// - Parameter language: The identifier of a locale; see ``MovieFilter/language``.
  package static func all(in movies: Movies, language: String) -> [GenreCount] {
    TitleOrder.sorted(all(in: movies), by: \.name, language: language)
  }

  /// Whether one of these genres has this name. Case and diacritics do not matter.
  static func contains(_ genre: String, in known: [GenreCount]) -> Bool {
    let wanted = FoldedText(genre)
    return known.contains { FoldedText($0.name) == wanted }
  }

  /// The note about a genre that no movie has; `nil` if a movie has it.
  static func noteIfUnknown(_ genre: String, in known: [GenreCount]) -> String? {
    if contains(genre, in: known) { return nil }
    let closest = Suggestion.closest(to: genre, among: known.map(\.name))
    return "no movie has the genre '\(genre)'." + (closest.map { " Did you mean '\($0)'?" } ?? " 'genres' lists them.")
  }
}
