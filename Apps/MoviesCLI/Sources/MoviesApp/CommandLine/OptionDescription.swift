/// An option of the command line, as help, the parser and its messages know it.
package struct OptionDescription: Hashable, Sendable {
  /// The name with its dashes: `--limit`.
  package let name: String

  /// What stands for the value in help, `N`; `nil` for a flag.
  package let value: String?

  /// The only values that are allowed; empty when there are too many to list.
  package let choices: [String]

  /// What it does, a phrase.
  package let summary: String

  /// Describes an option that takes a value.
  static func option(_ name: String, _ value: String, _ summary: String) -> OptionDescription {
    OptionDescription(name: name, value: value, choices: [], summary: summary)
  }

  /// Describes an option whose value is one of a few.
  static func choice(_ name: String, _ choices: [String], _ summary: String) -> OptionDescription {
    OptionDescription(name: name, value: choices.joined(separator: "|"), choices: choices, summary: summary)
  }

  /// Describes a flag.
  static func flag(_ name: String, _ summary: String) -> OptionDescription {
    OptionDescription(name: name, value: nil, choices: [], summary: summary)
  }

  /// The name with its value: `--limit N`.
  var usage: String { value.map { "\(name) \($0)" } ?? name }
}
