package import ReeluxCore
package import ReeluxFavorites
package import ReeluxLocation
import ReeluxLocationSimulation

extension AppDependencies {
  /// The app's features in their order, one line for each.
  package var app: Feature<AppAction, AppState> {
    Feature<AppAction, AppState> {
      Feature.movies(from: catalogs).lift(action: .movies, state: \.movies)
      if !missing.contains(.favorites) {
        Feature.favorites(api: favorites, policy: favoritesPolicy, chance: chance)
          .lift(action: .favorites, state: \.favorites)
      }
      Feature(reducer: .walk)
      if !missing.contains(.location) { Feature.location(feed: locations).lift(action: .location, state: \.location) }
      Feature.cinemas.lift(action: .cinemas, state: \.cinemas)
      Feature.screen.lift(action: .screen, optional: \.screen)
      Feature.browse(clock: clock, setFailureRate: setFailureRate)
      onlookers
    }
  }
}

extension Reducer where Action == AppAction, State == AppState {
  /// The reducer that follows the location. It finds the nearest cinema for each fix.
  ///
  /// It runs before the location's own reducer. It starts with the position before the batch, and computes the distance
  /// at each fix in the same way as that reducer.
  package static let walk = Reducer.partial { action, state in
    guard case .location(.response(.moved(let fixes))) = action, !fixes.isEmpty else { return false }
    var position = state.location.position
    state.cinemas.steps = fixes.map { fix in
      position.append(fix)
      return WalkStep(
        number: position.fixes, fix: fix, distance: position.distance,
        nearest: CinemaDistance.nearest(to: fix.coordinate, of: state.cinemas.cinemas))
    }
    return true
  }

  /// The app's reducer alone, as a replay runs it. Its services are never called.
  package static let app =
    AppDependencies(favorites: .mock(), locations: .simulated(BuiltInWalk.track, speed: .max)).app.reducer
}

/// A feature that can be left out of the app.
package enum AppPart: String, CaseIterable, Sendable {
  /// Favourites.
  case favorites
  /// The location.
  case location
}

/// The services of the app. The program passes simulated ones, tests pass others.
package struct AppDependencies: Sendable {
  /// The source of catalogues.
  package var catalogs: CatalogSource

  /// The favourites server.
  package var favorites: FavoritesAPI<Movie.ID>

  /// The source of fixes.
  package var locations: LocationFeed

  /// The policy of the favourites: attempts, delays and limits.
  package var favoritesPolicy = favoritesPolicy(latency: .zero)

  /// The source of random numbers from 0 to 1.
  package var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// The clock on which the full screen's search waits for the next key.
  package var clock: any Clock<Duration> = ContinuousClock()

  /// The features that are left out. `demo --without` sets them.
  package var missing: Set<AppPart> = []

  /// A closure that receives the share of requests, from 0 to 1, that the simulated favourites server refuses.
  package var setFailureRate: @Sendable (Double) -> Void = { _ in }

  /// Features that observe the actions and change nothing: a logger, a recorder.
  package var onlookers: Feature<AppAction, AppState> = .identity

  /// The policy for a server that takes this time for each request. Many changes at once are sent in few requests,
  /// because each request writes the whole file.
  package static func favoritesPolicy(latency: Duration) -> FavoritesPolicy {
    FavoritesPolicy(
      batch: 1_000, attempts: 4, timeLimit: latency + .seconds(30), backoff: Backoff(first: .milliseconds(50)))
  }

  package init(catalogs: CatalogSource = .files, favorites: FavoritesAPI<Movie.ID> = .mock(), locations: LocationFeed) {
    self.catalogs = catalogs
    self.favorites = favorites
    self.locations = locations
  }
}
