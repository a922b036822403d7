import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxLogger
import ReeluxRecording

/// The context of a command: the console, the options, and the services that the options select.
package struct CommandContext: Sendable {
  /// The streams of the command.
  package let console: Console

  /// The options that every command takes.
  package let options: GlobalOptions

  /// Every setting and its origin.
  package let settings: Settings

  /// The runner of further command lines, for scripts.
  package let runner: CommandRunner

  /// The problems that did not stop the command.
  let damage = Damage()

  /// The messages that a signal prints before it ends the command.
  let interruption = Interruption()

  private let logger: LoggerMiddleware<AppAction, AppState>?
  private let gate: OutputGate?
  private let recorder: ActionRecorder<AppAction, AppState>?

  /// The files that the options name for writing.
  let files: OutputFiles

  /// Prepares the services, and checks the files that the options name for writing. The first action opens these files.
  /// So a command that fails before its first action does not change them.
  package init(
    console: Console, options: GlobalOptions, settings: Settings, arguments: Arguments, runner: CommandRunner
  ) throws(CommandFailure) {
    self.options = options
    self.settings = settings
    self.runner = runner
    var files = OutputFiles(
      inputs: arguments.inputFiles + runner.inputs
        + [
          options.catalog, SettingsFile.path(environment: runner.environment),
        ].compactMap { $0 },
      dataDirectory: DataDirectory.path(option: options.dataDirectory, environment: runner.environment))
    if let file = options.logFile, let format = Self.format(options, runner.environment) {
      guard file != "-" else {
        throw CommandFailure(
          "--log-file - is not a file. Without --log-file, the log goes to standard error; './-' is a file of that "
            + "name.", .usage)
      }
      try files.claim(file, for: "--log-file")
      try WritableFile.checkIsNotOverwritten(file)
      try WritableFile.check(file)
      if !options.force, !format.canContinue(file) {
        throw CommandFailure(
          "\(file): the file is not a log of this format. Nothing was written. Choose another file, or replace it with "
            + "--force.", .inputOutput)
      }
    }
    let logger = Self.destination(options, runner.environment).map {
      // A waiting record keeps two states. With many favourites, these are large.
      LoggerMiddleware<AppAction, AppState>(
        to: $0.reportingFailure(to: RawTerminal.standard.report), options: LogOptions(queue: LogQueue(capacity: 256)))
    }
    self.logger = logger
    if let logger, options.logFile == nil {
      let gate = OutputGate(output: console.output, log: { logger.flush() })
      self.gate = gate
      var gated = console
      gated.output = { gate.write($0, flush: $1) }
      self.console = gated
    } else {
      self.gate = nil
      self.console = console
    }
    if let file = options.record {
      try WritableFile.checkIsNoOutput(file)
      try files.claim(file, for: "--record")
      if !options.force { try WritableFile.checkIsNew(file) }
      try WritableFile.check(file)
    }
    self.files = files
    self.recorder = options.record.map {
      ActionRecorder(
        waitingAt: $0, replacing: options.force, app: CommandLineDescription.movies.program, version: Program.version,
        seed: options.seed)
    }
  }

  /// Creates a session with a new store.
  ///
  /// - Parameters:
  ///   - walk: The walk that the location feed follows.
  ///   - favorites: The favourites server; `nil` for that of ``savingServer(latency:failureRate:)``.
  ///   - missing: The features that are left out.
  ///   - onlookers: Features that observe, in addition to the logger and the recorder.
  ///   - setFailureRate: Called with a share from 0 to 1 when the user changes how often the server refuses a request.
  func session(
    walk: Walk = .builtIn, favorites: FavoritesAPI<Movie.ID>? = nil, without missing: Set<AppPart> = [],
    onlookers: Feature<AppAction, AppState> = .identity,
    setFailureRate: @escaping @Sendable (Double) -> Void = { _ in }
  ) throws(CommandFailure) -> Session {
    let server = if let favorites { favorites } else { try savingServer() }
    var dependencies = AppDependencies(
      favorites: server,
      locations: .simulated(
        walk.track, speed: walk.speed,
        options: SimulationOptions(seed: options.seed ?? 0, batchSize: walk.batchSize)))
    if let seed = options.seed {
      let generator = Locked(SplitMix64(seed: seed))
      dependencies.chance = { generator.withLock { $0.unit() } }
    }
    dependencies.favoritesPolicy = AppDependencies.favoritesPolicy(latency: options.latency ?? .zero)
    dependencies.missing = missing
    // After-reducer work runs from right to left. The logger is last, so an action's log precedes output about the
    // action.
    dependencies.onlookers = Feature {
      if let gate { gate.feature }
      if let recorder { Feature.recorder(recorder) }
      onlookers
      if let logger { Feature.logger(logger) }
    }
    dependencies.setFailureRate = setFailureRate
    runner.adjust(&dependencies)
    return Session(
      store: Store(initialState: AppState(), feature: dependencies.app), console: console, options: options, walk: walk,
      damage: damage, interruption: interruption)
  }

  /// The simulated favourites server that keeps its file in the data directory. Throws if the directory is a file.
  func savingServer(latency: Duration? = nil, failureRate: Double? = nil) throws(CommandFailure)
    -> FavoritesAPI<Movie.ID>
  {
    var isFolder: ObjCBool = false
    let exists = unsafe FileManager.default.fileExists(atPath: dataDirectory, isDirectory: &isFolder)
    if exists, !isFolder.boolValue {
      throw CommandFailure("\(dataDirectory): the data directory is a file; name a folder", .inputOutput)
    }
    return server(storage: .file(at: favoritesPath), latency: latency, failureRate: failureRate)
  }

  /// The simulated favourites server with the latency and the failures of the options.
  func server(storage: FavoritesStorage<Movie.ID>, latency: Duration? = nil, failureRate: Double? = nil)
    -> FavoritesAPI<Movie.ID>
  {
    let latency = latency ?? options.latency ?? .zero
    return .mock(
      latency: latency > .zero ? .fixed(latency) : .none,
      // With failures of this kind, the server stores nothing. So a change that is reported as failed is not saved.
      failures: FavoritesFailures(rate: failureRate ?? options.failureRate, kinds: [.offline]),
      seed: options.seed ?? UInt64.random(in: 0...UInt64.max), storage: storage)
  }

  /// Writes the remaining log and recording. Throws if the recording is incomplete.
  func flush() throws(CommandFailure) {
    logger?.flush()
    do { try recorder?.close() } catch { throw CommandFailure("\(error)", .inputOutput) }
  }

  /// The language for the order of titles, from the locale of the environment: `de_DE` for `de_DE.UTF-8`. Empty for the
  /// locales `C` and `POSIX`, and if no locale is set.
  var language: String {
    let names = ["LC_ALL", "LC_COLLATE", "LANG"].lazy.compactMap { runner.environment[$0] }
    let name = names.first { !$0.isEmpty }?.prefix { $0 != "." && $0 != "@" } ?? ""
    return name == "C" || name == "POSIX" ? "" : String(name)
  }

  private var dataDirectory: String {
    DataDirectory.path(option: options.dataDirectory, environment: runner.environment)
  }

  /// The file of the favourites. Each catalogue has its own, because the id `1` of another catalogue is another movie.
  /// All catalogues from pipes share one.
  var favoritesPath: String {
    guard let catalog = options.catalog else { return dataDirectory + "/favorites.json" }
    if options.readsCatalogFromStream { return dataDirectory + "/favorites-standard-input.json" }
    let file = URL(filePath: catalog).resolvingSymlinksInPath()
    var fingerprint = FNV1a()
    fingerprint.combine(file.path.utf8)
    let name = file.lastPathComponent.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
    return dataDirectory + "/favorites-\(name.prefix(60))-\(String(fingerprint.value, radix: 16)).json"
  }

  private static func destination(_ options: GlobalOptions, _ environment: [String: String]) -> LogDestination? {
    guard let format = format(options, environment) else { return nil }
    return options.logFile.map { .file($0, format: format, replacing: options.force) } ?? .standardError(format)
  }

  /// The format of the log; `nil` for no log.
  private static func format(_ options: GlobalOptions, _ environment: [String: String]) -> LogFormat? {
    let onTerminal = options.logFile == nil && StandardStream.error.isTerminal
    let usesColor = ColorDepth.depth(options.color, isTerminal: onTerminal, environment: environment) != .none
    switch options.log ?? (options.logFile == nil ? .off : .compact) {
    case .off: return nil
    case .compact: return .compact
    case .pretty: return .pretty(color: usesColor ? .always : .never)
    case .json: return .jsonLines
    }
  }
}

