/// Everything there is to know about a program's command line. Parsing, help and suggestions come from it alone.
package struct CommandLineDescription: Sendable {
  /// The program's name.
  package let program: String

  /// What it is, a sentence.
  package let summary: String

  /// Examples, without the program's name.
  package let examples: [String]

  /// The commands, in the order of the help.
  package let commands: [CommandDescription]

  /// The name of the command that runs when none is named.
  package let defaultCommand: String

  /// The options that are allowed everywhere.
  package let globalOptions: [OptionDescription]

  /// Sections at the end of the help: a heading and its lines.
  package let notes: [(heading: String, lines: [String])]

  /// The command of exactly this name.
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

/// A command, as help, the parser and its messages know it.
package struct CommandDescription: Hashable, Sendable {
  /// The words that name it: `["favorite", "add"]`.
  package let words: [String]

  /// Its argument, if it takes any.
  package let argument: ArgumentDescription?

  /// Its own options; those that are allowed everywhere are not repeated.
  package let options: [OptionDescription]

  /// What it does, a sentence.
  package let summary: String

  /// More to know, a few lines of prose; empty when there is nothing.
  package let details: String

  /// Examples, without the program's name.
  package let examples: [String]

  init(
    _ name: String, _ argument: ArgumentDescription? = nil, options: [OptionDescription] = [], summary: String,
    details: String = "", examples: [String] = []
  ) {
    self.words = name.split(separator: " ").map(String.init)
    self.argument = argument
    self.options = options
    self.summary = summary
    self.details = details
    self.examples = examples
  }

  /// The words as they are typed: `favorite add`.
  package var name: String { words.joined(separator: " ") }

  /// The command with its argument: `favorite add ID...`.
  var usage: String { argument.map { "\(name) \($0.usage)" } ?? name }
}

/// An option of the command line, as help, the parser and its messages know it.
package struct OptionDescription: Hashable, Sendable {
  /// The name with its dashes: `--limit`.
  package let name: String

  /// What stands for the value in help, `N`; `nil` for a flag.
  package let value: String?

  /// The only values that are allowed; empty when there are too many to list.
  package let choices: [String]

  /// What the value names, for completions.
  package let kind: ValueKind

  /// Whether it may be given more than once; otherwise the last one counts.
  package let isRepeatable: Bool

  /// What it does, a phrase.
  package let summary: String

  /// Describes an option that takes a value.
  static func option(_ name: String, _ value: String, _ summary: String) -> OptionDescription {
    .option(name, value, .text, summary)
  }

  /// Describes an option whose value names something that completions can offer.
  static func option(
    _ name: String, _ value: String, _ kind: ValueKind, _ summary: String
  ) -> OptionDescription {
    OptionDescription(name: name, value: value, choices: [], kind: kind, isRepeatable: false, summary: summary)
  }

  /// Describes an option that takes a value and may be given more than once.
  static func many(_ name: String, _ value: String, _ kind: ValueKind, _ summary: String) -> OptionDescription {
    OptionDescription(name: name, value: value, choices: [], kind: kind, isRepeatable: true, summary: summary)
  }

  /// Describes an option whose value is one of a few.
  static func choice(_ name: String, _ choices: [String], _ summary: String) -> OptionDescription {
    OptionDescription(
      name: name, value: choices.joined(separator: "|"), choices: choices, kind: .text, isRepeatable: false,
      summary: summary)
  }

  /// Describes a flag.
  static func flag(_ name: String, _ summary: String) -> OptionDescription {
    OptionDescription(name: name, value: nil, choices: [], kind: .text, isRepeatable: false, summary: summary)
  }

  /// The name with its value: `--limit N`.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// What a value names. Completions offer what there is of it.
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

/// An argument that is named by its place.
package struct ArgumentDescription: Hashable, Sendable {
  /// What stands for it in help: `ID`.
  package let name: String

  /// How often it may be given.
  package let count: ClosedRange<Int>

  /// What it names.
  package let kind: ValueKind

  /// The argument in a usage line: `ID`, `[FILE]`, `TEXT...`.
  var usage: String {
    let repeated = count.upperBound > 1 ? "\(name)..." : name
    return count.lowerBound == 0 ? "[\(repeated)]" : repeated
  }

  /// Describes an argument that is there once.
  static func one(_ name: String, _ kind: ValueKind = .text) -> ArgumentDescription {
    ArgumentDescription(name: name, count: 1...1, kind: kind)
  }

  /// Describes an argument that may be left out.
  static func optional(_ name: String, _ kind: ValueKind = .text) -> ArgumentDescription {
    ArgumentDescription(name: name, count: 0...1, kind: kind)
  }

  /// Describes an argument that is there at least once.
  static func many(_ name: String, _ kind: ValueKind = .text) -> ArgumentDescription {
    ArgumentDescription(name: name, count: 1...Int.max, kind: kind)
  }
}
