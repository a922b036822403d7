/// A place on the WGS-84 ellipsoid, in degrees.
///
/// A coordinate is always valid. The latitude is in −90 … 90 and the longitude in −180 … 180. Both are finite numbers.
/// So no code needs to check this again.
///
/// ```swift
/// let berlin = Coordinate(latitude: 52.5200, longitude: 13.4050)    // Coordinate?
/// let fiji = Coordinate(normalizing: -17.7, longitude: 181.2)       // longitude −178.8
/// ```
public struct Coordinate: Hashable, Sendable {
  /// The latitude in degrees north of the equator, −90 … 90.
  public let latitude: Double
  /// The longitude in degrees east of Greenwich, −180 … 180.
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

  /// Creates a coordinate from any two numbers. The latitude is clamped to the poles, and the longitude wraps around.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north. A value that is not a number counts as 0.
  ///   - longitude: Degrees east; 190 becomes −170. A value that is infinite or not a number counts as 0.
  public init(normalizing latitude: Double, longitude: Double) {
    self.latitude = latitude.isNaN ? 0 : min(90, max(-90, latitude))
    self.longitude = Coordinate.wrapped(longitude)
  }

  /// The longitude in −180 … 180 of the same meridian.
  static func wrapped(_ longitude: Double) -> Double {
    guard longitude.isFinite else { return 0 }
    guard !(-180...180).contains(longitude) else { return longitude }
    return longitude.remainder(dividingBy: 360)
  }
}

extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey { case latitude, longitude }

  /// Decodes the two numbers. Throws if they are out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: container, debugDescription: "\(latitude), \(longitude) is not a valid coordinate")
    }
    self = coordinate
  }
}

extension Coordinate: CustomStringConvertible {
  /// The latitude and longitude in degrees, rounded to 10⁻⁸ degrees, about a millimetre: `52.52, 13.405`.
  public var description: String { "\(Self.rounded(latitude)), \(Self.rounded(longitude))" }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e8).rounded() / 1e8 }
}

extension Coordinate: CustomReflectable {
  /// A coordinate has no parts: it is shown by its description.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
