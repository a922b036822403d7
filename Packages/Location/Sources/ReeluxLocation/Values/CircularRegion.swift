/// A circle on the ground that can be watched for entering and leaving.
public struct CircularRegion: Hashable, Codable, Sendable, Identifiable {
  /// The name that events carry. Two regions with the same id are the same watch: the later replaces the earlier.
  public let id: String
  /// The middle.
  public var center: Coordinate
  /// Metres from the middle to the edge, at least 0.
  public let radius: Double

  /// Creates a region.
  ///
  /// - Parameters:
  ///   - id: The name that events carry.
  ///   - center: The middle.
  ///   - radius: Metres; what is negative or not a number counts as 0.
  public init(id: String, center: Coordinate, radius: Double) {
    self.id = id
    self.center = center
    self.radius = radius > 0 ? radius : 0
  }
}
