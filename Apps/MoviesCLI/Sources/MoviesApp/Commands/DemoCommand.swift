import ReeluxCore
import ReeluxDiff
import ReeluxFavorites
import ReeluxLocation

extension Command {
  /// `demo`: a tour with real actions on a real store. Its texts say which parts are simulated.
  static let demo = Command(
    "demo",
    options: [
      .choice(
        "--without", AppPart.allCases.map(\.rawValue), "compose the same app without this feature; may be repeated")
    ],
    summary: "Show a tour of the loop: action, reducer, effect and state, with all changes.",
    details:
      """
      On a terminal, the tour takes about ten seconds with the default --latency and --failure-rate. In a pipe, it does
      not wait. It writes no file except those of --record and --log-file.
      """,
    examples: ["demo", "demo --without location"]
  ) { (arguments) throws(UsageError) in
    let missing = Set(arguments.texts("--without").compactMap(AppPart.init))
    if !missing.isEmpty, arguments.has("--record") {
      throw arguments.error("cannot record with --without: 'replay' runs the whole app")
    }
    return { (context) async throws(CommandFailure) in
      let narrator = Narrator(console: context.console)
      let refused = RefusedMovie()
      var walk = Walk.builtIn
      if context.console.isInteractive, let speed = try? walk.speed(toTake: 3) { walk.speed = speed }
      let session = try context.session(
        walk: walk, favorites: context.demoServer(refusing: refused), without: missing, onlookers: narrator.feature)
      try await Demo(
        session: session, narrator: narrator, missing: missing, program: context.runner.program, refused: refused
      ).run()
    }
  }
}

extension CommandContext {
  /// A server that keeps its favourites in memory and refuses one movie, as soon as `refused` names it. It responds
  /// after at least 0.7 seconds on a terminal, and after at least 20 ms elsewhere.
  fileprivate func demoServer(refusing refused: RefusedMovie) -> FavoritesAPI<Movie.ID> {
    let latency = max(options.latency ?? .zero, .milliseconds(console.isInteractive ? 700 : 20))
    let server = server(storage: .memory(), latency: latency)
    return FavoritesAPI(fetch: server.fetch) { request in
      var served = request
      let isRefused = refused.id.withLock { $0 == request.id }
      if isRefused { served.isFavorite = false }
      try await server.set(served)
      if isRefused { throw FavoritesFailure(.refused, "the server refuses this one (simulated)") }
    }
  }
}

/// The movie that the demo's server refuses.
private final class RefusedMovie: Sendable {
  let id = Locked<Movie.ID?>(nil)
}

/// The tour.
private struct Demo {
  let session: Session
  let narrator: Narrator
  let missing: Set<AppPart>
  let program: String
  let refused: RefusedMovie

  private var console: Console { session.console }
  private var store: Store<AppAction, AppState> { session.store }

  func run() async throws(CommandFailure) {
    narrator.explain(
      "Reelux: movies, favourites and a walk, on one store",
      """
      The server and the walk are simulated, and the cinemas are fictional. The demo writes no file except \
      those of --record and --log-file. Each action shows the source line that sent it. The lines below an action show \
      what it changed.
      """, source: "Apps/MoviesCLI/Sources/MoviesApp/App/AppFeature.swift")
    try await showCatalog()
    if missing.contains(.favorites) {
      await showMissing(
        "2  The app without favourites", "The store processes the action, but no reducer accepts it.",
        .favorites(.add("metropolis-1927")))
    } else {
      await showOptimism()
      await showRefusal()
    }
    if missing.contains(.location) {
      await showMissing(
        "\(walkNumber)  The app without a walk", "The store processes the action, but no feed opens.",
        .location(.startPosition()))
    } else {
      await showWalk()
    }
    sayNext()
  }

  /// The number of the part about the walk. The favourites are two parts, or one if they are left out.
  private var walkNumber: Int { missing.contains(.favorites) ? 3 : 4 }

  private func showCatalog() async throws(CommandFailure) {
    narrator.explain(
      "1  A catalogue",
      "An action requests the catalogue. An effect reads it outside the store's queue and sends it in an action.",
      source: "Apps/MoviesCLI/Sources/MoviesApp/Catalog/MoviesFeature.swift")
    await store.dispatch(.movies(.load(file: session.options.catalog))).finish()
    if let failure = store.state.movies.failure { throw CommandFailure(failure) }
    await isShown()
    await pause()
    await store.dispatch(.movies(.show(.search(["caligari"], limit: 3)))).reduced()
    let found = store.state.visibleMovies.map(\.title)
    narrator.printState("found: " + (found.isEmpty ? "no title with 'caligari'" : found.joined(separator: ", ")))
    await pause()
  }

  /// Returns when the last action is shown. `finish()` can return while another thread still shows it.
  private func isShown() async { await store.settle() }

  private func showOptimism() async {
    narrator.explain(
      "2  A favourite, shown before the server confirms it",
      "The reducer changes the state at once; an effect calls the simulated server, and its answer is an action.",
      source: "Packages/Favorites/Sources/ReeluxFavorites/FavoritesReducer.swift")
    await store.dispatch(.favorites(.load)).finish()
    await store.dispatch(.favorites(.add(demoMovie("metropolis-1927", otherwise: 0)))).finish()
    await isShown()
    await pause()
  }

