public import Foundation

/// The reason why a recording cannot be written or read.
public enum RecordingError: Error, Hashable, Sendable {
  /// The file exists already. For a recorder, this is an error only if the file is not empty.
  case exists(path: String)
  /// The recorder was started by a second store, or twice by one store.
  case usedTwice(path: String)
  /// The system could not open, read or write the file. `reason` says what failed and why.
  case system(path: String, reason: String)
  /// The file has no lines.
  case empty(path: String)
  /// The first line is not the header of a recording.
  case noHeader(path: String, reason: String)
  /// The recording was written by a version with another format.
  case otherSchema(path: String, found: Int, known: Int)
  /// A line is intact, but its action or state does not fit the app's types.
  case unknownContent(path: String, line: Int, reason: String)
  /// The recording does not have all of these actions.
  case noSuchActions(path: String, numbers: ClosedRange<Int>, count: Int)
  /// The output file is the recording itself.
  case wouldReplaceInput(path: String)
}

extension RecordingError {
  /// The error for a file that the system cannot open, write or sync.
  static func unwritable(_ path: String, _ reason: String) -> RecordingError {
    .system(path: path, reason: "the file cannot be written: \(reason)")
  }
}

extension RecordingError: CustomStringConvertible {
  /// The failure and its reason, and for some failures what to try.
  public var description: String {
    switch self {
    case .exists(let path): "\(path): the file exists already. Choose another file, or remove it first."
    case .usedTwice(let path):
      "\(path): the recording ends here: one recorder records one store, and this one was started twice. "
        + "Make a recorder for each store."
    case .system(let path, let reason): "\(path): \(reason)"
    case .empty(let path): "\(path): the file is empty; a recording begins with a header"
    case .noHeader(let path, let reason): "\(path):1: this is not the header of a recording: \(reason)"
    case .otherSchema(let path, let found, let known):
      found > known
        ? "\(path):1: the recording has schema \(found), this version reads schema \(known). Use a newer version."
        : "\(path):1: the recording has schema \(found), this version reads schema \(known). Record the run again."
    case .unknownContent(let path, let line, let reason):
      "\(path):\(line): the line cannot be read: \(reason)"
    case .noSuchActions(let path, let numbers, let count):
      "\(path): there are no actions \(numbers.lowerBound) to \(numbers.upperBound): the recording has"
        + (count == 0 ? " none." : " the actions 1 to \(count).")
    case .wouldReplaceInput(let path): "\(path): this is the recording itself. Choose another file for the output."
    }
  }
}

extension RecordingError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// A damaged line of a recording.
public struct RecordingDamage: Error, Hashable, Sendable {
  /// The name of the file in errors.
  public var path: String
  /// The line, counted from 1.
  public var line: Int
  /// The kind of the damage, such as "the line is repeated".
  public var reason: String
}

extension RecordingDamage: CustomStringConvertible {
  /// The file, the line and the kind of the damage.
  public var description: String { "\(path):\(line): \(reason)" }
}

extension RecordingDamage: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The error for a recording without an end line. Actions may be missing: the program was killed, or the last lines are
/// lost.
///
/// The chain of checksums does not show whether lines are missing at the end. Only the last line of a closed recording
/// shows this.
public struct RecordingUnfinished: Error, Hashable, Sendable {
  /// A message with the file's name.
  public let description: String

  /// Checks the end of a recording. Returns `nil` if it was closed, or if it is damaged before its end.
  public init?<Action, State>(_ recording: Recording<Action, State>) {
    guard recording.damage == nil else { return nil }
    switch recording.ending {
    case .closed: return nil
    case .open:
      description =
        "\(recording.name):\(recording.nextLine): the recording has no end: the program did not close it, or the lines after"
        + " action \(recording.count) are lost"
    case .cutOff(let line, _):
      description =
        "\(recording.name):\(line): the line is cut off: the program that wrote it was killed, or the copy is incomplete."
        + " What follows action \(recording.count) is lost"
    }
  }
}

extension RecordingUnfinished: CustomStringConvertible {}

extension RecordingUnfinished: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}
