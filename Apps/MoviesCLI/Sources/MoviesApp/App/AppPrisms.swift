package import ReeluxCore
package import ReeluxFavorites
package import ReeluxLocation

extension Prism where Whole == AppAction, Part == MoviesAction {
  /// Actions of the catalogue.
  package static let movies = Prism(case: AppAction.movies) { if case .movies(let it) = $0 { it } else { nil } }
}

extension Prism where Whole == AppAction, Part == FavoritesAction<Movie.ID> {
  /// Actions of the favourites.
  package static let favorites = Prism(case: AppAction.favorites) {
    if case .favorites(let it) = $0 { it } else { nil }
  }
}

extension Prism where Whole == AppAction, Part == LocationAction {
  /// Actions of the location.
  package static let location = Prism(case: AppAction.location) { if case .location(let it) = $0 { it } else { nil } }
}

extension Prism where Whole == AppAction, Part == CinemasAction {
  /// Actions of the cinemas.
  package static let cinemas = Prism(case: AppAction.cinemas) { if case .cinemas(let it) = $0 { it } else { nil } }
}
