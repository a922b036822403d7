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
