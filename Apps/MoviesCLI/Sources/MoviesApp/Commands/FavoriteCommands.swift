import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `favorite add`
  static let favoriteAdd = favorite(
    .add, summary: "Add movies to the favourites.", example: "favorite add metropolis-1927 nosferatu-1922")

  /// `favorite remove`
  static let favoriteRemove = favorite(
    .remove, summary: "Remove movies from the favourites.", example: "favorite remove metropolis-1927")

  /// `favorite toggle`
  static let favoriteToggle = favorite(
    .toggle, summary: "Add each movie to the favourites, or remove it if it is one.",
    example: "favorite toggle metropolis-1927")

  /// `favorite list`
  static let favoriteList = Command(
    "favorite list", options: [.format, .json], summary: "List the favourites, in the order of the catalogue.",
    examples: ["favorite list"]
  ) { (arguments) throws(UsageError) in
    let format = try arguments.format()
    return { (context) async throws(CommandFailure) in
      var filter = MovieFilter()
      filter.favoritesOnly = true
      try await context.session().list(filter, as: format)
    }
  }

  private static func details(of change: FavoriteChange) -> String {
    switch change {
    case .add:
      " If the favourites cannot be loaded, the command sends every movie to the server. It then reports 'added' also "
        + "for a movie that was a favourite already."
    case .remove: ""
    case .toggle:
      " The command decides from the favourites that it loads at its start. Two commands that run at the same time may "
        + "both add a movie."
    }
  }

  private static func favorite(_ change: FavoriteChange, summary: String, example: String) -> Command {
    Command(
      "favorite \(change)", .many("ID", .movie), options: [.json], summary: summary,
      details: """
        A simulated server saves the favourites in the data directory, in one file for each catalogue. All
        catalogues from standard input and pipes share one file. If a change fails, the command undoes it, reports it
        and exits with code 1, or with 74 if the favourites could not be written. If the file is damaged, the first
        change renames it and starts a new file. The command then reports the new name of the damaged file and exits
        with code 65, although the change is saved. In JSON, 'status' is added, already, removed, 'was none' or failed;
        a failed one has an 'error'.
        """ + Self.details(of: change),
      examples: [example]
    ) { (arguments) throws(UsageError) in
      var ids: OrderedIDs<Movie.ID> = []
      for id in arguments.words where !ids.append(id) && change == .toggle {
        throw arguments.error("names '\(id)' twice")
      }
      return { [ids = Array(ids)] (context) async throws(CommandFailure) in
        try await context.session().favorite(
          change, ids, file: context.favoritesPath, json: arguments.has("--json"))
      }
    }
  }
}

/// A change of a favourite.
private enum FavoriteChange: String {
  /// Make the movie a favourite.
  case add
  /// Remove it from the favourites.
  case remove
  /// Add it if it is not a favourite, and remove it if it is.
  case toggle
}

/// The outcome of an intent about a favourite.
private struct FavoriteOutcome {
  /// The result for one movie.
  enum Status: String {
    /// The movie was added.
    case added
    /// The movie was a favourite already.
    case already
    /// The movie was removed.
    case removed
    /// The movie was not a favourite.
    case wasNone = "was none"
    /// The favourite could not be changed.
    case failed
  }

  var id: Movie.ID
  var status: Status
  /// The status in text. JSON has the raw value.
  var words: String {
    switch status {
    case .added, .removed, .failed: status.rawValue
    case .already: "already a favourite"
    case .wasNone: "was not a favourite"
    }
  }
  /// The reason for a failure.
  var error: String?
  /// The exit code for this outcome.
  var exitCode = ExitCode.done
}

