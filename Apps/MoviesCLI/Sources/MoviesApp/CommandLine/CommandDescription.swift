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
