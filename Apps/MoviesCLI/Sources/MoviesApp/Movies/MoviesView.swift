/// What of the catalogue is looked at.
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
