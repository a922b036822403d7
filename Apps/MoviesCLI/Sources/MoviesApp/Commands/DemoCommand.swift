import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLogger

extension Command {
  /// `demo`: a tour of the loop with real actions on a real store. What is simulated says so.
  static let demo = Command(
    "demo", summary: "A narrated tour of the loop: action, reducer, effect, state.",
    details: "At most 15 seconds on a terminal, at once in a pipe. Nothing is written.", examples: ["demo"]
  ) { (arguments) throws(UsageError) in
    { (context) async throws(CommandFailure) in
      let narrator = Narrator(console: context.console)
      var walk = Walk.builtIn
      if context.console.isInteractive, let speed = try? walk.speed(toTake: 3) { walk.speed = speed }
      let session = try context.session(walk: walk, favorites: context.demoServer, onlookers: narrator.feature)
      try await Demo(session: session, narrator: narrator).run()
    }
  }
}

extension CommandContext {
  /// A server that keeps its favourites in memory, takes its time if a person reads along, and refuses one movie.
  fileprivate var demoServer: FavoritesAPI<Movie.ID> {
    let latency = max(options.latency, .milliseconds(console.isInteractive ? 700 : 20))
    let server = server(storage: .memory(), latency: latency)
    return FavoritesAPI(fetch: server.fetch) { id, isFavorite in
      try await server.set(id, isFavorite && id != Narrator.refused)
      if id == Narrator.refused { throw FavoritesFailure(.refused, "the server refuses this one (simulated)") }
    }
  }
}

/// The tour.
private struct Demo {
  let session: Session
  let narrator: Narrator

  private var console: Console { session.console }
  private var store: Store<AppAction, AppState> { session.store }

  func run() async throws(CommandFailure) {
    console.write(
      console.style.emphasized("Reelux: movies, favourites and a walk, on one store.", .strong)
        + "\n"
        + Prose.wrapped(
          "The server and the walk are simulated, the cinemas are fictional. Nothing is written.",
          to: console.style.width ?? 100) + "\n", flush: true)
    try await tellCatalog()
    await tellOptimism()
    await tellRefusal()
    await tellWalk()
    narrator.tell(
      "That was the loop", "Every line above was an action on its way through one queue, to reducers, to effects, back."
    )
    console.write(
      """

      Next:
        MoviesCLI list --genre horror
        MoviesCLI favorite add metropolis-1927 --log pretty
        MoviesCLI track --log compact
        MoviesCLI demo --record tour.jsonl
        MoviesCLI report tour.jsonl --output tour.html
        MoviesCLI --help

      """)
  }

  private func tellCatalog() async throws(CommandFailure) {
    narrator.tell(
      "1  A catalogue", "An action asks for it. A middleware reads it, off the queue, and answers with an action.")
    await store.dispatch(.movies(.load(file: session.options.catalog))).finish()
    if let failure = store.state.movies.failure { throw CommandFailure(failure) }
    let catalog = store.state.movies.catalog
    narrator.show("\(Prose.count(catalog.movies.count, "movie")), \(catalog.name)")
    await pause()

    store.dispatch(.movies(.look(.search(["caligari"], limit: 3))))
    narrator.show("search 'caligari': " + store.state.visibleMovies.map(\.title).joined(separator: ", "))
    await pause()
  }

  private func tellOptimism() async {
    let id = demoMovie("metropolis-1927")
    narrator.tell(
      "2  A favourite, seen before the server knows",
      "The reducer shows the wish; the effect asks the simulated server.")
    await store.dispatch(.favorites(.load)).finish()
    let wish = store.dispatch(.favorites(.add(id)))
    narrator.show(describe(id))
    await wish.finish()
    narrator.show(describe(id))
    await pause()
  }

