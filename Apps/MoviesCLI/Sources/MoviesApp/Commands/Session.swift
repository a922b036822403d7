package import ReeluxCore
import ReeluxFavorites

/// One run on a store. A command dispatches, waits, and shows the state; it has no state of its
/// own.
package struct Session: Sendable {
  /// The store that everything goes through.
  package let store: Store<AppAction, AppState>

  /// Where the command writes.
  package let console: Console

  /// The options that every command takes.
  package let options: GlobalOptions

  /// The walk that the location feed follows.
  package let walk: Walk

  /// The problems that did not stop the command.
  let damage: Damage

  /// Reads the catalogue and then the favourites: one after the other, so that every run takes the same actions.
  func load() async throws(CommandFailure) {
    try await loadCatalog()
    await store.dispatch(.favorites(.load)).finish()
    for notice in store.state.favorites.notices {
      console.report(notice.message)
      damage.note(.badData)
    }
    if !store.state.favorites.notices.isEmpty { store.dispatch(.favorites(.dismissNotices)) }
  }

  /// Reads the catalogue alone.
  func loadCatalog() async throws(CommandFailure) {
    let progress = store.select(\.movies.phase).subscribe { [console] phase in
      if case .reading(let bytes) = phase, bytes > 0 { console.progress?.show("reading: \(bytes >> 20) MB") }
    }
    await store.dispatch(.movies(.load(file: options.catalog))).finish()
    progress.cancel()
    console.progress?.clear()
    if let failure = store.state.movies.failure { throw CommandFailure(failure) }
    let catalog = store.state.movies.catalog
    for note in catalog.notes { console.note(note) }
    if catalog.movies.isEmpty { console.note("\(catalog.name): there are no movies in it") }
  }

  /// Prints a warning if the favourites are not known.
  func noteUnknownFavorites() {
    guard let failure = store.state.favorites.load.failure else { return }
    console.report("favourites are unknown: \(failure.reason)")
  }

  /// The failure of a command that cannot do without the favourites.
  func requireFavorites() throws(CommandFailure) {
    guard let failure = store.state.favorites.load.failure else { return }
    throw CommandFailure(
      "favourites are unknown: \(failure.reason)", failure.kind == .storage ? .inputOutput : .failed)
  }

  /// Does what takes a pass over the catalogue; a terminal shows it if the catalogue is large.
  func lookingThrough<Result>(_ catalog: Catalog, _ look: () -> Result) -> Result {
    let count = catalog.movies.count
    if count >= 100_000 { console.progress?.show("looking through \(Prose.count(count, "movie"))") }
    defer { console.progress?.clear() }
    return look()
  }

  /// Shows movies, and on a terminal how many they are.
  func show(_ movies: [Movie], of state: AppState, as format: OutputFormat) {
    MovieText.write(
      movies, as: format, isFavorite: state.favorites.contains, style: console.style, to: console.stream)
    if console.isInteractive, format == .table {
      let all = Prose.count(state.movies.catalog.movies.count, "movie")
      console.note("\(Prose.grouped(movies.count)) of \(all), \(state.movies.catalog.name)")
    }
  }

  /// Returns when the state is as it should be.
  func wait(until isReached: @escaping @Sendable (AppState) -> Bool) async {
    for await isReached in store.select(isReached).states where isReached { return }
  }
}
