package import ReeluxFavorites
package import ReeluxLocation

/// Everything that the app knows.
package struct AppState: Codable, Equatable, Sendable {
  /// The catalogue and what of it is looked at.
  package var movies = MoviesState()

  /// The favourites, as the server has them and as they are wished.
  package var favorites = FavoritesState<Movie.ID>()

  /// Where one is, and which location services are wanted.
  package var location = LocationState()

  /// The cinemas, and the way to them.
  package var cinemas = CinemasState()

  /// The app before its first action.
  package init() {}

  /// The movies that are looked at.
  package var visibleMovies: [Movie] { movies.visible(isFavorite: favorites.contains) }
}