/// The problems that did not stop a command, such as a damaged file of the favourites.
package final class Damage: Sendable {
  private let code = Locked<ExitCode?>(nil)

  init() {}

  /// The exit code of the first problem; `nil` if there was none.
  var exitCode: ExitCode? { code.withLock { $0 } }

  /// Records a problem. Only the first one determines the exit code.
  func note(_ exitCode: ExitCode) { code.withLock { $0 = $0 ?? exitCode } }
}

/// The messages that a signal prints before it ends a command.
package final class Interruption: Sendable {
  /// Errors, and notes after them.
  typealias Messages = (errors: [String], notes: [String])

  private let work = Locked<@Sendable () -> Messages>({ ([], []) })

  init() {}

  /// The messages at this moment.
  var messages: Messages { work.withLock { $0 }() }

  /// Sets the closure that returns the messages.
  func set(_ messages: @escaping @Sendable () -> Messages) { work.withLock { $0 = messages } }
}

/// Output that is held back until the current action is logged. The log of an action therefore precedes the output that
/// follows from it, on a terminal and in a pipe that receives both streams.
private final class OutputGate: Sendable {
  private struct Held {
    var isProcessing = false
    var texts: [(String, Bool)] = []
  }

  private let held = Locked(Held())
  private let output: @Sendable (String, Bool) -> Void
  private let log: @Sendable () -> Void

