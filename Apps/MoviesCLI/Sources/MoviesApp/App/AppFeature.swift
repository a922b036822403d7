package import ReeluxCore
package import ReeluxFavorites
package import ReeluxLocation
import ReeluxLocationSimulation

extension AppDependencies {
  /// The app, composed: one line a feature.
  package var app: Feature<AppAction, AppState> {
    Feature<AppAction, AppState> {
      Feature.movies(from: catalogs).lift(action: .movies, state: \.movies)
      if missing != .favorites {
        Feature.favorites(api: favorites, policy: favoritesPolicy, chance: chance)
          .lift(action: .favorites, state: \.favorites)
      }
      if missing != .location { Feature.location(feed: locations).lift(action: .location, state: \.location) }
      Feature.cinemas.lift(action: .cinemas, state: \.cinemas)
      Feature.screen.lift(action: .screen, optional: \.screen)
      Feature(reducer: .walk)
      Feature.browse(clock: clock, setFailureRate: setFailureRate)
      onlookers
    }
  }
}

extension Reducer where Action == AppAction, State == AppState {
  /// The reducer that follows the location: each fix finds its nearest cinema.
  ///
  /// It stands after the location's own reducer, whose distance it reads.
  package static let walk = Reducer.partial { action, state in
    guard case .location(.response(.moved(let fixes))) = action, let last = fixes.last else { return false }
    // The distance is known at the last fix of the batch; from there it is counted back.
    var distance = state.location.position.distance
    var later = last
    var number = state.location.position.fixes
    var steps: [WalkStep] = []
    for fix in fixes.reversed() {
      distance -= fix.coordinate.distance(to: later.coordinate)
      steps.append(
        WalkStep(
          number: number, fix: fix, distance: max(0, distance),
          nearest: CinemaDistance.nearest(to: fix.coordinate, of: state.cinemas.cinemas)))
      later = fix
      number -= 1
    }
    state.cinemas.steps = steps.reversed()
    return true
  }

  /// The app's reducer alone, as a replay runs it: the outside is there in name only.
  package static var app: Reducer {
    AppDependencies(favorites: .mock(), locations: .simulated(BuiltInWalk.track, speed: .max)).app.reducer
  }
}

/// A feature that the app can do without.
package enum AppPart: String, CaseIterable, Sendable {
  /// Favourites.
  case favorites
  /// The location.
  case location
}

/// The services of the app. The program passes real ones, tests pass others.
package struct AppDependencies: Sendable {
  /// The source of catalogues.
  package var catalogs: CatalogSource

  /// The favourites server.
  package var favorites: FavoritesAPI<Movie.ID>

  /// The source of fixes.
  package var locations: LocationFeed

  /// The policy of the favourites: attempts, delays and limits.
  package var favoritesPolicy = FavoritesPolicy(attempts: 4, firstDelay: .milliseconds(50), growth: 2)

  /// Numbers from 0 to 1 for what is left to chance.
  package var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// The clock on which the full screen's search waits for the next key.
  package var clock: any Clock<Duration> = ContinuousClock()

  /// The feature that is left out, as `demo --without` asks for.
  package var missing: AppPart?

  /// Called with the share of requests, from 0 to 1, that the simulated favourites server shall refuse.
  package var setFailureRate: @Sendable (Double) -> Void = { _ in }

  /// Features that only observe: a logger, a recorder.
  package var onlookers: Feature<AppAction, AppState> = .identity

  /// Makes dependencies.
  package init(catalogs: CatalogSource = .files, favorites: FavoritesAPI<Movie.ID> = .mock(), locations: LocationFeed) {
    self.catalogs = catalogs
    self.favorites = favorites
    self.locations = locations
  }
}
