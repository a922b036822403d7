/// Why a recording cannot be written or read.
public enum RecordingError: Error, Hashable, Sendable {
  /// The file exists already and is not empty.
  case exists(path: String)
  /// The system refused to open, read or write the file.
  case system(path: String, reason: String)
  /// The file holds no line.
  case empty(path: String)
  /// The first line is not the header of a recording.
  case noHeader(path: String, reason: String)
  /// The recording was written by a newer version.
  case newerSchema(path: String, found: Int, known: Int)
  /// A line is damaged, and it is not the last one.
  case damagedLine(path: String, line: Int, reason: String)
}

extension RecordingError: CustomStringConvertible {
  /// What failed, why, and what to try.
  public var description: String {
    switch self {
    case .exists(let path): "'\(path)' exists already. Choose another file, or remove it first."
    case .system(let path, let reason): "'\(path)' cannot be used for a recording: \(reason)."
    case .empty(let path): "'\(path)' is empty; a recording begins with a header."
    case .noHeader(let path, let reason): "\(path):1: this is not the header of a recording: \(reason)"
    case .newerSchema(let path, let found, let known):
      "\(path):1: the recording has schema \(found), this version reads up to \(known). Use a newer version."
    case .damagedLine(let path, let line, let reason): "\(path):\(line): the line is damaged: \(reason)"
    }
  }
}
