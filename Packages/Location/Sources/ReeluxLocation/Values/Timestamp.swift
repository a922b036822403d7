/// A moment: the seconds since 1970-01-01T00:00:00 UTC without leap seconds.
///
/// States and actions use it instead of a `Date`, so that they need no Foundation and recordings contain plain numbers.
/// With Foundation, `Date(timeIntervalSince1970: timestamp.secondsSince1970)` is the same moment.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Seconds since the start of 1970 in UTC, with fractions; negative before it.
  public var secondsSince1970: Double

  /// The start of 1970.
  public static let epoch = Timestamp(secondsSince1970: 0)

  /// Creates a moment.
  ///
  /// - Parameter secondsSince1970: Seconds since the start of 1970 in UTC. A value that is not a number counts as 0.
  public init(secondsSince1970: Double) {
    self.secondsSince1970 = secondsSince1970.isNaN ? 0 : secondsSince1970
  }

  /// The seconds from this moment to another. They are positive if the other is later.
  public func seconds(to other: Timestamp) -> Double {
    other.secondsSince1970 - secondsSince1970
  }

  /// The moment after this number of seconds.
  public func advanced(bySeconds seconds: Double) -> Timestamp {
    Timestamp(secondsSince1970: secondsSince1970 + seconds)
  }

  /// Whether a moment is before another.
  public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
    lhs.secondsSince1970 < rhs.secondsSince1970
  }
}

extension Timestamp: Codable {
  /// Decodes a number of seconds.
  public init(from decoder: any Decoder) throws {
    self.init(secondsSince1970: try decoder.singleValueContainer().decode(Double.self))
  }

  /// Encodes the number of seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(secondsSince1970)
  }
}
