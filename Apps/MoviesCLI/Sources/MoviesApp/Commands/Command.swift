/// A command: how it is described, how its arguments are read, and what it does.
///
/// Each is one value in a file of its own. A new command is a new file and a line in ``all``.
package struct Command: Sendable {
  /// What a command does, once its arguments are read.
  package typealias Run = @Sendable (CommandContext) async throws(CommandFailure) -> Void

  /// The command as help, the parser, completions and the manual page know it.
  package let description: CommandDescription

  /// Reads the arguments, and answers what to do. Nothing is done before all of them make sense.
  package let read: @Sendable (Arguments) throws(UsageError) -> Run

  /// Creates a command.
  init(
    _ name: String, _ argument: ArgumentDescription? = nil, options: [OptionDescription] = [], summary: String,
    details: String = "", examples: [String] = [],
    read: @escaping @Sendable (Arguments) throws(UsageError) -> Run
  ) {
    self.description = CommandDescription(
      name, argument, options: options, summary: summary, details: details, examples: examples)
    self.read = read
  }

  /// The commands, in the order of the help.
  package static let all: [Command] = [
    demo, browse, list, search, show, genres, favoriteAdd, favoriteRemove, favoriteToggle, favoriteList, track, nearby,
    replay, report, watch, script, settings, completions, manual,
  ]

  /// The command of exactly this name.
  package static func named(_ name: String) -> Command? { all.first { $0.description.name == name } }
}

extension CommandLineDescription {
  /// The command line of MoviesCLI.
  package static let movies = CommandLineDescription(
    program: Program.title,
    summary: "movies, favourites and a walk to the cinema, on one store.",
    examples: [
      "list --genre horror --sort year", "search caligari", "favorite add metropolis-1927",
      "--catalog movies.csv list --year 1994 --format csv", "track walk.gpx --log compact",
    ],
    commands: Command.all.map(\.description),
    defaultCommand: "demo",
    globalOptions: GlobalOptions.descriptions,
    notes: [
      (
        "Exit codes",
        [
          "0 done   1 failed, also an unknown movie   64 wrong usage   65 bad data   66 missing input",
          "74 input or output failed   130 interrupted   143 terminated",
          "Data go to standard output; notes, errors and logs to standard error.",
          "A reader that closes the pipe ends the program quietly, with 0.",
        ]
      ),
      (
        "Settings",
        [
          "A flag (--data-dir) overrides its environment variable (MOVIES_DATA_DIR). The variable overrides the file",
          "$XDG_CONFIG_HOME/reelux-movies/settings (lines like 'color = never'). The file overrides the default.",
        ]
      ),
      (
        "Simulated",
        ["The favourites server, the walk and the cinemas are simulated or fictional. Nothing uses the network."]
      ),
    ])
}

extension OptionDescription {
  /// `--json`
  static let json = OptionDescription.flag("--json", "print JSON with stable keys")

  /// `--format`
  static let format = OptionDescription.choice(
    "--format", OutputFormat.allCases.map(\.rawValue), "how the list is written; default: table")

  /// `--limit N`
  static let limit = OptionDescription.option("--limit", "N", "at most N movies")
}

extension CommandFailure {
  /// The failure that a catalogue could not be read.
  init(_ error: CatalogError) {
    let exitCode: ExitCode =
      switch error.kind {
      case .missing: .missingInput
      case .unreadable: .inputOutput
      case .malformed: .badData
      }
    self.init(error.description, exitCode)
  }
}
