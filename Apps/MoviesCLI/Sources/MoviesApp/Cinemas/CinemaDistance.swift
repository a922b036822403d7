package import Location

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

  /// The nearest cinema. Costs O(n).
  package static func nearest(to place: Coordinate, of cinemas: [Cinema]) -> CinemaDistance? {
    var nearest: CinemaDistance?
    for cinema in cinemas {
      let metres = place.distance(to: cinema.coordinate)
      if metres < nearest?.metres ?? .infinity { nearest = CinemaDistance(cinema: cinema, metres: metres) }
    }
    return nearest
  }
}
