package import ReeluxCore
import ReeluxFavorites
import ReeluxLocation

extension AppDependencies {
  /// The app, composed: one line a feature.
  package var app: Feature<AppAction, AppState> {
    Feature<AppAction, AppState> {
      Feature.movies(from: catalogs).lift(action: .movies, state: \.movies)
      Feature.favorites(api: favorites, policy: favoritesPolicy, chance: chance)
        .lift(action: .favorites, state: \.favorites)
      Feature.location(feed: locations).lift(action: .location, state: \.location)
      Feature.cinemas.lift(action: .cinemas, state: \.cinemas)
      Feature.walk
      onlookers
    }
  }
}

extension Reducer where Action == AppAction, State == AppState {
  /// The app's reducer alone, as a replay runs it: the outside is there in name only.
  package static var app: Reducer {
    AppDependencies(favorites: .mock(), locations: .simulated(BuiltInWalk.track, speed: .max)).app.reducer
  }
}
