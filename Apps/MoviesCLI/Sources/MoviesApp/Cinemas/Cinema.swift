package import ReeluxLocation

/// A cinema. Those that come with the app are fictional.
package struct Cinema: Codable, Hashable, Sendable {
  /// The name over the door.
  package let name: String

  /// Where it stands.
  package let coordinate: Coordinate

  /// The place again, as it is compared with many others.
  let direction: UnitVector

  private enum CodingKeys: String, CodingKey { case name, coordinate }

  /// Creates a cinema.
  package init(name: String, coordinate: Coordinate) {
    self.name = name
    self.coordinate = coordinate
    direction = UnitVector(coordinate)
  }

  /// Reads a name and a coordinate.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      coordinate: try container.decode(Coordinate.self, forKey: .coordinate))
  }
}

/// A cinema and how far it is.
package struct CinemaDistance: Codable, Hashable, Sendable {
  /// The cinema.
  package let cinema: Cinema

  /// Metres along the geodesic.
  package let metres: Double

  /// The cinemas within `radius` metres of a place, the nearest first. Costs O(n log n).
  package static func around(
    _ place: Coordinate, radius: Double = .infinity, of cinemas: [Cinema]
  ) -> [CinemaDistance] {
    cinemas
      .map { CinemaDistance(cinema: $0, metres: place.distance(to: $0.coordinate)) }
      .filter { $0.metres <= radius }
      .sorted { ($0.metres, $0.cinema.name) < ($1.metres, $1.cinema.name) }
  }

  /// The nearest cinema. Costs O(n) at a nanosecond or two, and a geodesic for each cinema that may be the nearest: as a
  /// rule, one.
  package static func nearest(to place: Coordinate, of cinemas: [Cinema]) -> CinemaDistance? {
    let direction = UnitVector(place)
    var shortest = Double.infinity
    for cinema in cinemas { shortest = min(shortest, direction.squaredChord(to: cinema.direction)) }
    var nearest: CinemaDistance?
    // A sphere differs from the ellipsoid by less than 0.6 %, so that 2 % of a squared length is enough.
    for cinema in cinemas where direction.squaredChord(to: cinema.direction) <= shortest * 1.02 {
      let metres = place.distance(to: cinema.coordinate)
      if metres < nearest?.metres ?? .infinity { nearest = CinemaDistance(cinema: cinema, metres: metres) }
    }
    return nearest
  }
}
