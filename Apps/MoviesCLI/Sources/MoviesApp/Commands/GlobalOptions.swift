/// The options that every command takes.
package struct GlobalOptions: Hashable, Sendable {
  /// The styles of the log.
  package enum Log: String, CaseIterable, Hashable, Sendable {
    /// No log.
    case off
    /// A line an action.
    case compact
    /// An action with the paths that it changed.
    case pretty
    /// JSON Lines.
    case json
  }

  /// When colour is used.
  package enum Color: String, CaseIterable, Hashable, Sendable {
    /// On a terminal, unless the environment is against it.
    case auto
    /// Always.
    case always
    /// Never.
    case never
  }

  /// The catalogue file; `nil` for the built-in one.
  package var catalog: String?
  /// The data directory; `nil` for the user's.
  package var dataDirectory: String?
  /// The log's style; `nil` when it was not given: then there is one only if a file is named, a compact one.
  package var log: Log?
  /// The file of the log; `nil` for standard error.
  package var logFile: String?
  /// How long the simulated API takes to answer.
  package var latency = Duration.zero
  /// How often the simulated API fails, 0 to 1.
  package var failureRate = 0.0
  /// The seed of everything random; `nil` for a fresh one.
  package var seed: UInt64?
  /// When colour is used.
  package var color = Color.auto
  /// Whether notes and progress are left out.
  package var quiet = false
  /// The file to record the actions to.
  package var record: String?

  /// The defaults.
  package init() {}
}
