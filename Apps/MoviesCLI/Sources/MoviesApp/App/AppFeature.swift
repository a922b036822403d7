package import Core
import Favorites
import Location

extension Feature where Action == AppAction, State == AppState {
  /// The app: one line a feature.
  package static func app(_ outside: AppDependencies) -> Feature {
    Feature {
      Feature<MoviesAction, MoviesState>.movies(from: outside.catalogs)
        .lift(action: .movies, state: \.movies)
      Feature<FavoritesAction<Movie.ID>, FavoritesState<Movie.ID>>
        .favorites(api: outside.favorites, policy: outside.favoritesPolicy, chance: outside.chance)
        .lift(action: .favorites, state: \.favorites)
      Feature<LocationAction, LocationState>.location(feed: outside.locations)
        .lift(action: .location, state: \.location)
      Feature<CinemasAction, CinemasState>.cinemas
        .lift(action: .cinemas, state: \.cinemas)
      Feature.walk
      outside.onlookers
    }
  }
}
