import Foundation

/// A check, before any work is done, that a file which was asked for can be written.
enum WritableFile {
  /// Creates the file if it is not there; leaves its content alone.
  static func check(_ path: String) throws(CommandFailure) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else {
      throw CommandFailure("\(path) cannot be written: \(String(cString: strerror(errno)))", .inputOutput)
    }
    close(file)
  }
}
