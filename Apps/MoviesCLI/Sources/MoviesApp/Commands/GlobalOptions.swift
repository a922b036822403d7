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
  package var color = ColorChoice.auto
  /// Whether notes and progress are left out.
  package var quiet = false
  /// The file to record the actions to.
  package var record: String?
  /// Whether a file that exists already is replaced.
  package var force = false

  /// The defaults.
  package init() {}

  /// Reads the options of a command line.
  package init(_ arguments: Arguments) throws(UsageError) {
    catalog = arguments.text("--catalog")
    dataDirectory = arguments.text("--data-dir")
    log = arguments.text("--log").flatMap(Log.init)
    logFile = arguments.text("--log-file")
    latency = try arguments.duration("--latency") ?? .zero
    failureRate = try arguments.probability("--failure-rate") ?? 0
    seed = try arguments.seed("--seed")
    color = arguments.text("--color").flatMap(ColorChoice.init) ?? .auto
    quiet = arguments.has("--quiet")
    record = arguments.text("--record")
    force = arguments.has("--force")
  }

  /// The options as help and the parser know them.
  static let descriptions: [OptionDescription] = [
    .option(
      "--catalog", "FILE", .file, "MovieLens, IMDb title.basics.tsv or JSON; - is standard input; default: built-in"
    ),
    .option("--data-dir", "DIR", .folder, "the folder of the favourites; default: $XDG_DATA_HOME/reelux-movies"),
    .choice("--log", ["off", "compact", "pretty", "json"], "log every action"),
    .option("--log-file", "FILE", .file, "log to this file, not to standard error; default format: compact"),
    .option("--record", "FILE", .file, "record every action, for 'replay' and 'report'"),
    .option("--latency", "DURATION", "how long the simulated favourites server takes, such as 300ms"),
    .option("--failure-rate", "P", "how often the simulated server fails, 0 to 1"),
    .option("--seed", "N", "use the same random numbers in every run"),
    .choice("--color", ["auto", "always", "never"], "when to use colour; auto: on a terminal, unless NO_COLOR is set"),
    .flag("--force", "replace a file that exists: of --record, of --output, or a log of another format"),
    .flag("--quiet", "no notes and no progress"),
  ]
}
