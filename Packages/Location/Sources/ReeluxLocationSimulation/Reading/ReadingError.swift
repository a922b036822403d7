/// How a reader treats a value that is damaged or missing.
public enum ReadingMode: Hashable, Sendable {
  /// Skips the value, counts it in ``SkippedContent``, and goes on.
  case lenient
  /// Throws a ``ReadingError``.
  case strict
}

/// The reason why an input could not be read, with file and line: `walk.gpx:12: latitude 95.0 is not
/// between -90 and 90`.
public struct ReadingError: Error, Hashable, Codable, Sendable {
  /// The kind of an error, for programs with an exit code for each kind.
  public enum Kind: String, Codable, Sendable {
    /// There is no such file.
    case missing
    /// The file exists, but the system does not allow reading it.
    case unreadable
    /// The content is malformed.
    case malformed
  }

  /// The kind of the error.
  public var kind: Kind
  /// The name of the input, usually a file's path.
  public var input: String
  /// The line of a malformed input, counted from 1; `nil` when nothing was read.
  public var line: Int?
  /// The reason, as text.
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

/// The progress of a reader.
public struct ReadingProgress: Hashable, Sendable {
  /// Bytes read so far.
  public var bytes: Int
  /// Bytes of the whole input; `nil` when it is not known before its end.
  public var totalBytes: Int?
  /// Points read so far.
  public var points: Int

  /// Creates a progress report.
  public init(bytes: Int, totalBytes: Int?, points: Int) {
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.points = points
  }

  /// The read share, 0 … 1; `nil` if the size is not known.
  public var fraction: Double? {
    guard let totalBytes else { return nil }
    return totalBytes > 0 ? min(1, Double(bytes) / Double(totalBytes)) : 1
  }
}

/// The values that a lenient reader skipped or repaired: for each kind of damage a reason, a count and the
/// first line.
public struct SkippedContent: Hashable, Sendable {
  /// One kind of damage.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The reason at the first place.
    public let reason: String
    /// The number of places.
    public internal(set) var count: Int
    /// The line of the first place, counted from 1.
    public let firstLine: Int

    /// `12 times, first in line 7: '' in <ele> is not a number`.
    public var description: String {
      count == 1 ? "in line \(firstLine): \(reason)" : "\(count) times, first in line \(firstLine): \(reason)"
    }
  }

  /// The kinds of damage that are counted apart.
  enum Kind: UInt8 {
    case point, longitude, time, number, name, namespace, prefix, encoding, text, outside, extensions
    case checksum, noSentence, noPosition, sentence, field
  }

  /// The kinds of damage, in the order in which they were first met.
  public private(set) var entries: [Entry] = []
  private var kinds: [Kind] = []

  /// Creates an empty list.
  public init() {}

  /// Whether nothing was skipped.
  public var isEmpty: Bool { entries.isEmpty }

  /// How often something was skipped.
  public var count: Int { entries.reduce(0) { $0 + $1.count } }

  /// How often a kind of damage was met.
  func count(of kind: Kind) -> Int {
    kinds.firstIndex(of: kind).map { entries[$0].count } ?? 0
  }

  /// Counts a damage of a kind that was met before; false when it was not.
  mutating func count(again kind: Kind) -> Bool {
    guard let index = kinds.firstIndex(of: kind) else { return false }
    entries[index].count += 1
    return true
  }

  /// Counts a damage; the reason and the line are those of the first of its kind.
  mutating func note(_ kind: Kind, line: @autoclosure () -> Int, _ reason: @autoclosure () -> String) {
    if count(again: kind) { return }
    kinds.append(kind)
    entries.append(Entry(reason: reason(), count: 1, firstLine: line()))
  }
}
