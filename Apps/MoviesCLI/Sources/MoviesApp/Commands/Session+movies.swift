import ReeluxCore
import ReeluxFavorites

extension Session {
  /// `list`
  func list(_ filter: MovieFilter) async throws(CommandFailure) {
    try await load()
    if filter.favoritesOnly { try requireFavorites() } else { noteUnknownFavorites() }
    store.dispatch(.movies(.look(.list(filter))))
    showMovies()
    let catalog = store.state.movies.catalog
    if let genre = filter.genre, let suggestion = GenreList.suggestion(for: genre, in: catalog.movies) {
      console.note(suggestion)
    }
  }

  /// `search`
  func search(_ words: [String], limit: Int?) async throws(CommandFailure) {
    try await load()
    noteUnknownFavorites()
    store.dispatch(.movies(.look(.search(words, limit: limit))))
    showMovies()
  }

  /// `show`
  func show(_ id: Movie.ID) async throws(CommandFailure) {
    try await load()
    store.dispatch(.movies(.look(.movie(id))))
    let state = store.state
    guard let movie = state.visibleMovies.first else {
      throw CommandFailure(MessageText.unknownMovie(id, in: state.movies.catalog), .failed)
    }
    noteUnknownFavorites()
    let isFavorite = state.favorites.contains(id)
    console.write(
      json
        ? MovieText.json(movie, isFavorite: isFavorite)
        : MovieText.details(movie, isFavorite: isFavorite, style: console.style))
  }

  /// The movies that the state looks at, and how many they are.
  private func showMovies() {
    let state = store.state
    let movies = state.visibleMovies
    let isFavorite = state.favorites.contains
    console.write(
      json
        ? MovieText.json(movies, isFavorite: isFavorite)
        : MovieText.table(movies, isFavorite: isFavorite, style: console.style))
    if console.isInteractive, !json {
      let all = Prose.count(state.movies.catalog.movies.count, "movie")
      console.note("\(Prose.grouped(movies.count)) of \(all), \(state.movies.catalog.name)")
    }
  }
}
