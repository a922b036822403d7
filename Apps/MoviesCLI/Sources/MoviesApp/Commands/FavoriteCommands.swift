import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `favorite add`
  static let favoriteAdd = favorite(
    .add, summary: "Make movies favourites.", example: "favorite add metropolis-1927 nosferatu-1922")

  /// `favorite remove`
  static let favoriteRemove = favorite(
    .remove, summary: "Make movies favourites no more.", example: "favorite remove metropolis-1927")

  /// `favorite toggle`
  static let favoriteToggle = favorite(
    .toggle, summary: "Turn each movie's favourite on or off.", example: "favorite toggle metropolis-1927")

  /// `favorite list`
  static let favoriteList = Command(
    "favorite list", options: [.json], summary: "List the favourites, in the order of the catalogue.",
    examples: ["favorite list"]
  ) { (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      var filter = MovieFilter()
      filter.favoritesOnly = true
      let session = context.session()
      try await session.list(filter, json: arguments.has("--json"))
      let state = session.store.state
      let strangers = state.favorites.ids.filter { state.movies.catalog[$0] == nil }
      if !strangers.isEmpty {
        context.console.note("not in \(state.movies.catalog.name): \(strangers.joined(separator: ", "))")
      }
    }
  }

  private static func favorite(_ change: FavoriteChange, summary: String, example: String) -> Command {
    Command(
      "favorite \(change)", .many("ID"), options: [.json], summary: summary,
      details: """
        A favourite is saved by a simulated server that keeps its file in the data directory. One that the server refuses
        after all attempts is not kept, is reported, and makes the exit code 1.
        """,
      examples: [example]
    ) { (arguments) throws(UsageError) in
      { (context) async throws(CommandFailure) in
        try await context.session().favorite(change, arguments.words, json: arguments.has("--json"))
      }
    }
  }
}

extension Session {
  fileprivate func favorite(_ change: FavoriteChange, _ ids: [Movie.ID], json: Bool) async throws(CommandFailure) {
    try await load()
    if change == .toggle { try requireFavorites() }
    let before = store.state
    let refused = Set(ids.filter { !Self.mayChange($0, change, in: before) })
    let wishes = ids.filter { !refused.contains($0) }.map { id in
      switch change {
      case .add: store.dispatch(.favorites(.add(id)))
      case .remove: store.dispatch(.favorites(.remove(id)))
      case .toggle: store.dispatch(.favorites(.toggle(id)))
      }
    }
    for wish in wishes { await wish.finish() }

    let after = store.state
    let outcomes = ids.map { id in
      refused.contains(id)
        ? FavoriteOutcome(refused: id, MovieText.unknown(id, in: after.movies.catalog))
        : FavoriteOutcome(of: id, in: after)
    }
    console.write(
      json
        ? FavoriteText.json(outcomes)
        : FavoriteText.lines(outcomes, catalog: after.movies.catalog, style: console.style), flush: true)
    try report(outcomes)
  }

  /// Whether a wish makes sense: the movie exists, or is at least a favourite that can go.
  private static func mayChange(_ id: Movie.ID, _ change: FavoriteChange, in state: AppState) -> Bool {
    state.movies.catalog[id] != nil || (change != .add && state.favorites.contains(id))
  }

  /// Tells each failure; the last line becomes the command's own failure.
  private func report(_ outcomes: [FavoriteOutcome]) throws(CommandFailure) {
    let failed = outcomes.filter { $0.status == .failed }
    guard let last = failed.last else { return }
    for outcome in failed.dropLast() { console.report(Self.message(outcome)) }
    let exitCode: ExitCode = failed.contains { $0.exitCode == .inputOutput } ? .inputOutput : .failed
    throw CommandFailure(Self.message(last), exitCode)
  }

  private static func message(_ outcome: FavoriteOutcome) -> String {
    let error = outcome.error ?? "failed"
    return error.contains("'\(outcome.id)'") ? error : "\(outcome.id): \(error)"
  }
}

/// A change of a favourite.
package enum FavoriteChange: String, Codable, CaseIterable, Hashable, Sendable {
  /// Becomes a favourite.
  case add
  /// Is one no more.
  case remove
  /// Becomes one if it is none, and the other way round.
  case toggle
}

/// What became of a wish about a favourite.
package struct FavoriteOutcome: Hashable, Sendable {
  /// How it ended.
  package enum Status: String, Sendable {
    /// It is a favourite.
    case added
    /// It is none.
    case removed
    /// It is as it was.
    case failed
  }

  /// The movie.
  package let id: Movie.ID

  /// How it ended.
  package let status: Status

  /// Why it failed.
  package let error: String?

  /// The exit code that it asks for.
  package let exitCode: ExitCode

  /// A wish that was not even tried.
  package init(refused id: Movie.ID, _ error: String) {
    self.id = id
    self.status = .failed
    self.error = error
    self.exitCode = .failed
  }

  /// The outcome of a wish that is not under way any more.
  package init(of id: Movie.ID, in state: AppState) {
    let failure = state.favorites.failure(of: id)
    self.id = id
    self.status = failure != nil ? .failed : state.favorites.contains(id) ? .added : .removed
    self.error = failure?.reason
    self.exitCode = failure.map { $0.kind == .storage ? .inputOutput : .failed } ?? .done
  }
}

/// Outcomes of wishes about favourites, as text and as JSON.
package enum FavoriteText {
  /// A line for each wish that was fulfilled.
  package static func lines(
    _ outcomes: [FavoriteOutcome], catalog: Catalog, style: TextStyle = TextStyle()
  ) -> String {
    outcomes.reduce("") { text, outcome in
      guard outcome.status != .failed else { return text }
      let movie = catalog[outcome.id]
      let year = movie?.year.map { " (\($0))" } ?? ""
      let name = movie.map { "  \($0.title)\(year)" } ?? ""
      let mark = outcome.status == .added ? style.emphasized(MovieText.mark, .favorite) : " "
      let rest = "  \(TextWidth.padded(outcome.status.rawValue, to: 7))  " + TextStyle.harmless(outcome.id + name)
      return text + mark + (style.width.map { TextWidth.shortened(rest, to: max(0, $0 - 1)) } ?? rest) + "\n"
    }
  }

  /// All wishes as a JSON array.
  package static func json(_ outcomes: [FavoriteOutcome]) -> String {
    JSONText.array(
      outcomes.map { outcome in
        let error: [(String, JSONText.Value)] = outcome.error.map { [("error", .string($0))] } ?? []
        return .object([("id", .string(outcome.id)), ("status", .string(outcome.status.rawValue))] + error)
      })
  }
}
