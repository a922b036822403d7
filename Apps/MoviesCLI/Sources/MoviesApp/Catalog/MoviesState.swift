/// The catalogue, and the filter or search that selects from it.
package struct MoviesState: Codable, Equatable, Sendable {
  /// The phase of reading.
  package enum Phase: Codable, Hashable, Sendable {
    /// No catalogue was requested.
    case idle
    /// A catalogue is being read; this number of bytes has been read.
    case reading(bytes: Int)
    /// The catalogue has been read.
    case ready
    /// The catalogue could not be read.
    case failed(CatalogError)
  }

  /// The current phase of reading.
  package var phase = Phase.idle

  /// The catalogue; empty until it is read.
  package var catalog = Catalog.empty

  /// The filter, the search or the movie that is shown.
  package var view = MoviesView.nothing

  package init() {}

  /// The movies that the view selects, in order. Costs one pass over the catalogue, and a sort if the list has an
  /// order. For a search, see ``searchResult``.
  package func visible(isFavorite: (Movie.ID) -> Bool) -> Movies {
    switch view {
    case .nothing: return []
    case .list(let filter): return filter.movies(of: catalog.movies, isFavorite: isFavorite)
    case .search: return searchResult.movies
    case .movie(let id): return catalog[id].map { [$0] } ?? []
    }
  }

  /// The result of the search; empty if the view is not a search. Costs one pass over the catalogue, a second one if no
  /// title contains every word, and a third one for suggestions if the second one finds nothing.
  package var searchResult: MovieSearch.Result {
    guard case .search(let words, let limit) = view else { return MovieSearch.Result() }
    return MovieSearch(words).result(in: catalog.movies, limit: limit)
  }

  /// The failure to read the catalogue, if any.
  package var failure: CatalogError? {
    if case .failed(let error) = phase { error } else { nil }
  }
}

/// A selection of movies.
package enum MoviesView: Codable, Hashable, Sendable {
  /// No movies.
  case nothing
  /// The movies that pass a filter.
  case list(MovieFilter)
  /// The movies whose titles contain the words.
  case search([String], limit: Int?)
  /// One movie.
  case movie(Movie.ID)
}
