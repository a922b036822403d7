/// The catalogue and what of it is looked at.
package struct MoviesState: Codable, Hashable, Sendable {
  /// Where reading stands.
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

  /// What of it is looked at.
  package var view = MoviesView.nothing

  /// No catalogue yet.
  package init() {}

  /// The movies that are looked at, in order. Costs one pass over the catalogue.
  package func visible(isFavorite: (Movie.ID) -> Bool) -> [Movie] {
    switch view {
    case .nothing: return []
    case .list(let filter): return filter.movies(of: catalog.movies, isFavorite: isFavorite)
    case .search(let words, let limit):
      let found = MovieSearch.movies(matching: words, in: catalog.movies)
      return limit.map { Array(found.prefix($0)) } ?? found
    case .movie(let id): return catalog[id].map { [$0] } ?? []
    }
  }

  /// Why the catalogue could not be read.
  package var failure: CatalogError? {
    if case .failed(let error) = phase { error } else { nil }
  }
}
