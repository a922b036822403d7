package import Core
private import Favorites
private import Foundation

/// The maker of the store that a command runs on, with the outside that the options ask for.
package struct StoreMaker: Sendable {
  private let options: GlobalOptions
  private let environment: [String: String]
  private let console: Console

  /// Prepares the outside; nothing is opened or created yet.
  package init(options: GlobalOptions, environment: [String: String], console: Console) {
    self.options = options
    self.environment = environment
    self.console = console
  }

  /// The store of a command.
  package func store(for command: Invocation.Command) -> Store<AppAction, AppState> {
    Store(initialState: AppState(), feature: .app(outside(for: command)))
  }

  /// Writes what onlookers have still to write.
  package func flush() {}

  private func outside(for command: Invocation.Command) -> AppDependencies {
    var outside = AppDependencies(favorites: favorites(for: command))
    if let seed = options.seed { outside.chance = SeededChances(seed: seed).next }
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
}
