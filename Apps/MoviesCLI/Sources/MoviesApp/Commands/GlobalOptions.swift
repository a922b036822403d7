/// The options that every command takes.
package struct GlobalOptions: Hashable, Sendable {
  /// The styles of the log.
  package enum Log: String, CaseIterable, Hashable, Sendable {
    /// No log.
    case off
    /// One line for each action.
    case compact
    /// Each action with the paths that it changed.
    case pretty
    /// JSON Lines.
    case json
  }

  /// The catalogue file; `nil` for the built-in one.
  package var catalog: String?
  /// The value of `--catalog` that means the built-in catalogue.
  static let builtInCatalog = "built-in"
  /// Whether the catalogue comes from standard input or a pipe, so that nothing identifies it.
  var readsCatalogFromStream: Bool {
    catalog.map(InputFile.isStream) ?? false
  }
  /// The data directory; `nil` for the user's.
  package var dataDirectory: String?
  /// The style of the log; `nil` if it was not given. The log is then compact if a file is named, and off otherwise.
  package var log: Log?
  /// The file of the log; `nil` for standard error.
  package var logFile: String?
  /// The response time of the simulated API; `nil` if it was not given. It is then 0.7 seconds in `browse`, and zero in
  /// other commands.
  package var latency: Duration?
  /// The share of requests that fail in the simulated API, from 0 to 1. In `browse`, the API refuses them. In other
  /// commands, they do not reach the API and are attempted again.
  package var failureRate = 0.0
  /// The seed of all random numbers; `nil` for a new one in each run. The simulated walk then uses 0.
  package var seed: UInt64?
  /// When colour is used.
  package var color = ColorChoice.auto
  /// Whether notes and progress are suppressed.
  package var quiet = false
  /// The file that receives the recording; `nil` for none.
  package var record: String?
  /// Whether existing files may be replaced.
  package var force = false

  package init() {}

  /// Reads the options of a command line.
  package init(_ arguments: Arguments) throws(UsageError) {
    catalog = arguments.text("--catalog").flatMap { $0 == Self.builtInCatalog ? nil : $0 }
    dataDirectory = arguments.text("--data-dir")
    log = arguments.text("--log").flatMap(Log.init)
    logFile = arguments.text("--log-file")
    latency = try arguments.duration("--latency")
    failureRate = try arguments.probability("--failure-rate") ?? 0
    seed = try arguments.seed("--seed")
    color = arguments.text("--color").flatMap(ColorChoice.init) ?? .auto
    quiet = arguments.has("--quiet")
    record = arguments.text("--record")
    force = arguments.has("--force")
  }

  /// The options for help and the parser.
  static let descriptions: [OptionDescription] = [
    .option(
      "--catalog", "FILE", .file,
      "MovieLens, IMDb title.basics.tsv or JSON; - is standard input, and built-in is the default"),
    .option(
      "--data-dir", "DIR", .folder,
      "the folder of the favourites; default: $XDG_DATA_HOME/reelux-movies, or ~/.local/share/reelux-movies"),
    .choice(
      "--log", Log.allCases.map(\.rawValue),
      "log every action to standard error, or to --log-file; times are in UTC; default: off"),
    .option("--log-file", "FILE", .file, "write the log to this file; without --log, the format is compact"),
    .option("--record", "FILE", .file, "write every action to this file, for 'replay' and 'report'"),
    .option(
      "--latency", "DURATION", "the simulated server's response time, such as 300ms; default: 0ms, in browse 700ms"),
    .option(
      "--failure-rate", "P",
      "the share of requests to the simulated server that fail, 0 to 1; a request is tried four times, in browse once; "
        + "default: 0"),
    .option("--seed", "N", "use the same random numbers in every run"),
    .choice(
      "--color", ColorChoice.allCases.map(\.rawValue), "when to use colour; auto: on a terminal, unless NO_COLOR is set"
    ),
    .flag("--force", "replace an existing recording or output file, or a log that has another format"),
    .flag("--quiet", "print no notes and no progress on standard error"),
  ]
}
