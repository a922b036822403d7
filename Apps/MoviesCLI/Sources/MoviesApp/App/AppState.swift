package import Favorites
package import Location

/// Everything that the app knows.
package struct AppState: Codable, Equatable, Sendable {
  /// The catalogue and what of it is looked at.
  package var movies = MoviesState()

  /// The favourites, as the server has them and as they are wished.
  package var favorites = FavoritesState<Movie.ID>()

  /// The app before its first action.
  package init() {}

  /// The movies that are looked at.
  package var visibleMovies: [Movie] { movies.visible(isFavorite: favorites.contains) }
}
