package import ReeluxLocation

/// What can happen to the cinemas.
package enum CinemasAction: Codable, Hashable, Sendable {
  /// Look around at a place, as far as the radius in metres.
  case look(at: Coordinate, radius: Double)
}
