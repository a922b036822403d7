package import ReeluxFavorites
package import ReeluxLocation

/// Everything that can happen in the app.
package enum AppAction: Codable, Equatable, Sendable {
  /// Something about the catalogue.
  case movies(MoviesAction)
  /// Something about favourites.
  case favorites(FavoritesAction<Movie.ID>)
  /// Something about the location.
  case location(LocationAction)
  /// Something about cinemas.
  case cinemas(CinemasAction)
}
