/// An area on the ground, either a circle or a polygon. A watch reports when the device enters and leaves it.
///
/// ```swift
/// let cinema = LocationRegion(id: "cinema", center: door, radius: 80)
/// let park = LocationRegion(id: "park", polygon: corners)
/// ```
public struct LocationRegion: Hashable, Codable, Sendable, Identifiable {
  /// The form of a region.
  public enum Shape: Hashable, Codable, Sendable {
    /// All places within this number of metres from the centre.
    case circle(center: Coordinate, radius: Double)
    /// The places inside a closed line. The last corner is connected to the first.
    case polygon([Coordinate])
  }

  /// The id of the region in events. A later region with the same id replaces an earlier one.
  public let id: String
  /// The circle or polygon.
  public let shape: Shape

  /// Creates a circle.
  ///
  /// - Parameters:
  ///   - id: The id of the region in events.
  ///   - center: The centre.
  ///   - radius: The radius in metres. A negative value, or one that is not a number, counts as 0.
  public init(id: String, center: Coordinate, radius: Double) {
    self.id = id
    shape = .circle(center: center, radius: radius > 0 ? radius : 0)
  }

  /// Creates a polygon. It may cross the antimeridian. A polygon around a pole contains the pole that is nearer to its
  /// corners.
  ///
  /// - Parameters:
  ///   - id: The id of the region in events.
  ///   - polygon: The corners in order, at least three. The edges are great circles and should not cross. With fewer
  ///     corners the region is empty.
  public init(id: String, polygon: [Coordinate]) {
    self.id = id
    shape = .polygon(polygon)
  }

  /// Whether a place is in the region. The edge is part of it. Costs O(corners).
  public func contains(_ place: Coordinate) -> Bool { distance(to: place) <= 0 }

  /// The distance in metres from a place to the edge of the region. It is negative inside.
  ///
  /// For a circle, the distance is geodesic and accurate to a millimetre. For a polygon, it is computed on a sphere and
  /// accurate to 0.6 %. Costs O(corners).
  public func distance(to place: Coordinate) -> Double {
    switch shape {
    case .circle(let center, let radius): return center.distance(to: place) - radius
    case .polygon(let corners):
      guard corners.count >= 3 else { return .infinity }
      let vectors = corners.map(UnitVector.init)
      let vector = UnitVector(place)
      var nearest = Double.infinity
      for index in vectors.indices {
        let next = index + 1 < vectors.count ? index + 1 : 0
        nearest = min(nearest, vector.metres(toArc: vectors[index], vectors[next]))
      }
      return Self.holds(corners, place) ? -nearest : nearest
    }
  }

  /// Whether a place is inside a polygon. Counts the edges that cross the meridian north of the place. An odd number
  /// means that the place is inside. If the polygon contains the north pole, an even number means this.
  private static func holds(_ corners: [Coordinate], _ place: Coordinate) -> Bool {
    var isInside = false
    var turn = 0.0
    var latitudes = 0.0
    for index in corners.indices {
      let (start, end) = (corners[index], corners[index + 1 < corners.count ? index + 1 : 0])
      let west = (start.longitude - place.longitude).remainder(dividingBy: 360)
      let width = (end.longitude - start.longitude).remainder(dividingBy: 360)
      turn += width
      latitudes += start.latitude
      let sum = west + width
      // The sum is rounded. A corner near the meridian must be on the same side for both of its edges.
      let east = abs(sum) < 90 ? (end.longitude - place.longitude).remainder(dividingBy: 360) : sum
      guard (west < 0) != (east < 0) else { continue }
      // The latitude of a great circle at a meridian between two places.
      let (first, second) = (Angle(degrees: start.latitude), Angle(degrees: end.latitude))
      let sine =
        first.sine * second.cosine * Angle(degrees: east).sine
        - second.sine * first.cosine * Angle(degrees: west).sine
      let cosine = first.cosine * second.cosine * Angle(degrees: width).sine
      // If the cosine is 0, the edge leads through a pole, so it crosses the other meridians there.
      let pole = start.latitude + end.latitude > 0 ? 90.0 : -90
      let crossing = cosine == 0 ? pole : Angle.radians(sine / cosine, 1) * 180 / .pi
      if crossing > place.latitude { isInside.toggle() }
    }
    // If the polygon contains the north pole, the line from the place to this pole begins inside.
    return abs(turn) > 180 && latitudes > 0 ? !isInside : isInside
  }
}
