/// The result of a run of the program.
struct RunResult: Sendable {
  /// The text on standard output.
  var output: String
  /// The text on standard error.
  var errors: String
  /// The exit code, which is 128 plus the signal's number after a signal.
  var exitCode: Int32

  /// The lines of standard output.
  var lines: [Substring] { output.split(separator: "\n") }
}
