package import ReeluxCore
package import ReeluxFavorites
package import ReeluxLocation

/// Everything that the app knows.
package struct AppState: Codable, Equatable, Sendable {
  /// The catalogue and what of it is looked at.
  package var movies = MoviesState()

  /// The favourites: the confirmed ones and the intents.
  package var favorites = FavoritesState<Movie.ID>()

  /// The location, and the wanted location services.
  package var location = LocationState()

  /// The cinemas, and the way to them.
  package var cinemas = CinemasState()

  /// The full screen; `nil` unless it is open.
  package var screen: ScreenState?

  /// The app before its first action.
  package init() {}

  /// The movies that are looked at.
  package var visibleMovies: [Movie] { movies.visible(isFavorite: favorites.contains) }
}

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
  /// Something about the full screen.
  case screen(ScreenAction)
}

extension Prism<AppAction, MoviesAction> {
  /// Actions of the catalogue.
  package static let movies = Prism(case: AppAction.movies) { if case .movies(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, FavoritesAction<Movie.ID>> {
  /// Actions of the favourites.
  package static let favorites = Prism(case: AppAction.favorites) {
    if case .favorites(let it) = $0 { it } else { nil }
  }
}

extension Prism<AppAction, LocationAction> {
  /// Actions of the location.
  package static let location = Prism(case: AppAction.location) { if case .location(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, CinemasAction> {
  /// Actions of the cinemas.
  package static let cinemas = Prism(case: AppAction.cinemas) { if case .cinemas(let it) = $0 { it } else { nil } }
}

extension Prism<AppAction, ScreenAction> {
  /// Actions of the full screen.
  package static let screen = Prism(case: AppAction.screen) { if case .screen(let it) = $0 { it } else { nil } }
}
