import Foundation
import ReeluxCore
import ReeluxFavorites

extension Command {
  /// `browse`: the full screen.
  static let browse = Command(
    "browse", summary: "Browse movies and favourites, follow a walk, and show earlier states.",
    details: """
      Requires a terminal of at least 60 columns and 16 rows. The key ? shows all keys. The favourites server is
      simulated. Without --latency, it responds after 0.7 seconds, so that unconfirmed favourites are visible.
      --failure-rate is the share of changes that the server refuses; it never refuses to send the favourites. The list
      shows at most 1,000 movies; a search finds the others. --log needs --log-file, because the screen shows the log.
      Without --log-file, the setting for the log is ignored.

      q waits until the server has answered all requests; ^C does not wait. After the screen is closed, the command
      prints each change that the server refused or has not confirmed, and the reason if the favourites could not be
      loaded. It exits with code 1 if q was pressed and a
      change was refused, with 74 if the favourites could not be written, and with 130 after ^C.
      """,
    examples: ["browse", "browse --failure-rate 0.3", "browse --record session.jsonl"]
  ) { (arguments) throws(UsageError) in
    if arguments.text("--log") != nil, arguments.text("--log-file") == nil {
      throw arguments.error("shows the log on its screen; to write the log to a file too, add --log-file FILE")
    }
    return { (context) async throws(CommandFailure) in
      let readsCatalog = context.options.catalog == "-"
      if readsCatalog || isatty(STDIN_FILENO) == 0 {
        let advice =
          readsCatalog
          ? "Write the catalogue to a file, and name this file for --catalog." : "Use 'list' or 'search'."
        throw CommandFailure("'browse' needs a terminal as standard input, to read keys. \(advice)", .usage)
      }
      guard StandardStream.output.isTerminal else {
        throw CommandFailure("'browse' needs a terminal. In a pipe, use 'list' or 'search'.", .usage)
      }
      let terminal = context.runner.environment["TERM", default: ""]
      if ["", "dumb"].contains(terminal) {
        throw CommandFailure(
          "'browse' needs a terminal that can move the cursor, and TERM is "
            + "\(terminal.isEmpty ? "not set" : "'dumb'"). Use 'list' or 'search'.", .usage)
      }
      let failures = SimulatedRefusals(rate: context.options.failureRate, seed: context.options.seed)
      var walk = Walk.builtIn
      if let speed = try? walk.speed(toTake: 40) { walk.speed = speed }
      // The server responds with a delay, so that unconfirmed favourites are visible.
      let server = try context.savingServer(latency: context.options.latency ?? .milliseconds(700), failureRate: 0)
      let session = try context.session(
        walk: walk, favorites: failures.refusing(before: server), setFailureRate: failures.set)
      let file = DamagedFile(context.favoritesPath)
      session.interruption.set { [store = session.store] in
        (Session.refusedChanges(in: store.state), Session.unconfirmedChanges(in: store.state))
      }
      try await Browser(session: session, colors: context.console.style.colors, language: context.language).run()
      session.reportNotices(of: file)
      session.noteMissingFavorites()
      try session.reportUnsaved(session.store.state)
      // Work that is under way finishes first.
      await session.store.settle()
    }
  }
}

/// A share of failing requests that can change while the program runs.
private final class SimulatedRefusals: Sendable {
  private struct Chance: Sendable {
    var rate: Double
    var generator: SplitMix64
  }

  private let chance: Locked<Chance>

  init(rate: Double, seed: UInt64?) {
    chance = Locked(Chance(rate: rate, generator: SplitMix64(seed: seed ?? UInt64.random(in: 0...UInt64.max))))
  }

  func set(_ rate: Double) { chance.withLock { $0.rate = rate } }

  /// Returns a server that refuses this share of requests and passes the others to `server`.
  func refusing(before server: FavoritesAPI<Movie.ID>) -> FavoritesAPI<Movie.ID> {
    let refusal = FavoritesFailure(.refused, "the server refuses it (simulated)")
    var api = FavoritesAPI(fetch: server.fetch) { [self] request in
      if refuses {
        // A refusal takes as long as any other response.
        _ = try await server.fetch()
        throw refusal
      }
      try await server.set(request)
    }
    if let setSeveral = server.setSeveral {
      api.setSeveral = { [self] requests in
        var failures: [Movie.ID: FavoritesFailure] = [:]
        for request in requests where refuses { failures[request.id] = refusal }
        let accepted = requests.filter { failures[$0.id] == nil }
        if accepted.isEmpty {
          _ = try await server.fetch()
          return failures
        }
        return try await setSeveral(accepted).merging(failures) { $1 }
      }
    }
    return api
  }