  private func showRefusal() async {
    narrator.explain(
      "3  A favourite that the server refuses",
      "The reducer adds it at once, too. When the server refuses it, the reducer removes it and keeps the reason.",
      source: "Packages/Favorites/Sources/ReeluxFavorites/FavoritesReducer.swift")
    let movie = demoMovie("the-cheat-1915", otherwise: 1)
    refused.id.withLock { $0 = movie }
    await store.dispatch(.favorites(.add(movie))).finish()
    await isShown()
    await pause()
  }

  private func showWalk() async {
    narrator.explain(
      "\(walkNumber)  A walk to the cinema",
      "A feed stays open as long as the state requires it. This feed replays \(session.walk.label). Of the steps, only "
        + "those with another nearest cinema are shown.",
      source: "Packages/Location/Sources/ReeluxLocation")
    await store.dispatch(.location(.startPosition())).reduced()
    await session.wait { $0.location.position.phase == .stopped }
    await isShown()
    let position = store.state.location.position
    narrator.printState("walked: \(Prose.count(position.fixes, "fix", "fixes")), \(Prose.metres(position.distance))")
    await pause()
  }

  private func showMissing(_ heading: String, _ text: String, _ action: AppAction) async {
    narrator.explain(
      heading, "The app was composed without this feature, and works without it. \(text)",
      source: "Apps/MoviesCLI/Sources/MoviesApp/App/AppFeature.swift")
    await store.dispatch(action).reduced()
  }

  private func sayNext() {
    let lines = [
      "list --genre horror", "favorite add metropolis-1927 --latency 1s --log pretty", "track --log compact",
      "demo --record tour.jsonl", "replay tour.jsonl --step", "report tour.jsonl --output tour.html",
      "demo --without location", "--help",
    ]
    let runsInPackage = program.hasPrefix("swift run")
    narrator.explain(
      "Next", runsInPackage ? "In this folder:" : "Try:", lines: lines.map { "\(program) \($0)" })
    guard runsInPackage else { return }
    narrator.explain(
      nil, "To install the program as 'MoviesCLI':",
      lines: [
        "swift build -c release --product MoviesCLI",
        "sudo install \"$(swift build -c release --show-bin-path)/MoviesCLI\" /usr/local/bin/",
      ])
  }

  /// The movie of the tour, or the one at this position of a catalogue that does not have it.
  private func demoMovie(_ id: Movie.ID, otherwise position: Int) -> Movie.ID {
    let catalog = store.state.movies.catalog
    return catalog[id]?.id ?? catalog.movies.dropFirst(position).first?.id ?? id
  }

  /// Waits, so that a person has time to read.
  private func pause() async {
    if console.isInteractive { try? await Task.sleep(for: .milliseconds(900)) }
  }
}

/// The output of the demo: headings, explanations, and each action with its changes.
private struct Narrator: Sendable {
  let console: Console

  /// The feature that shows the actions. Its middleware compares the states before and after.
  var feature: Feature<AppAction, AppState> {
    Feature(
      middleware: Middleware { [self] action, source, state in
        let before = state()
        return .afterReducer { _ in printAction(action, source, state().changes(since: before, after: action)) }
      })
  }

  /// Prints a heading and its explanation.
  func explain(_ heading: String?, _ text: String, source: String? = nil, lines: [String] = []) {
    console.write(flush: true) { style in
      var page = "\n"
      if let heading { page += style.emphasized(heading, .strong) + "\n" }
      page += Prose.wrapped(text, to: style.width ?? 100) + "\n"
      if let source { page += style.emphasized("Look at \(source)", .faint) + "\n" }
      for line in lines { page += "  \(line)\n" }
      return page
    }
  }

  /// Prints the current state.
  func printState(_ text: String) {
    console.write(flush: true) { "         = " + $0.fitted(TextStyle.harmless(text), after: 11) + "\n" }
  }

  /// Prints an action, its source and its changes. A step of a walk is printed only if it changes more than the
  /// distance.
  private func printAction(_ action: AppAction, _ source: ActionSource, _ changes: [String]) {
    if case .location(.response(.moved)) = action, changes.count < 2 { return }
    let place = source.place
    // The action as Swift writes it, or its title if that is too long for the line.
    let whole = ValueText.describing(action)
    console.write(flush: true) { style in
      let room = max(20, min(100, style.width ?? 100) - 11 - TextWidth.columns(place))
      let text = TextWidth.padded(
        TextWidth.columns(whole) <= room ? whole : TextWidth.shortened(action.title, to: room), to: room)
      let head = style.fitted(TextStyle.harmless("\(text)  \(place)"), after: 9)
      var page = "  \(style.emphasized("action", .faint)) \(head)\n"
      for change in changes.isEmpty ? ["nothing changed"] : changes {
        let line = style.fitted(TextStyle.harmless("→ \(change)"), after: 9)
        page += "         " + style.emphasized(line, changes.isEmpty ? .faint : .good) + "\n"
      }
      return page
    }
  }
}
