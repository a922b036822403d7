public import ReeluxLocation

/// One place of a track, with the values of its source.
public struct TrackPoint: Hashable, Codable, Sendable {
  /// What a point is part of.
  public enum Role: String, Codable, Sendable, CaseIterable {
    /// A recorded position: GPX `trkpt`, an NMEA position, or a generated point.
    case track
    /// A point of a planned way: GPX `rtept`.
    case route
    /// A place by itself: GPX `wpt`.
    case waypoint
  }

  /// The place.
  public var coordinate: Coordinate
  /// The time; `nil` if the source has none.
  public var timestamp: Timestamp?
  /// Metres within which the true place probably lies; `nil` when the source does not say.
  public var horizontalAccuracy: Double?
  /// Metres above mean sea level; `nil` when the source does not say.
  public var altitude: Double?
  /// Metres by which the altitude may be off; `nil` when the source does not say.
  public var verticalAccuracy: Double?
  /// Metres per second over ground; `nil` when the source does not say.
  public var speed: Double?
  /// Direction of travel in degrees clockwise from true north, 0 ..< 360; `nil` when the source does not say.
  public var course: Double?
  /// The number of satellites that were used; `nil` when the source does not say.
  public var satellites: Int?
  /// What the point is part of.
  public var role: Role
  /// The number of the track or route that the point belongs to, counted from 0 among those of its role.
  public var group: Int
  /// The number of the track segment or route that the point belongs to, counted from 0 through the whole source.
  /// The way between two parts is not known, so it does not count as travelled.
  public var part: Int
  /// The name of the point, where it has one.
  public var name: String?
  /// The values of GPX extensions by the names of their elements: `hr` for a heart rate, `cad`,
  /// `atemp`.
  public var extensions: [String: String]

  /// Creates a point; unknown values are `nil`.
  public init(
    coordinate: Coordinate, timestamp: Timestamp? = nil, horizontalAccuracy: Double? = nil, altitude: Double? = nil,
    verticalAccuracy: Double? = nil, speed: Double? = nil, course: Double? = nil, satellites: Int? = nil,
    role: Role = .track, group: Int = 0, part: Int = 0, name: String? = nil, extensions: [String: String] = [:]
  ) {
    self.coordinate = coordinate
    self.timestamp = timestamp
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.course = course
    self.satellites = satellites
    self.role = role
    self.group = group
    self.part = part
    self.name = name
    self.extensions = extensions
  }
}

/// A track, a route or the waypoints of a GPX document, or an NMEA log as a whole.
public struct TrackGroup: Hashable, Sendable {
  /// What its points are.
  public var role: TrackPoint.Role
  /// Its number, counted from 0 among those of its role.
  public var number: Int
  /// Its name, where it has one.
  public var name: String?
  /// How many points it has.
  public var points = 0
  /// How many of them have a time.
  public var timedPoints = 0
  /// How many segments have points.
  public var parts = 0

  init(role: TrackPoint.Role, number: Int) {
    self.role = role
    self.number = number
  }
}

extension TrackGroup: CustomStringConvertible {
  /// `track 2 'Morning run'`, with numbers from 1 as people count.
  public var description: String {
    guard role != .waypoint else { return "the waypoints" }
    return "\(role.rawValue) \(number + 1)\(name.map { " '\($0)'" } ?? "")"
  }
}
