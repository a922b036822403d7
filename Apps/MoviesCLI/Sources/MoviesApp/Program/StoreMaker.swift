import Core
import Favorites
import Foundation
import Logger

/// The maker of the store that a command runs on, with the outside that the options ask for.
package struct StoreMaker: Sendable {
  private let options: GlobalOptions
  private let environment: [String: String]
  private let logger: LoggerMiddleware<AppAction, AppState>?

  /// Prepares the outside; of files, only those that the options name for writing are opened.
  package init(options: GlobalOptions, environment: [String: String]) throws(CommandFailure) {
    self.options = options
    self.environment = environment
    if let file = options.logFile { try WritableFile.check(file) }
    self.logger = Self.destination(options, environment).map { LoggerMiddleware(to: $0) }
  }

  /// The store of a command.
  func store(for command: Invocation.Command) -> Store<AppAction, AppState> {
    Store(initialState: AppState(), feature: .app(outside(for: command)))
  }

  /// Writes what onlookers have still to write.
  func flush() {
    logger?.flush()
  }

  private func outside(for command: Invocation.Command) -> AppDependencies {
    var outside = AppDependencies(favorites: favorites(for: command))
    if let seed = options.seed { outside.chance = SeededChances(seed: seed).next }
    if let logger { outside.onlookers = .logger(logger) }
    return outside
  }

  private func favorites(for command: Invocation.Command) -> FavoritesAPI<Movie.ID> {
    let path = DataDirectory.path(option: options.dataDirectory, environment: environment) + "/favorites.json"
    return .mock(
      latency: options.latency > .zero ? .fixed(options.latency) : .none,
      // Only failures that leave nothing done: what is reported as failed is not kept.
      failures: FavoritesFailures(rate: options.failureRate, kinds: [.offline]),
      seed: options.seed ?? UInt64.random(in: 0...UInt64.max),
      storage: command == .demo ? .memory() : .file(at: path))
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
