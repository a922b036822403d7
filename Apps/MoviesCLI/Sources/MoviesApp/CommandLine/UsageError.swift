/// A command line that makes no sense; exit code 64.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, and what to try: `unknown command 'lst'. Did you mean 'list'?`
  package let message: String

  /// The command whose help explains more; empty for the program's.
  package let command: String

  init(_ message: String, command: String = "") {
    self.message = message
    self.command = command
  }

  /// A message about an unknown word, with the closest known one.
  static func unknown(
    _ kind: String, _ word: String, among known: [String], command: String = ""
  ) -> UsageError {
    let closest = Suggestion.closest(to: word, among: known)
    return UsageError(
      "unknown \(kind) '\(word)'" + (closest.map { ". Did you mean '\($0)'?" } ?? ""), command: command)
  }
}
