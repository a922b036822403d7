package import ReeluxCore
package import ReeluxFavorites
package import ReeluxLocation

/// What the app needs from outside; the program fills it in, tests replace it.
package struct AppDependencies: Sendable {
  /// Where catalogues come from.
  package var catalogs: CatalogSource

  /// The favourites server.
  package var favorites: FavoritesAPI<Movie.ID>

  /// Where fixes come from.
  package var locations: LocationFeed

  /// How often favourites are tried, and how long the pauses are.
  package var favoritesPolicy = FavoritesPolicy(attempts: 4, firstPause: .milliseconds(50), growth: 2)

  /// Numbers from 0 to 1 for what is left to chance.
  package var chance: @Sendable () -> Double = { Double.random(in: 0...1) }

  /// What looks on: a logger, a recorder.
  package var onlookers: Feature<AppAction, AppState> = .identity

  /// Makes dependencies.
  package init(catalogs: CatalogSource = .files, favorites: FavoritesAPI<Movie.ID> = .mock(), locations: LocationFeed) {
    self.catalogs = catalogs
    self.favorites = favorites
    self.locations = locations
  }
}
