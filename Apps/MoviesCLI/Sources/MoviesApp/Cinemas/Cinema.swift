import Foundation
package import ReeluxLocation

/// A cinema. Those that come with the app are fictional.
package struct Cinema: Codable, Hashable, Sendable {
  /// The name over the door.
  package let name: String

  /// Where it stands.
  package let coordinate: Coordinate

  /// Creates a cinema.
  package init(name: String, coordinate: Coordinate) {
    self.name = name
    self.coordinate = coordinate
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

  /// The nearest cinema. Costs O(n), and a geodesic for each cinema that may be the nearest: as a rule, one.
  package static func nearest(to place: Coordinate, of cinemas: [Cinema]) -> CinemaDistance? {
    let chords = cinemas.map { squaredChord(place, $0.coordinate) }
    guard let shortest = chords.min() else { return nil }
    var nearest: CinemaDistance?
    // A sphere differs from the ellipsoid by less than 0.6 %, so that 2 % of a squared length is enough.
    for (cinema, chord) in zip(cinemas, chords) where chord <= shortest * 1.02 {
      let metres = place.distance(to: cinema.coordinate)
      if metres < nearest?.metres ?? .infinity { nearest = CinemaDistance(cinema: cinema, metres: metres) }
    }
    return nearest
  }

  /// The square of the straight line between two places on a sphere of radius one.
  private static func squaredChord(_ first: Coordinate, _ second: Coordinate) -> Double {
    let radians = Double.pi / 180
    let north = sin((first.latitude - second.latitude) * radians / 2)
    let east = sin((first.longitude - second.longitude) * radians / 2)
    return 4 * (north * north + cos(first.latitude * radians) * cos(second.latitude * radians) * east * east)
  }
}
