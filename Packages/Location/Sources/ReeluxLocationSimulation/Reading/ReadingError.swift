/// Why an input could not be read, with the place: `walk.gpx:12: latitude 95.0 is not between -90 and 90`.
public struct ReadingError: Error, Hashable, Codable, Sendable {
  /// What kind of trouble it is, for programs that answer each with an exit code of its own.
  public enum Kind: String, Codable, Sendable {
    /// There is no such file.
    case missing
    /// The file is there, but the system does not hand it over.
    case unreadable
    /// The content is not what it should be.
    case malformed
  }

  /// The kind of trouble.
  public var kind: Kind
  /// The name of the input, usually a file's path.
  public var input: String
  /// The line of a malformed input, counted from 1; `nil` when nothing was read.
  public var line: Int?
  /// What is wrong, in words.
  public var reason: String

  /// Creates an error.
  public init(kind: Kind, input: String, line: Int? = nil, reason: String) {
    self.kind = kind
    self.input = input
    self.line = line
    self.reason = reason
  }
}

extension ReadingError: CustomStringConvertible {
  /// `input:line: reason`, or `input: reason` where no line is known.
  public var description: String {
    guard let line else { return "\(input): \(reason)" }
    return "\(input):\(line): \(reason)"
  }
}
