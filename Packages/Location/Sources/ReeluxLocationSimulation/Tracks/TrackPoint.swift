public import ReeluxLocation

/// One place of a track, with what its source says about it.
public struct TrackPoint: Hashable, Codable, Sendable {
  /// What a point is part of.
  public enum Role: String, Codable, Sendable, CaseIterable {
    /// A point where something was: GPX `trkpt`, an NMEA position, or generated.
    case track
    /// A point of a planned way: GPX `rtept`.
    case route
    /// A place by itself: GPX `wpt`.
    case waypoint
  }

  /// The place.
  public var coordinate: Coordinate
  /// When it was there; `nil` when the source does not say.
  public var timestamp: Timestamp?
  /// Metres within which the true place probably lies; `nil` when the source does not say.
  public var horizontalAccuracy: Double?
  /// Metres above mean sea level; `nil` when the source does not say.
  public var altitude: Double?
  /// Metres per second over ground; `nil` when the source does not say.
  public var speed: Double?
  /// Direction of travel in degrees clockwise from true north, 0 ..< 360; `nil` when the source does not say.
  public var course: Double?
  /// What the point is part of.
  public var role: Role
  /// The number of the track segment or route that the point belongs to, counted from 0 through the whole source.
  /// Between two parts nothing is known of the way, so that it does not count as travelled.
  public var part: Int
  /// The name of the point, where it has one.
  public var name: String?

  /// Creates a point; what is not known stays `nil`.
  public init(
    coordinate: Coordinate, timestamp: Timestamp? = nil, horizontalAccuracy: Double? = nil, altitude: Double? = nil,
    speed: Double? = nil, course: Double? = nil, role: Role = .track, part: Int = 0, name: String? = nil
  ) {
    self.coordinate = coordinate
    self.timestamp = timestamp
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.role = role
    self.part = part
    self.name = name
  }
}
