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
