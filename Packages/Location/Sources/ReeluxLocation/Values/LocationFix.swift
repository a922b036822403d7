/// A position at one moment, with the known facts of its motion.
public struct LocationFix: Hashable, Codable, Sendable {
  /// The place.
  public var coordinate: Coordinate
  /// The time of the fix.
  public var timestamp: Timestamp
  /// Radius in metres within which the true place probably lies; `nil` when unknown.
  public var horizontalAccuracy: Double?
  /// Metres above mean sea level, as the source gives it; `nil` when unknown.
  public var altitude: Double?
  /// Metres by which the altitude may be off; `nil` when unknown.
  public var verticalAccuracy: Double?
  /// Metres per second over ground; `nil` when unknown.
  public var speed: Double?
  /// Direction of travel in degrees clockwise from true north, 0 ..< 360; `nil` when unknown or standing still.
  public var course: Double?
  /// The number of satellites that were used; `nil` when unknown.
  public var satellites: Int?

  /// Creates a fix; unknown values are `nil`.
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