extension Session {
  fileprivate func favorite(
    _ change: FavoriteChange, _ ids: [Movie.ID], file: String, json: Bool
  ) async throws(CommandFailure) {
    try await load(favorites: .changed)
    // If the favourites are unknown, the command cannot determine whether a removal or a toggle changes anything.
    if change != .add { try requireFavorites() }
    let before = store.state
    let file = DamagedFile(file)
    // These outcomes need no server: unknown movies, and movies that already have the desired value.
    var outcomes: [Movie.ID: FavoriteOutcome] = [:]
    var unknown = 0
    for id in ids {
      outcomes[id] = decided(id, change, in: before, suggests: unknown < Self.suggestions)
      if outcomes[id]?.status == .failed { unknown += 1 }
    }
    let asked = ids.filter { outcomes[$0] == nil }
    interruption.set { [store] in ([], Self.unconfirmedChanges(in: store.state)) }
    let requests = asked.map { id in
      switch change {
      case .add: store.dispatch(.favorites(.add(id)))
      case .remove: store.dispatch(.favorites(.remove(id)))
      case .toggle: store.dispatch(.favorites(.toggle(id)))
      }
    }
    for (place, request) in requests.enumerated() {
      let name = MovieText.name(of: asked[place], in: before.movies.catalog)
      console.progress?.show("saving: \(name)" + (asked.count > 1 ? " (\(place + 1) of \(asked.count))" : ""))
      await request.finish()
    }
    console.progress?.clear()

    let after = store.state
    for id in asked { outcomes[id] = Self.answered(id, in: after) }
    let all = ids.compactMap { outcomes[$0] }
    console.write(flush: true) { json ? Self.json(all) : lines(all, after.movies.catalog, $0) }
    reportNotices(of: file)
    try report(all)
  }

  /// The largest number of unknown movies with a suggestion. Each suggestion costs a pass over the catalogue.
  private static let suggestions = 3

  private func decided(
    _ id: Movie.ID, _ change: FavoriteChange, in state: AppState, suggests: Bool
  ) -> FavoriteOutcome? {
    let isFavorite = state.favorites.contains(id)
    // A favourite can be removed even if the catalogue no longer has the movie.
    guard state.movies.catalog[id] != nil || (change != .add && isFavorite) else {
      let error = withProgress(through: state.movies.catalog) {
        MovieText.unknown(id, in: suggests ? state.movies.catalog : .empty)
      }
      return FavoriteOutcome(id: id, status: .failed, error: error, exitCode: .failed)
    }
    guard state.favorites.load.failure == nil else { return nil }
    return switch (change, isFavorite) {
    case (.add, true): FavoriteOutcome(id: id, status: .already)
    case (.remove, false): FavoriteOutcome(id: id, status: .wasNone)
    default: nil
    }
  }

  private static func answered(_ id: Movie.ID, in state: AppState) -> FavoriteOutcome {
    guard let failure = state.favorites.failure(of: id) else {
      return FavoriteOutcome(id: id, status: state.favorites.contains(id) ? .added : .removed)
    }
    return FavoriteOutcome(
      id: id, status: .failed, error: MovieText.failedChange(of: id, failure, in: state),
      exitCode: failure.kind == .storage ? .inputOutput : .failed)
  }

  /// A line for each movie that has the desired value.
  private func lines(_ outcomes: [FavoriteOutcome], _ catalog: Catalog, _ style: TextStyle) -> String {
    let width = outcomes.map(\.words.count).reduce(8, max)
    return outcomes.reduce(into: "") { text, outcome in
      guard outcome.status != .failed else { return }
      let isFavorite = outcome.status == .added || outcome.status == .already
      let mark = isFavorite ? style.emphasized(MovieText.mark, .favorite) : " "
      let name = catalog[outcome.id] == nil ? "" : "  " + MovieText.name(of: outcome.id, in: catalog)
      let status = TextWidth.padded(outcome.words, to: width)
      let rest = "  \(status)  " + TextStyle.harmless(outcome.id + name)
      text += mark + style.fitted(rest, after: 1) + "\n"
    }
  }

  private static func json(_ outcomes: [FavoriteOutcome]) -> String {
    JSONOutput.array(
      outcomes.map { outcome in
        let error: [(String, JSONOutput.Value)] = outcome.error.map { [("error", .string($0))] } ?? []
        return .object([("id", .string(outcome.id)), ("status", .string(outcome.status.rawValue))] + error)
      })
  }

  /// Prints all failures but the last, which becomes the command's own failure.
  private func report(_ outcomes: [FavoriteOutcome]) throws(CommandFailure) {
    let messages = outcomes.compactMap(\.error)
    guard let last = messages.last else { return }
    for message in messages.dropLast() { console.report(message) }
    throw CommandFailure(last, outcomes.contains { $0.exitCode == .inputOutput } ? .inputOutput : .failed)
  }
}
