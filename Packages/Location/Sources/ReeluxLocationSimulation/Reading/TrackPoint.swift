public import ReeluxLocation

/// A point of a track, with the values of its source.
public struct TrackPoint: Hashable, Codable, Sendable {
  /// The kind of element that contains a point.
  public enum Role: String, Codable, Sendable, CaseIterable {
    /// A recorded position: GPX `trkpt`, an NMEA position, or a generated point.
    case track
    /// A point of a planned route: GPX `rtept`.
    case route
    /// A single place: GPX `wpt`.
    case waypoint
  }

  /// The place of the point.
  public var coordinate: Coordinate
  /// The time; `nil` if the source has none.
  public var timestamp: Timestamp?
  /// The radius in metres within which the true place probably lies; `nil` if unknown.
  public var horizontalAccuracy: Double?
  /// The altitude in metres above mean sea level; `nil` if unknown.
  public var altitude: Double?
  /// The possible error of the altitude in metres; `nil` if unknown.
  public var verticalAccuracy: Double?
  /// The speed over ground in metres per second; `nil` if unknown.
  public var speed: Double?
  /// The direction of travel in degrees clockwise from true north, 0 ..< 360; `nil` if unknown.
  public var course: Double?
  /// The number of satellites used; `nil` if unknown.
  public var satellites: Int?
  /// The kind of element that contains the point.
  public var role: Role
  /// The number of the point's track or route, counted from 0 among those of the same role.
  public var group: Int
  /// The number of the point's track segment or route, counted from 0 in the whole source; 0 for a waypoint. The path
  /// between two parts is unknown and does not count as travelled.
  public var part: Int
  /// The name of the point, if it has one.
  public var name: String?
  /// The values of GPX extensions by element name, such as `hr` for a heart rate, `cad`, or `atemp`.
  public var extensions: [String: String]

  /// Creates a point. Unknown values are `nil`.
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

/// A track, a route or the waypoints of a GPX document, or a whole NMEA log.
public struct TrackGroup: Hashable, Sendable {
  /// The role of its points.
  public var role: TrackPoint.Role
  /// The number of the group, counted from 0 among those of the same role.
  public var number: Int
  /// The name of the group, if it has one.
  public var name: String?
  /// The number of points.
  public var points = 0
  /// The number of points with a time.
  public var timedPoints = 0
  /// The number of segments with points.
  public var parts = 0

  init(role: TrackPoint.Role, number: Int) {
    self.role = role
    self.number = number
  }

  /// Counts a point of the group.
  mutating func count(_ point: TrackPoint, beginsPart: Bool) {
    points += 1
    if point.timestamp != nil { timedPoints += 1 }
    // Waypoints are one part. They can stand between the parts of tracks.
    if role == .waypoint { parts = 1 } else if beginsPart { parts += 1 }
  }
}

extension TrackGroup: CustomStringConvertible {
  /// The text `track 2 'Morning run'`, with numbers from 1.
  public var description: String {
    guard role != .waypoint else { return "the waypoints" }
    return "\(role.rawValue) \(number + 1)\(name.map { " '\($0)'" } ?? "")"
  }
}
