/// A command: its description, its arguments and its work.
///
/// Each command is one value. Related commands share a file. To add a command, add a value and a line in ``all``.
package struct Command: Sendable {
  /// The work of a command after its arguments are read.
  package typealias Run = @Sendable (CommandContext) async throws(CommandFailure) -> Void

  /// The description for help, the parser, completions and the manual page.
  package let description: CommandDescription

  /// Reads the arguments and returns the work. The work starts only if all arguments are valid.
  package let read: @Sendable (Arguments) throws(UsageError) -> Run

  init(
    _ name: String, _ argument: ArgumentDescription? = nil, options: [OptionDescription] = [], summary: String,
    details: String = "", examples: [String] = [], sendsActions: Bool = true, refused: [String] = [],
    read: @escaping @Sendable (Arguments) throws(UsageError) -> Run
  ) {
    self.description = CommandDescription(
      name, argument, options: options, summary: summary, details: details, examples: examples,
      sendsActions: sendsActions, refused: refused)
    self.read = read
  }

  /// Throws if the command line has an option that writes actions, and the command sends none.
  func checkOutputs(_ arguments: Arguments) throws(UsageError) {
    if description.sendsActions { return }
    for option in CommandLineDescription.actionOptions where arguments.has(option) {
      throw arguments.error("sends no actions, so \(option) has no effect")
    }
  }

  /// The commands, in the order of the help.
  package static let all: [Command] = [
    demo, browse, list, search, show, genres, favoriteAdd, favoriteRemove, favoriteToggle, favoriteList, track, nearby,
    replay, report, watch, script, settings, completions, manual,
  ]

  /// The commands whose output depends on no setting. A fault in the settings does not stop them, because a shell can
  /// run `completions` whenever it starts.
  static let withoutSettings = [completions, manual].map(\.description.name)

  /// The command with exactly this name.
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
        """
        0 success; 1 failure, or no such movie, track or action; 64 wrong usage;

        65 bad data; 66 missing input; 74 input or output failed;

        129 hang-up; 130 interrupted; 131 quit; 143 terminated.

        A list or a search without a result is a success. Data and results go to standard output; notes, errors and logs to standard error. If the reader closes the pipe,
        the program ends with 0 and without a message.
        """
      ),
      (
        "Settings",
        """
        An option (--data-dir) overrides its environment variable (MOVIES_DATA_DIR). The variable overrides the file
        $XDG_CONFIG_HOME/reelux-movies/settings (lines like 'color = never'). The file overrides the default. 'settings
        --help' lists the variables.
        """
      ),
      (
        "Simulated",
        """
        The favourites server, the walk and the cinemas are simulated or fictional. Nothing uses the network.
        """
      ),
    ])
}

extension OptionDescription {
  /// `--json`
  static let json = OptionDescription.flag("--json", "print JSON with stable keys")

  /// `--json`, for output that grows while the command runs
  static let jsonLines = OptionDescription.flag("--json", "print JSON with stable keys, one object on each line")

  /// `--format`
  static let format = OptionDescription.choice(
    "--format", OutputFormat.allCases.map(\.rawValue), "how the list is written; default: table")

  /// `--limit N`
  static let limit = OptionDescription.option("--limit", "N", "at most N movies")
}

extension CommandFailure {
  /// The failure of a command whose catalogue could not be read.
  init(_ error: CatalogError) {
    self.init(error.description, error.kind == .missing ? .missingInput : .badData)
  }
}
