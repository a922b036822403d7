/// The catalogue and what of it is looked at.
package struct MoviesState: Codable, Hashable, Sendable {
  /// The phase of reading.
  package enum Phase: Codable, Hashable, Sendable {
    /// Nothing was asked for.
    case idle
    /// A catalogue is being read; so many bytes are.
    case reading(bytes: Int)
    /// The catalogue is there.
    case ready
    /// It could not be read.
    case failed(CatalogError)
  }

  /// Where reading stands.
  package var phase = Phase.idle

  /// The catalogue; empty until it is read.
  package var catalog = Catalog.empty

  /// The filter and the search.
  package var view = MoviesView.nothing

  /// No catalogue yet.
  package init() {}

  /// The movies that are looked at, in order. Costs one pass over the catalogue.
  package func visible(isFavorite: (Movie.ID) -> Bool) -> [Movie] {
    switch view {
    case .nothing: return []
    case .list(let filter): return filter.movies(of: catalog.movies, isFavorite: isFavorite)
    case .search: return searchResult.movies
    case .movie(let id): return catalog[id].map { [$0] } ?? []
    }
  }

  /// What the search that is looked at finds; nothing when something else is. Costs one pass over the catalogue, and a second one
  /// when no title has every word.
  package var searchResult: MovieSearch.Result {
    guard case .search(let words, let limit) = view else { return MovieSearch.Result() }
    var result = MovieSearch(words).result(in: catalog.movies)
    if let limit { result.movies = Array(result.movies.prefix(limit)) }
    return result
  }

  /// Why the catalogue could not be read.
  package var failure: CatalogError? {
    if case .failed(let error) = phase { error } else { nil }
  }
}

/// The filter and the search of the catalogue.
package enum MoviesView: Codable, Hashable, Sendable {
  /// Nothing yet.
  case nothing
  /// The movies that pass a filter.
  case list(MovieFilter)
  /// The movies whose titles contain the words.
  case search([String], limit: Int?)
  /// One movie.
  case movie(Movie.ID)
}
