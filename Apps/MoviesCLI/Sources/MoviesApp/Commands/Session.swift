package import ReeluxCore
import ReeluxFavorites

/// One run of a command: a store and a console. A command dispatches, waits, and shows the state; it keeps nothing itself.
package struct Session: Sendable {
  /// The store that everything goes through.
  package let store: Store<AppAction, AppState>

  /// Where the command writes.
  package let console: Console

  /// The options that every command takes.
  package let options: GlobalOptions

  /// Whether data are printed as JSON.
  package let json: Bool

  /// The walk that the location feed follows.
  package let walk: Walk

  /// What the store's actions are told to, in the demo.
  package let narrator: Narrator

  /// Makes a session.
  package init(
    store: Store<AppAction, AppState>, console: Console, options: GlobalOptions, json: Bool, walk: Walk,
    narrator: Narrator
  ) {
    self.store = store
    self.console = console
    self.options = options
    self.json = json
    self.walk = walk
    self.narrator = narrator
  }

  /// Does what was asked.
  package func run(_ command: Invocation.Command) async throws(CommandFailure) {
    switch command {
    case .list(let filter): try await list(filter)
    case .search(let words, let limit): try await search(words, limit: limit)
    case .show(let id): try await show(id)
    case .favorite(let change, let ids): try await favorite(change, ids)
    case .favoriteList: try await favoriteList()
    case .track: try await track()
    case .nearby(let place, let radius): try await nearby(at: place, radius: radius)
    case .demo: try await demo()
    // A script runs its lines each in a session of its own.
    case .script: break
    case .settings(let settings):
      console.write(json ? SettingsText.json(settings) : SettingsText.table(settings, style: console.style))
    case .completions(let shell): console.write(CommandLineDescription.movies.completions(for: shell))
    case .manualPage: console.write(CommandLineDescription.movies.manualPage(version: Program.version))
    case .replay(let request): try Replay(request: request, console: console, json: json).run()
    case .report(let file, let output): try Report(file: file, output: output, console: console).run()
    }
  }

  /// Reads the catalogue and then the favourites: one after the other, so that every run takes the same actions.
  func load() async throws(CommandFailure) {
    let progress = store.select(\.movies.phase).subscribe { [console] phase in
      if case .reading(let bytes) = phase, bytes > 0 { console.progress?.show("reading: \(bytes >> 20) MB") }
    }
    await store.dispatch(.movies(.load(file: options.catalog))).finish()
    progress.cancel()
    console.progress?.clear()
    if let failure = store.state.movies.failure { throw CommandFailure(failure) }
    for note in store.state.movies.catalog.notes { console.note(note) }

    await store.dispatch(.favorites(.load)).finish()
    for notice in store.state.favorites.notices { console.report(notice.message) }
    if !store.state.favorites.notices.isEmpty { store.dispatch(.favorites(.dismissNotices)) }
  }

  /// Tells when the favourites are not known.
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
}
