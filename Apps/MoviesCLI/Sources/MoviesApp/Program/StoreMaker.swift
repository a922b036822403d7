import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLogger
import ReeluxRecording

/// The maker of the store that a command runs on, with the outside that the options ask for.
package struct StoreMaker: Sendable {
  private let options: GlobalOptions
  private let environment: [String: String]
  private let console: Console
  private let logger: LoggerMiddleware<AppAction, AppState>?
  private let recorder: ActionRecorder<AppAction, AppState>?

  /// Prepares the outside; of files, only those that the options name for writing are opened.
  package init(
    options: GlobalOptions, environment: [String: String], console: Console
  ) throws(CommandFailure) {
    self.options = options
    self.environment = environment
    self.console = console
    if let file = options.logFile { try WritableFile.check(file) }
    self.logger = Self.destination(options, environment).map { LoggerMiddleware(to: $0) }
    do {
      self.recorder = try options.record.map {
        try ActionRecorder(
          path: $0, app: CommandLineDescription.movies.program, version: Program.version, seed: options.seed)
      }
    } catch {
      throw CommandFailure("\(error)", .inputOutput)
    }
  }

  /// The store and the rest of what a command works with.
  func session(for invocation: Invocation) throws(CommandFailure) -> Session {
    let walk = try walk(for: invocation.command)
    let narrator = Narrator(console: console)
    var outside = AppDependencies(
      favorites: favorites(for: invocation.command),
      locations: .simulated(walk.track, speed: walk.speed, options: SimulationOptions(seed: options.seed ?? 0)))
    if let seed = options.seed { outside.chance = SeededChances(seed: seed).next }
    outside.onlookers = Feature {
      if let recorder { Feature.recorder(recorder) }
      if let logger { Feature.logger(logger) }
      if invocation.command == .demo { narrator.feature }
    }
    return Session(
      store: Store(initialState: AppState(), feature: outside.app), console: console, options: options,
      json: invocation.json, walk: walk, narrator: narrator)
  }

  /// Writes what onlookers have still to write; fails when the recording could not be written as a whole.
  func flush() throws(CommandFailure) {
    logger?.flush()
    do { try recorder?.close() } catch { throw CommandFailure("\(error)", .inputOutput) }
  }

  /// The walk that the location feed follows.
  private func walk(for command: Invocation.Command) throws(CommandFailure) -> Walk {
    var walk = Walk.builtIn
    do throws(ReadingError) {
      switch command {
      case .track(let file, let speed):
        if let file { walk = Walk(label: file, track: try track(file), speed: .max, isBuiltIn: false) }
        switch speed {
        case .factor(let factor): walk.speed = .factor(factor)
        case .maximum: walk.speed = .max
        case nil: if console.isInteractive { walk.speed = try walk.speed(toTake: 10) }
        }
      case .demo: if console.isInteractive { walk.speed = try walk.speed(toTake: 3) }
      default: break
      }
    } catch {
      throw CommandFailure(error)
    }
    return walk
  }

  private func track(_ file: String) throws(ReadingError) -> Track {
    defer { console.progress?.clear() }
    return try Track.file(file) { console.progress?.show("reading: \(Prose.count($0.points, "point"))") }
  }

  private func favorites(for command: Invocation.Command) -> FavoritesAPI<Movie.ID> {
    guard command == .demo else { return server(storage: .file(at: favoritesPath)) }
    // The demo keeps its favourites in memory, takes its time where somebody watches, and refuses one movie.
    let server = server(
      storage: .memory(), latency: max(options.latency, .milliseconds(console.isInteractive ? 700 : 20)))
    return FavoritesAPI(fetch: server.fetch) { id, isFavorite in
      try await server.set(id, isFavorite && id != Narrator.refused)
      if id == Narrator.refused { throw FavoritesFailure(.refused, "the server refuses this one (simulated)") }
    }
  }

  private var favoritesPath: String {
    DataDirectory.path(option: options.dataDirectory, environment: environment) + "/favorites.json"
  }

  /// The simulated server.
  private func server(
    storage: FavoritesStorage<Movie.ID>, latency: Duration? = nil
  ) -> FavoritesAPI<Movie.ID> {
    let latency = latency ?? options.latency
    return .mock(
      latency: latency > .zero ? .fixed(latency) : .none,
      // Only failures that leave nothing done: what is reported as failed is not kept.
      failures: FavoritesFailures(rate: options.failureRate, kinds: [.offline]),
      seed: options.seed ?? UInt64.random(in: 0...UInt64.max), storage: storage)
  }

  private static func destination(
    _ options: GlobalOptions, _ environment: [String: String]
  ) -> LogDestination? {
    let onTerminal = options.logFile == nil && StandardStream.error.isTerminal
    let color = TextStyle.usesColor(options.color, isTerminal: onTerminal, environment: environment)
    let format: LogFormat
    switch options.log ?? (options.logFile == nil ? .off : .compact) {
    case .off: return nil
    case .compact: format = .compact
    case .pretty: format = .pretty(color: color ? .always : .never)
    case .json: format = .jsonLines
    }
    return options.logFile.map { .file($0, format: format) } ?? .standardError(format)
  }
}
