package import ReeluxLocation

/// A cinema. The built-in ones are fictional.
package struct Cinema: Codable, Hashable, Sendable {
  /// The name of the cinema.
  package let name: String

  package let coordinate: Coordinate

  /// The coordinate as a unit vector, which is faster to compare.
  let direction: UnitVector

  private enum CodingKeys: String, CodingKey { case name, coordinate }

  package init(name: String, coordinate: Coordinate) {
    self.name = name
    self.coordinate = coordinate
    direction = UnitVector(coordinate)
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decode(String.self, forKey: .name),
      coordinate: try container.decode(Coordinate.self, forKey: .coordinate))
  }
}

/// A cinema and its distance.
package struct CinemaDistance: Codable, Hashable, Sendable {
  package let cinema: Cinema

  /// The distance in metres along the geodesic.
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

  /// The nearest cinema. Costs O(n), one or two nanoseconds each. It computes a geodesic for each cinema that may be
  /// the nearest, usually for one.
  package static func nearest(to place: Coordinate, of cinemas: [Cinema]) -> CinemaDistance? {
    let direction = UnitVector(place)
    var shortest = Double.infinity
    for cinema in cinemas { shortest = min(shortest, direction.squaredChord(to: cinema.direction)) }
    var nearest: CinemaDistance?
    // The lengths on a sphere and on the ellipsoid differ by less than 0.6 %, so a tolerance of 2 % of the squared
    // length is enough.
    for cinema in cinemas where direction.squaredChord(to: cinema.direction) <= shortest * 1.02 {
      let metres = place.distance(to: cinema.coordinate)
      if metres < nearest?.metres ?? .infinity { nearest = CinemaDistance(cinema: cinema, metres: metres) }
    }
    return nearest
  }
}
