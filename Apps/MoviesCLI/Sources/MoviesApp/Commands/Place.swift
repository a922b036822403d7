/// A place on the earth, in degrees.
package struct Place: Codable, Hashable, Sendable {
  /// Degrees north, -90 to 90.
  package var latitude: Double
  /// Degrees east, -180 to 180.
  package var longitude: Double

  /// Creates a place.
  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
