package import ReeluxCore
package import ReeluxFavorites
package import ReeluxLocation

/// The state of the app.
package struct AppState: Codable, Equatable, Sendable {
  /// The catalogue, and the filter or search that selects from it.
  package var movies = MoviesState()

  /// The favourites: the confirmed ones and the intents.
  package var favorites = FavoritesState<Movie.ID>()

  /// The location, and the location services that are wanted.
  package var location = LocationState()

  /// The cinemas, and the steps of the walk past them.
  package var cinemas = CinemasState()

  /// The full screen; `nil` while it is closed.
  package var screen: ScreenState?

  /// Creates the state of an app that has processed no action.
  package init() {}

  /// The movies that the filter or the search selects.
  package var visibleMovies: Movies { movies.visible(isFavorite: favorites.contains) }

  /// Whether a movie is a favourite; `nil` if the favourites could not be read.
  package func isFavorite(_ id: Movie.ID) -> Bool? {
    favorites.load.failure == nil && favorites.notices.isEmpty ? favorites.contains(id) : nil
  }
}

/// The actions of the app.
package enum AppAction: Codable, Equatable, Sendable {
  /// An action of the catalogue.
  case movies(MoviesAction)
  /// An action of the favourites.
  case favorites(FavoritesAction<Movie.ID>)
  /// An action of the location.
  case location(LocationAction)
  /// An action of the cinemas.
  case cinemas(CinemasAction)
  /// An action of the full screen.
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
