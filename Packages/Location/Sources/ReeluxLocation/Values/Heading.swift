/// A direction of travel or orientation.
public struct Heading: Hashable, Codable, Sendable {
  /// The direction in degrees clockwise from true north, 0 ..< 360. On a device, it is relative to magnetic north while
  /// Core Location has no true heading.
  public let degrees: Double
  /// The time of the measurement.
  public var timestamp: Timestamp
  /// The possible error in degrees; `nil` if unknown.
  public var accuracy: Double?

  /// Creates a heading.
  ///
  /// - Parameters:
  ///   - degrees: Degrees clockwise from true north. Any number is normalized to 0 ..< 360.
  ///   - timestamp: The time of the measurement.
  ///   - accuracy: The possible error in degrees.
  public init(degrees: Double, timestamp: Timestamp, accuracy: Double? = nil) {
    self.degrees = Heading.normalized(degrees)
    self.timestamp = timestamp
    self.accuracy = accuracy
  }

  /// Decodes a heading, and normalizes its degrees.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      degrees: try container.decode(Double.self, forKey: .degrees),
      timestamp: try container.decode(Timestamp.self, forKey: .timestamp),
      accuracy: try container.decodeIfPresent(Double.self, forKey: .accuracy))
  }

  /// Normalizes an angle to 0 ..< 360 degrees. A value that is not finite becomes 0.
  package static func normalized(_ degrees: Double) -> Double {
    guard degrees.isFinite else { return 0 }
    if degrees > 0, degrees < 360 { return degrees }
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    return positive < 360 ? positive + 0 : 0
  }

  /// The smallest turn in degrees between two directions, 0 … 180.
  static func turn(from first: Double, to second: Double) -> Double {
    abs((second - first).remainder(dividingBy: 360))
  }
}
