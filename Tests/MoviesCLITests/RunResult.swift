/// What a run of the program left behind.
struct RunResult: Sendable {
  /// What it wrote to standard output.
  var output: String
  /// What it wrote to standard error.
  var errors: String
  /// Its exit code; a signal's number plus 128 when it was ended by one.
  var exitCode: Int32

  /// The lines of standard output.
  var lines: [Substring] { output.split(separator: "\n") }
}
