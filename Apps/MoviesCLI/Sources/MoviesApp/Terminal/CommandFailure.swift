/// The failure of a command: a message and an exit code.
package struct CommandFailure: Error, Hashable, Sendable {
  /// What failed, the reason, and what to try; empty if there is nothing to print.
  package let message: String

  package let exitCode: ExitCode

  package init(_ message: String, _ exitCode: ExitCode) {
    self.message = message
    self.exitCode = exitCode
  }
}

/// The exit codes of the program.
package enum ExitCode: Int32, Sendable {
  /// Success.
  case done = 0
  /// A part of the command failed, such as a refused favourite. Or the command line names a movie, track or action that
  /// does not exist.
  case failed = 1
  /// The command line is invalid.
  case usage = 64
  /// The content of a file is invalid.
  case badData = 65
  /// A file does not exist or cannot be read.
  case missingInput = 66
  /// Reading or writing failed.
  case inputOutput = 74
  /// The user pressed ^C on the full screen. SIGINT ends the process with the same number.
  case interrupted = 130
}

/// An invalid command line; exit code 64.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, and what to try: `unknown command 'lst'. Did you mean 'list'?`
  package let message: String

  /// The command whose help explains more; empty for the program's help.
  package let command: String

  init(_ message: String, command: String = "") {
    self.message = message
    self.command = command
  }

  /// The message for an unknown word, with the most similar known word.
  ///
  /// - Parameter list: The command that lists the known words. The message names it if no known word is similar.
  static func unknown(
    _ kind: String, _ word: String, among known: [String], command: String = "", list: String? = nil
  ) -> UsageError {
    let suggestion = Suggestion.closest(to: word, among: known).map { ". Did you mean '\($0)'?" }
    let advice = suggestion ?? list.map { ". '\($0)' lists the \(kind)s" } ?? ""
    // The word may be a line of a file that is not a script.
    return UsageError("unknown \(kind) '\(TextWidth.shortened(word, to: 80))'\(advice)", command: command)
  }
}