  private var refuses: Bool { chance.withLock { $0.generator.unit() < $0.rate } }
}

/// The loop of the full screen. It dispatches keys, and draws the states of the store.
private struct Browser {
  let session: Session
  let colors: ColorDepth
  let language: String

  /// The shortest time between two frames.
  private static let frame = Duration.milliseconds(16)

  func run() async throws(CommandFailure) {
    let store = session.store
    let percent = Int((session.options.failureRate * 100).rounded())
    store.dispatch(.screen(.opened(RawTerminal.size, failurePercent: percent, language: language)))
    try await session.loadCatalog()
    let open = OpenScreen()
    RawTerminal.standard.enter()
    defer {
      open.close()
      RawTerminal.standard.leave()
    }
    let sizes = RawTerminal.watch(SIGWINCH) { store.dispatch(.screen(.resized(RawTerminal.size))) }
    defer { sizes.cancel() }
    // The terminal may show other text after a stop, or of another process, so everything is drawn again.
    let redraw: @Sendable () -> Void = {
      open.redraw()
      store.dispatch(.screen(.resized(RawTerminal.size)))
    }
    let continuations = RawTerminal.watch(SIGCONT) { if RawTerminal.standard.resume() { redraw() } }
    defer { continuations.cancel() }
    let stop: @Sendable () -> Void = {
      RawTerminal.standard.suspend()
      redraw()
    }
    RawTerminal.watchStop(while: { open.isOpen }, stop)
    RawTerminal.readKeys(while: { open.isOpen }) { key in
      switch key {
      case .suspend: stop()
      case .redraw: redraw()
      case let key?: store.dispatch(.screen(.key(key)))
      case nil: store.dispatch(.screen(.key(.interrupt)))
      }
    }
    // The screen is open while the server responds.
    store.dispatch(.favorites(.load))
    await draw(open)
    // The terminal is restored before anything is reported.
    open.close()
    RawTerminal.standard.leave()
    if case .refused(let reason) = StandardStream.output.failure {
      throw CommandFailure("the terminal cannot be written: \(reason)", .inputOutput)
    }
  }

  private func draw(_ open: OpenScreen) async {
    var shown: Grid?
    for await state in session.store.states {
      guard let scene = state.scene, !state.isScreenDone, StandardStream.output.failure == nil else { return }
      let grid = scene.grid()
      if open.consumeRedraw() { shown = nil }
      RawTerminal.standard.draw(grid.update(from: shown, colors: colors))
      shown = grid
      try? await Task.sleep(for: Self.frame)
    }
  }
}

extension Session {
  /// Prints a line for each change of the favourites that the server refused or has not confirmed. Throws if there is
  /// one, or if the screen was interrupted. Without an interrupt, the last line is the message of the thrown failure.
  /// After an interrupt, changes that are not confirmed are no errors.
  fileprivate func reportUnsaved(_ state: AppState) throws(CommandFailure) {
    var lines = Self.refusedChanges(in: state)
    let unsaved = Self.unconfirmedChanges(in: state)
    if state.screen?.closing == .interrupt {
      for line in lines { console.report(line) }
      for line in unsaved { console.note(line) }
      // A second ^C is a signal, because the screen is closed. It must not print the lines again.
      interruption.set { ([], []) }
      throw CommandFailure("", .interrupted)
    }
    lines += unsaved
    guard let last = lines.last else { return }
    for line in lines.dropLast() { console.report(line) }
    interruption.set { ([last], []) }
    let isUnwritten = state.favorites.failed.contains { state.favorites.failure(of: $0)?.kind == .storage }
    throw CommandFailure(last, isUnwritten ? .inputOutput : .failed)
  }

  /// A line for each change of the favourites that the server refused or could not save.
  fileprivate static func refusedChanges(in state: AppState) -> [String] {
    state.favorites.failed.compactMap { id in
      state.favorites.failure(of: id).map { MovieText.failedChange(of: id, $0, in: state) }
    }
  }
}

/// Whether the screen is open, and whether it must be redrawn completely. The thread that reads keys shares this
/// object.
private final class OpenScreen: Sendable {
  private struct Value: Sendable {
    var isOpen = true
    var needsRedraw = false
  }

  private let value = Locked(Value())

  var isOpen: Bool { value.withLock { $0.isOpen } }

  func close() { value.withLock { $0.isOpen = false } }

  func redraw() { value.withLock { $0.needsRedraw = true } }

  func consumeRedraw() -> Bool {
    value.withLock { value in
      defer { value.needsRedraw = false }
      return value.needsRedraw
    }
  }
}
