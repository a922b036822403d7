/// A place on the WGS-84 ellipsoid, in degrees.
///
/// A coordinate is always valid: the latitude lies in −90 … 90 and the longitude in −180 … 180, and neither is
/// infinite or not a number. So no code needs to check it again.
///
/// ```swift
/// let berlin = Coordinate(latitude: 52.5200, longitude: 13.4050)    // Coordinate?
/// let fiji = Coordinate(normalizing: -17.7, longitude: 181.2)       // longitude −178.8
/// ```
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90 … 90.
  public let latitude: Double
  /// Degrees east of Greenwich, −180 … 180.
  public let longitude: Double

  /// Creates a coordinate, or `nil` if a value is out of range or not a number.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north, −90 … 90.
  ///   - longitude: Degrees east, −180 … 180.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Creates a coordinate of any two numbers: the latitude is limited to the poles, the longitude wraps
  /// around.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north. A value that is not a number counts as 0.
  ///   - longitude: Degrees east; 190 is −170. What is infinite or not a number counts as 0.
  public init(normalizing latitude: Double, longitude: Double) {
    self.latitude = latitude.isNaN ? 0 : min(90, max(-90, latitude))
    self.longitude = Coordinate.wrapped(longitude)
  }

  /// The longitude in −180 … 180 that names the same meridian.
  static func wrapped(_ longitude: Double) -> Double {
    guard longitude.isFinite else { return 0 }
    guard !(-180...180).contains(longitude) else { return longitude }
    return longitude.remainder(dividingBy: 360)
  }
}

extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  /// Reads the two numbers; throws if they are out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: container, debugDescription: "\(latitude), \(longitude) is no place on Earth")
    }
    self = coordinate
  }
}

extension Coordinate: CustomStringConvertible {
  /// Latitude and longitude in degrees: `52.52, 13.405`.
  public var description: String { "\(latitude), \(longitude)" }
}
