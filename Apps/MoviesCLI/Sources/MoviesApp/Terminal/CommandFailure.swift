/// Why a command could not be done: one message for people and an exit code.
package struct CommandFailure: Error, Hashable, Sendable {
  /// What failed, the reason, and what to try.
  package let message: String

  /// The exit code.
  package let exitCode: ExitCode

  /// Creates a failure.
  package init(_ message: String, _ exitCode: ExitCode) {
    self.message = message
    self.exitCode = exitCode
  }
}

/// How the program ended, as other programs see it.
package enum ExitCode: Int32, Sendable {
  /// Everything that was asked is done.
  case done = 0
  /// Something that was asked could not be done: an unknown movie, a favourite that was refused.
  case failed = 1
  /// The command line makes no sense.
  case usage = 64
  /// A file's content is wrong.
  case badData = 65
  /// A file is not there, or may not be read.
  case missingInput = 66
  /// Reading or writing failed.
  case inputOutput = 74
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143
}

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
