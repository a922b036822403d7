/// A stay at one place.
public struct Visit: Hashable, Codable, Sendable {
  /// The centre of the place.
  public var coordinate: Coordinate
  /// The radius in metres of the place.
  public var radius: Double
  /// The time at which the stay began; `nil` if unknown.
  public var arrival: Timestamp?
  /// The time at which the stay ended; `nil` until then.
  public var departure: Timestamp?

  /// Creates a visit.
  public init(coordinate: Coordinate, radius: Double, arrival: Timestamp?, departure: Timestamp? = nil) {
    self.coordinate = coordinate
    self.radius = radius
    self.arrival = arrival
    self.departure = departure
  }
}
