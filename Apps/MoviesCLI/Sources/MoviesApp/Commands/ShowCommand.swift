import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `show`
  static let show = Command(
    "show", .one("ID"), options: [.json], summary: "Show one movie.", examples: ["show metropolis-1927"]
  ) { (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      let id = arguments.first
      let session = context.session()
      try await session.load()
      session.store.dispatch(.movies(.look(.movie(id))))
      let state = session.store.state
      guard let movie = state.visibleMovies.first else {
        throw CommandFailure(MovieText.unknown(id, in: state.movies.catalog), .failed)
      }
      session.noteUnknownFavorites()
      let isFavorite = state.favorites.contains(id)
      context.console.write(
        arguments.has("--json")
          ? MovieText.json(movie, isFavorite: isFavorite)
          : MovieText.details(movie, isFavorite: isFavorite, style: context.console.style))
    }
  }
}
