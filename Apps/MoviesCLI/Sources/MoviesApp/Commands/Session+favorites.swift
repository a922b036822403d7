import ReeluxCore
import ReeluxFavorites

extension Session {
  /// `favorite add`, `favorite remove` and `favorite toggle`
  func favorite(_ change: FavoriteChange, _ ids: [Movie.ID]) async throws(CommandFailure) {
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
        ? FavoriteOutcome(refused: id, MessageText.unknownMovie(id, in: after.movies.catalog))
        : FavoriteOutcome(of: id, in: after)
    }
    console.write(
      json
        ? FavoriteText.json(outcomes)
        : FavoriteText.lines(outcomes, catalog: after.movies.catalog, style: console.style), flush: true)
    try report(outcomes)
  }

  /// `favorite list`
  func favoriteList() async throws(CommandFailure) {
    var filter = MovieFilter()
    filter.favoritesOnly = true
    try await list(filter)
    let state = store.state
    let strangers = state.favorites.ids.filter { state.movies.catalog[$0] == nil }
    if !strangers.isEmpty {
      console.note("not in \(state.movies.catalog.name): \(strangers.joined(separator: ", "))")
    }
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
