import Foundation
package import ReeluxCore
import ReeluxFavorites

/// One command's run on a store. A command dispatches, waits and shows the state. It has no state of its own.
package struct Session: Sendable {
  /// The store that processes all actions of the command.
  package let store: Store<AppAction, AppState>

  /// The streams of the command.
  package let console: Console

  /// The options that every command takes.
  package let options: GlobalOptions

  /// The walk that the location feed follows.
  package let walk: Walk

  /// The problems that did not stop the command.
  let damage: Damage

  /// The messages that a signal prints before it ends the command.
  let interruption: Interruption

  /// How a command uses the favourites.
  enum FavoritesUse {
    /// The command shows them beside other facts. If they are unknown, it prints a note and continues.
    case shown
    /// The command lists them. A damaged file is an error.
    case needed
    /// The command changes them. It reports a damaged file after the change, which renames the file.
    case changed
  }

  /// Loads the catalogue and then the favourites. The fixed order gives every run the same actions.
  func load(favorites use: FavoritesUse) async throws(CommandFailure) {
    try await loadCatalog()
    if let latency = options.latency, latency > .zero { console.progress?.show("loading the favourites") }
    await store.dispatch(.favorites(.load)).finish()
    console.progress?.clear()
    if options.readsCatalogFromStream, use != .shown || !store.state.favorites.ids.isEmpty {
      console.note(
        "all catalogues from standard input and pipes share one file of favourites; --data-dir chooses another folder")
    }
    if use == .shown {
      for notice in store.state.favorites.notices { console.note(notice.message) }
      noteMissingFavorites()
      return
    }
    if use == .needed { reportNotices() }
  }

  /// Prints the notices about a damaged file of the favourites, which are errors, and dismisses them.
  ///
  /// - Parameter file: The file before the command's changes, one of which may have renamed it.
  func reportNotices(of file: DamagedFile? = nil) {
    let notices = store.state.favorites.notices
    guard !notices.isEmpty else { return }
    let renamed = file?.renamedMessage
    for notice in notices { console.report(renamed ?? notice.message) }
    damage.note(.badData)
    store.dispatch(.favorites(.dismissNotices))
  }

  /// A line for each change of the favourites that the server has not confirmed.
  static func unconfirmedChanges(in state: AppState) -> [String] {
    state.favorites.pending.map {
      "\(MovieText.name(of: $0, in: state.movies.catalog)): the server has not confirmed the change"
    }
  }

  /// Loads the catalogue alone.
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
    if catalog.movies.isEmpty { console.note("\(catalog.name): the catalogue has no movies") }
  }

  /// The failure if the favourites could not be loaded.
  private var unknownFavorites: CommandFailure? {
    store.state.favorites.load.failure.map { failure in
      CommandFailure(
        "the favourites could not be loaded: \(failure.reason)", failure.kind == .storage ? .inputOutput : .failed)
    }
  }

  /// Prints a note if the favourites could not be loaded.
  func noteMissingFavorites() {
    if let failure = unknownFavorites { console.note(failure.message) }
  }

  /// Throws if the favourites could not be loaded.
  func requireFavorites() throws(CommandFailure) {
    if let failure = unknownFavorites { throw failure }
  }

  /// Performs work that takes a pass over the catalogue. If the catalogue is large, a terminal shows that work is in
  /// progress.
  func withProgress<Result>(through catalog: Catalog, _ search: () -> Result) -> Result {
    let count = catalog.movies.count
    if count >= 100_000 { console.progress?.show("looking through \(Prose.count(count, "movie"))") }
    defer { console.progress?.clear() }
    return search()
  }

  /// Prints movies, and on a terminal their number after a table.
  func show(_ movies: Movies, of state: AppState, as format: OutputFormat) {
    // The widths of a table's columns depend on all rows.
    if format == .table, movies.count >= 100_000 {
      console.progress?.show("preparing a table of \(Prose.count(movies.count, "movie"))")
    }
    console.stream { style, write in
      MovieText.write(movies, as: format, isFavorite: state.isFavorite, style: style) { text in
        console.progress?.clear()
        return write(text)
      }
    }
    if format == .table {
      let all = Prose.count(state.movies.catalog.movies.count, "movie")
      console.noteOnTerminal("\(Prose.grouped(movies.count)) of \(all), \(state.movies.catalog.name)")
    }
  }

  /// Returns when the state fulfils a condition.
  func wait(until isReached: @escaping @Sendable (AppState) -> Bool) async {
    for await isReached in store.select(isReached).states where isReached { return }
  }
}

/// The file of the favourites before a command changes it, and the damaged files that earlier changes renamed.
struct DamagedFile {
  private let file: URL
  private let before: Set<String>

  init(_ path: String) {
    file = URL(filePath: path).resolvingSymlinksInPath()
    before = Self.renamed(beside: file)
  }

  /// The message about the file if a change has renamed it since.
  fileprivate var renamedMessage: String? {
    Self.renamed(beside: file).subtracting(before).first.map { name in
      "the favourites file '\(file.path)' was damaged. It was renamed to '\(name)'. Earlier favourites are only in that file"
    }
  }

  private static func renamed(beside file: URL) -> Set<String> {
    let folder = file.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return Set(names.filter { $0.hasPrefix("\(file.lastPathComponent).damaged-") }.map { "\(folder)/\($0)" })
  }
}
