/// A moment: seconds since 1970-01-01T00:00:00 UTC, leap seconds not counted.
///
/// It stands in for a date in states and actions, so that they need no Foundation and their recordings are plain
/// numbers. With Foundation, `Date(timeIntervalSince1970: timestamp.secondsSince1970)` is the same moment.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since the start of 1970 in UTC, with fractions; negative before it.
  public var secondsSince1970: Double

  /// The start of 1970.
  public static let epoch = Timestamp(secondsSince1970: 0)

  /// Creates a moment.
  ///
  /// - Parameter secondsSince1970: Seconds since the start of 1970 in UTC. What is not a number counts as 0.
  public init(secondsSince1970: Double) {
    self.secondsSince1970 = secondsSince1970.isNaN ? 0 : secondsSince1970
  }

  /// Returns the seconds from this moment to another: positive when the other is later.
  public func seconds(to other: Timestamp) -> Double {
    other.secondsSince1970 - secondsSince1970
  }

  /// Returns the moment that many seconds later.
  public func advanced(bySeconds seconds: Double) -> Timestamp {
    Timestamp(secondsSince1970: secondsSince1970 + seconds)
  }

  /// Tells whether a moment is before another.
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.secondsSince1970 < rhs.secondsSince1970
  }
}

extension Timestamp: Codable {
  /// Reads a number of seconds.
  public init(from decoder: any Decoder) throws {
    self.init(secondsSince1970: try decoder.singleValueContainer().decode(Double.self))
  }

  /// Writes the number of seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsSince1970)
  }
}
