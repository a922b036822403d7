/// The description of a program's command line. The parser, the help, the completions and the suggestions use only this
/// description.
package struct CommandLineDescription: Sendable {
  /// The program's name.
  package let program: String

  /// A sentence that describes the program.
  package let summary: String

  /// Examples, without the program's name.
  package let examples: [String]

  /// The commands, in the order of the help.
  package let commands: [CommandDescription]

  /// The name of the command that runs if the command line names none.
  package let defaultCommand: String

  /// The options of every command.
  package let globalOptions: [OptionDescription]

  /// Sections at the end of the help: a heading and its text.
  package let notes: [(heading: String, text: String)]

  /// The options of every command that a command accepts.
  func globalOptions(of command: CommandDescription) -> [OptionDescription] {
    globalOptions.filter { !command.refused.contains($0.name) }
  }

  /// The options that write actions. A command that sends no actions refuses them.
  static let actionOptions = ["--record", "--log-file", "--log"]

  /// The command with exactly this name.
  package func command(named name: String) -> CommandDescription? {
    commands.first { $0.name == name }
  }

  /// The first words of all commands.
  var firstWords: [String] {
    var seen: Set<String> = []
    return commands.compactMap { $0.words.first }.filter { seen.insert($0).inserted }
  }

  /// The commands that begin with this word.
  func group(_ word: String) -> [CommandDescription] {
    commands.filter { $0.words.first == word }
  }
}

/// The description of a command for help, the parser and messages.
package struct CommandDescription: Hashable, Sendable {
  /// The words of its name: `["favorite", "add"]`.
  package let words: [String]

  /// Its argument, if it takes any.
  package let argument: ArgumentDescription?

  /// Its own options, without those of every command.
  package let options: [OptionDescription]

  /// A sentence that describes the command.
  package let summary: String

  /// Further details, a few lines of prose; may be empty.
  package let details: String

  /// Examples, without the program's name.
  package let examples: [String]

  /// Whether the command, or the commands of a script, send actions that can be logged and recorded.
  package let sendsActions: Bool

  /// The options of every command that this one refuses.
  package let refused: [String]

  init(
    _ name: String, _ argument: ArgumentDescription? = nil, options: [OptionDescription] = [], summary: String,
    details: String = "", examples: [String] = [], sendsActions: Bool = true, refused: [String] = []
  ) {
    self.words = name.split(separator: " ").map(String.init)
    self.argument = argument
    self.options = options
    self.summary = summary
    self.details = details
    self.examples = examples
    self.sendsActions = sendsActions
    self.refused = sendsActions ? refused : CommandLineDescription.actionOptions
  }

  /// The name as it is typed: `favorite add`.
  package var name: String { words.joined(separator: " ") }

  /// The command with its argument: `favorite add ID...`.
  var usage: String { argument.map { "\(name) \($0.usage)" } ?? name }
}

/// The description of an option for help, the parser and messages.
package struct OptionDescription: Hashable, Sendable {
  /// The name with its dashes: `--limit`.
  package let name: String

  /// The placeholder of the value in help, such as `N`; `nil` for a flag.
  package let value: String?

  /// The valid values; empty if there is no fixed set of them.
  package let choices: [String]

  /// The kind of the value, for completions.
  package let kind: ValueKind

  /// A phrase that describes the option.
  package let summary: String

  /// Describes an option that takes a value.
  static func option(_ name: String, _ value: String, _ summary: String) -> OptionDescription {
    .option(name, value, .text, summary)
  }

  /// Describes an option with a kind of value that completions offer.
  static func option(
    _ name: String, _ value: String, _ kind: ValueKind, _ summary: String
  ) -> OptionDescription {
    OptionDescription(name: name, value: value, choices: [], kind: kind, summary: summary)
  }

  /// Describes an option with a fixed set of values.
  static func choice(_ name: String, _ choices: [String], _ summary: String) -> OptionDescription {
    OptionDescription(
      name: name, value: choices.joined(separator: "|"), choices: choices, kind: .text, summary: summary)
  }

  /// Describes a flag.
  static func flag(_ name: String, _ summary: String) -> OptionDescription {
    OptionDescription(name: name, value: nil, choices: [], kind: .text, summary: summary)
  }

  /// The name with its value: `--limit N`.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// The kind of a value. Completions offer the known values of a kind.
package enum ValueKind: Hashable, Sendable {
  /// Anything.
  case text
  /// A file.
  case file
  /// A folder.
  case folder
  /// A movie of the catalogue, by its id.
  case movie
  /// A genre of the catalogue.
  case genre
  /// One of these words.
  case choice([String])
}

/// A positional argument.
package struct ArgumentDescription: Hashable, Sendable {
  /// The placeholder in help: `ID`.
  package let name: String

  /// How often the argument may be given.
  package let count: ClosedRange<Int>

  /// The kind of the argument.
  package let kind: ValueKind

  /// The argument in a usage line: `ID`, `[FILE]`, `TEXT...`.
  var usage: String {
    let repeated = count.upperBound > 1 ? "\(name)..." : name
    return count.lowerBound == 0 ? "[\(repeated)]" : repeated
  }

  /// Describes an argument that is given exactly once.
  static func one(_ name: String, _ kind: ValueKind = .text) -> ArgumentDescription {
    ArgumentDescription(name: name, count: 1...1, kind: kind)
  }

  /// Describes an optional argument.
  static func optional(_ name: String, _ kind: ValueKind = .text) -> ArgumentDescription {
    ArgumentDescription(name: name, count: 0...1, kind: kind)
  }

  /// Describes an argument that is given at least once.
  static func many(_ name: String, _ kind: ValueKind = .text) -> ArgumentDescription {
    ArgumentDescription(name: name, count: 1...Int.max, kind: kind)
  }
}
