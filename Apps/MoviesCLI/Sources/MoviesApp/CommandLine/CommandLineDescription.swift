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