  private func tellRefusal() async {
    let id = demoMovie(Narrator.refused)
    narrator.tell(
      "3  A favourite that the server refuses",
      "It is shown at once, too, and rolled back to what the server confirmed.")
    let wish = store.dispatch(.favorites(.add(id)))
    narrator.show(describe(id))
    await wish.finish()
    narrator.show(describe(id))
    await pause()
  }

  private func tellWalk() async {
    narrator.tell(
      "4  A walk to the cinema",
      "A feed is open exactly while the state wants it. This one replays \(session.walk.label).")
    let nearest = store.select(\.cinemas.steps.last?.nearest?.cinema.name).subscribe { [store, narrator] name in
      guard let name, let step = store.state.cinemas.steps.last else { return }
      narrator.show("\(Prose.metres(step.distance)) walked, nearest cinema: \(name) (fictional)")
    }
    store.dispatch(.location(.startPosition()))
    await session.wait { $0.location.position.phase == .stopped }
    nearest.cancel()
    let position = store.state.location.position
    narrator.show(
      "\(Prose.count(position.fixes, "fix", "fixes")), \(Prose.metres(position.distance)); the feed is closed")
    await pause()
  }

  /// The movie of the tour, or the catalogue's first when it is another catalogue.
  private func demoMovie(_ id: Movie.ID) -> Movie.ID {
    let catalog = store.state.movies.catalog
    return catalog[id]?.id ?? catalog.movies.first?.id ?? id
  }

  private func describe(_ id: Movie.ID) -> String {
    let favorites = store.state.favorites
    let title = store.state.movies.catalog[id]?.title ?? id
    if let failure = favorites.failure(of: id) { return "\(title) is no favourite: \(failure.reason)" }
    guard favorites.contains(id) else { return "\(title) is no favourite" }
    return "\(MovieText.mark) \(title), " + (favorites.isPending(id) ? "not confirmed yet" : "confirmed")
  }

  /// Time to read, for a person.
  private func pause() async {
    if console.isInteractive { try? await Task.sleep(for: .milliseconds(900)) }
  }
}

/// The demo's voice: tells what is done, and below it each action that the store took.
struct Narrator: Sendable {
  /// The id that the demo's server refuses.
  static let refused = "the-cheat-1915"

  private let console: Console
  private let logger: LoggerMiddleware<AppAction, AppState>

  /// Makes a narrator.
  init(console: Console) {
    self.console = console
    self.logger = LoggerMiddleware(
      to: .records { console.write(Self.line($0, console.style), flush: true) },
      options: LogOptions(filter: .action { !Self.isStep($0) }))
  }

  /// The feature that tells the actions.
  var feature: Feature<AppAction, AppState> { .logger(logger) }

  /// Tells a heading and what it means, after the actions before it.
  func tell(_ heading: String, _ text: String) {
    logger.flush()
    console.write(
      "\n\(console.style.emphasized(heading, .strong))\n\(Prose.wrapped(text, to: console.style.width ?? 100))\n",
      flush: true)
  }

  /// Tells what the state holds now.
  func show(_ text: String) {
    logger.flush()
    console.write(
      "  \(console.style.emphasized("state", .good))   \(console.style.width.map { TextWidth.shortened(text, to: max(0, $0 - 10)) } ?? text)\n",
      flush: true)
  }

  /// A line about an action: what it was, and where it came from.
  private static func line(_ record: LogRecord, _ style: TextStyle) -> String {
    let file = record.source.file.split(separator: "/").last.map(String.init) ?? record.source.file
    let source = "\(file):\(record.source.line)"
    let width = min(100, style.width ?? 100) - 10
    let room = max(20, width - TextWidth.columns(source) - 2)
    let action = TextWidth.shortened(record.action, to: room)
    let text = TextWidth.shortened(TextWidth.padded(action, to: room) + "  " + source, to: width)
    return "  \(style.emphasized("action", .faint))  \(text)\n"
  }

  /// Whether this is one of the many steps of a walk.
  private static func isStep(_ action: AppAction) -> Bool {
    if case .location(.moved) = action { true } else { false }
  }
}
