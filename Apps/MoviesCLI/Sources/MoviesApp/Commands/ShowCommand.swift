import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `show`
  static let show = Command(
    "show", .one("ID", .movie), options: [.json], summary: "Show one movie.", examples: ["show metropolis-1927"]
  ) { (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      let id = arguments.first
      let session = try context.session()
      try await session.load()
      await session.store.dispatch(.movies(.look(.movie(id)))).reduced()
      let state = session.store.state
      guard let movie = state.visibleMovies.first else {
        throw CommandFailure(MovieText.unknown(id, in: state.movies.catalog), .failed)
      }
      session.noteUnknownFavorites()
      context.console.write(
        arguments.has("--json")
          ? MovieText.listing(isFavorite: state.favorites.contains).json(movie) + "\n"
          : MovieText.details(movie, isFavorite: state.favorites.contains(id), style: context.console.style))
    }
  }
}
