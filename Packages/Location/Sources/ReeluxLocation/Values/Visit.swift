/// A stay at one place.
public struct Visit: Hashable, Codable, Sendable {
  /// The middle of the place.
  public var coordinate: Coordinate
  /// The radius in metres of the area of the stay.
  public var radius: Double
  /// When the stay began.
  public var arrival: Timestamp
  /// When it ended; `nil` while it lasts.
  public var departure: Timestamp?

  /// Creates a visit.
  public init(coordinate: Coordinate, radius: Double, arrival: Timestamp, departure: Timestamp? = nil) {
    self.coordinate = coordinate
    self.radius = radius
    self.arrival = arrival
    self.departure = departure
  }
}