  init(output: @escaping @Sendable (String, Bool) -> Void, log: @escaping @Sendable () -> Void) {
    self.output = output
    self.log = log
  }

  func write(_ text: String, flush: Bool) {
    let isHeld = held.withLock { held in
      if held.isProcessing { held.texts.append((text, flush)) }
      return held.isProcessing
    }
    if isHeld { return }
    log()
    output(text, flush)
  }

  /// The feature that holds the output back. It is to the left of the logger, so that its after-reducer work runs after
  /// the logger's.
  var feature: Feature<AppAction, AppState> {
    Feature(
      middleware: Middleware { [self] _, _, _ in
        held.withLock { $0.isProcessing = true }
        return .afterReducer { [self] _ in
          let texts = held.withLock { held in
            defer { held = Held() }
            return held.texts
          }
          if texts.isEmpty { return }
          log()
          for (text, flush) in texts { output(text, flush) }
        }
      })
  }
}

/// The folder of the app's data.
package enum DataDirectory {
  /// The directory: the option, else `$XDG_DATA_HOME/reelux-movies`, else `~/.local/share/reelux-movies`. If there is
  /// no home folder, `.reelux-movies` in the working directory.
  ///
  /// A relative `XDG_DATA_HOME` is ignored, as the XDG specification requires. The directory is not created.
  package static func path(option: String?, environment: [String: String]) -> String {
    if let option { return option }
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/reelux-movies" }
    if let home = HomeFolder.path(environment: environment) { return home + "/.local/share/reelux-movies" }
    return ".reelux-movies"
  }
}

/// The user's home folder.
enum HomeFolder {
  /// The folder that `HOME` names. If it is not set or empty, the home folder of the account; `nil` if the account has
  /// none.
  static func path(environment: [String: String]) -> String? {
    if let home = environment["HOME"], !home.isEmpty { return home }
    guard let account = unsafe getpwuid(getuid()), let home = unsafe account.pointee.pw_dir else { return nil }
    let path = unsafe String(cString: home)
    return path.isEmpty ? nil : path
  }

  /// The path with the home folder in the place of a leading `~/`.
  static func expanding(_ path: String, environment: [String: String]) -> String {
    guard path.hasPrefix("~/"), let home = self.path(environment: environment) else { return path }
    return home + path.dropFirst()
  }
}
