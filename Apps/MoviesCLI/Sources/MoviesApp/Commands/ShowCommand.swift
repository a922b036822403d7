import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `show`
  static let show = Command(
    "show", .one("ID", .movie), options: [.json], summary: "Show one movie.",
    details: "If the favourites cannot be read, 'favorite' is null in JSON.", examples: ["show metropolis-1927"]
  ) { (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      let id = arguments.first
      let session = try context.session()
      try await session.load(favorites: .shown)
      await session.store.dispatch(.movies(.show(.movie(id)))).reduced()
      let state = session.store.state
      guard let movie = state.visibleMovies.first else {
        let message = session.withProgress(through: state.movies.catalog) {
          MovieText.unknown(id, in: state.movies.catalog)
        }
        throw CommandFailure(message, .failed)
      }
      context.console.write { style in
        arguments.has("--json")
          ? MovieText.listing(isFavorite: state.isFavorite).json(movie) + "\n"
          : MovieText.details(movie, isFavorite: state.isFavorite(id), style: style)
      }
    }
  }
}
