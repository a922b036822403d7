public import Foundation

/// The treatment of damaged or missing values.
public enum ReadingMode: Hashable, Sendable {
  /// The reader skips the value, counts it in ``SkippedContent``, and continues.
  case lenient
  /// The reader throws a ``ReadingError``.
  case strict
}

/// The failure to read an input, with file and line: `walk.gpx:12: latitude 95.0 is not between -90 and 90`.
public struct ReadingError: Error, Hashable, Codable, Sendable {
  /// The kind of an error, for programs with an exit code for each kind.
  public enum Kind: String, Codable, Sendable {
    /// There is no such file.
    case missing
    /// The input cannot be read, for example without permission, or because it is a directory.
    case unreadable
    /// The content is malformed.
    case malformed
    /// The input does not have the selected track or route.
    case absent
  }

  /// The kind of the error.
  public var kind: Kind
  /// The name of the input, usually its path.
  public var input: String
  /// The line of a malformed input, counted from 1; `nil` if no line is the cause.
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
  /// The text `input:line: reason`, or `input: reason` if the line is unknown.
  public var description: String {
    guard let line else { return "\(input): \(reason)" }
    return "\(input):\(line): \(reason)"
  }
}

extension ReadingError: LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

/// The progress of a reader.
public struct ReadingProgress: Hashable, Sendable {
  /// The number of bytes read so far.
  public var bytes: Int
  /// The number of bytes of the whole input; `nil` if it is unknown before the end.
  public var totalBytes: Int?
  /// The number of points read so far.
  public var points: Int

  /// Creates a progress report.
  public init(bytes: Int, totalBytes: Int?, points: Int) {
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.points = points
  }

  /// The share of the input that was read, 0 … 1; `nil` if the size is unknown.
  public var fraction: Double? {
    guard let totalBytes else { return nil }
    return totalBytes > 0 ? min(1, Double(bytes) / Double(totalBytes)) : 1
  }
}

/// The values that a lenient reader skipped or repaired. Each kind of damage has a reason, a count and a first line.
public struct SkippedContent: Hashable, Sendable {
  /// One kind of damage.
  public struct Entry: Hashable, Sendable, CustomStringConvertible {
    /// The reason at the first occurrence.
    public let reason: String
    /// The number of occurrences.
    public internal(set) var count: Int
    /// The line of the first occurrence, counted from 1.
    public let firstLine: Int
    /// Whether the content was skipped. Otherwise it was repaired or read nevertheless.
    public let isSkipped: Bool
    /// Whether the content is a single value, such as a time. The point that has it is read without it.
    package let isValue: Bool

    /// The text `12 times, first in line 7: '' in <ele> is not a number`.
    public var description: String {
      count == 1 ? "in line \(firstLine): \(reason)" : "\(count) times, first in line \(firstLine): \(reason)"
    }
  }

  /// The kinds of damage with separate counts.
  enum Kind: UInt8 {
    case point, longitude, course, time, number, name, namespace, prefix, encoding, text, outside, extensions
    case checksum, noSentence, noPosition, lateSentence, sentence, field

    /// Whether the content is skipped. Otherwise it is repaired or read nevertheless.
    var isSkipped: Bool {
      switch self {
      case .longitude, .course, .name, .namespace, .prefix, .encoding, .text: false
      default: true
      }
    }

    /// Whether the content is a single value of a point.
    var isValue: Bool {
      switch self {
      case .time, .number, .extensions, .field: true
      default: false
      }
    }
  }

  /// The kinds of damage, in the order of their first occurrence.
  public private(set) var entries: [Entry] = []
  private var kinds: [Kind] = []

  /// Creates an empty list.
  public init() {}

  /// Whether nothing was skipped or repaired.
  public var isEmpty: Bool { entries.isEmpty }

  /// The number of all skipped or repaired values.
  public var count: Int { entries.reduce(0) { $0 + $1.count } }

  /// The entry of a kind; `nil` if it did not occur.
  func entry(of kind: Kind) -> Entry? {
    kinds.firstIndex(of: kind).map { entries[$0] }
  }

  /// The number of occurrences of a kind.
  func count(of kind: Kind) -> Int { entry(of: kind)?.count ?? 0 }

  /// Counts a further occurrence of a kind. Returns false if this is the first one.
  mutating func count(again kind: Kind) -> Bool {
    guard let index = kinds.firstIndex(of: kind) else { return false }
    entries[index].count += 1
    return true
  }

  /// Counts an occurrence. Only the first one of a kind determines reason and line.
  mutating func note(_ kind: Kind, line: @autoclosure () -> Int, _ reason: @autoclosure () -> String) {
    if count(again: kind) { return }
    kinds.append(kind)
    entries.append(
      Entry(reason: reason(), count: 1, firstLine: line(), isSkipped: kind.isSkipped, isValue: kind.isValue))
  }
}
