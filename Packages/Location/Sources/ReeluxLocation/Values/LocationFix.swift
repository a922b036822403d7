/// A position at one moment, with the known data of its motion.
public struct LocationFix: Hashable, Codable, Sendable {
  /// The place.
  public var coordinate: Coordinate
  /// The time of the fix.
  public var timestamp: Timestamp
  /// The radius in metres within which the true place probably lies; `nil` if unknown.
  public var horizontalAccuracy: Double?
  /// The altitude in metres above mean sea level, as the source states it; `nil` if unknown.
  public var altitude: Double?
  /// The possible error of the altitude in metres; `nil` if unknown.
  public var verticalAccuracy: Double?
  /// The speed over ground in metres per second; `nil` if unknown.
  public var speed: Double?
  /// The direction of travel in degrees clockwise from true north, 0 ..< 360; `nil` if unknown or at rest.
  public var course: Double?
  /// The number of satellites used; `nil` if unknown.
  public var satellites: Int?

  /// Creates a fix. Unknown values are `nil`.
  public init(
    coordinate: Coordinate, timestamp: Timestamp, horizontalAccuracy: Double? = nil, altitude: Double? = nil,
    verticalAccuracy: Double? = nil, speed: Double? = nil, course: Double? = nil, satellites: Int? = nil
  ) {
    self.coordinate = coordinate
    self.timestamp = timestamp
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.course = course
    self.satellites = satellites
  }
}
