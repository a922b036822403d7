/// An area on the ground, a circle or a polygon. A watch reports when the device enters and
/// leaves it.
///
/// ```swift
/// let cinema = LocationRegion(id: "cinema", center: door, radius: 80)
/// let park = LocationRegion(id: "park", polygon: corners)
/// ```
public struct LocationRegion: Hashable, Codable, Sendable, Identifiable {
  /// The form of a region.
  public enum Shape: Hashable, Codable, Sendable {
    /// All places at most so many metres from the middle.
    case circle(center: Coordinate, radius: Double)
    /// The places within a closed line. The last corner is joined to the first.
    case polygon([Coordinate])
  }

  /// The id of the region in events. A later region with the same id replaces an earlier one.
  public let id: String
  /// The form.
  public let shape: Shape

  /// Creates a circle.
  ///
  /// - Parameters:
  ///   - id: The id of the region in events.
  ///   - center: The middle.
  ///   - radius: Metres; what is negative or not a number counts as 0.
  public init(id: String, center: Coordinate, radius: Double) {
    self.id = id
    shape = .circle(center: center, radius: radius > 0 ? radius : 0)
  }

  /// Creates a polygon. It may cross the antimeridian, and one that goes round a pole holds the pole that it is nearer to.
  ///
  /// - Parameters:
  ///   - id: The name that events carry.
  ///   - polygon: The corners in order, at least three; the edges are great circles and should not cross. With fewer
  ///     corners the region is empty.
  public init(id: String, polygon: [Coordinate]) {
    self.id = id
    shape = .polygon(polygon)
  }

  /// Whether a place is in the region; the edge belongs to it. Costs O(corners).
  public func contains(_ place: Coordinate) -> Bool { distance(to: place) <= 0 }

  /// Metres from a place to the edge of the region, negative inside of it.
  ///
  /// For a circle it is geodesic, to a millimetre; for a polygon it is that on a sphere, within 0.6 %. Costs O(corners).
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

  /// Counts the edges that cross the meridian of a place north of it: an odd number means that it is inside.
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
      guard (west < 0) != (west + width < 0) else { continue }
      // The latitude of a great circle at a meridian between two places.
      let (first, second) = (Angle(degrees: start.latitude), Angle(degrees: end.latitude))
      let sine =
        first.sine * second.cosine * Angle(degrees: west + width).sine
        - second.sine * first.cosine * Angle(degrees: west).sine
      let cosine = first.cosine * second.cosine * Angle(degrees: width).sine
      let crossing = cosine == 0 ? max(start.latitude, end.latitude) : Angle.radians(sine / cosine, 1) * 180 / .pi
      if crossing > place.latitude { isInside.toggle() }
    }
    // Round a pole, the line to the north pole begins inside when it is the north pole that the polygon holds.
    return abs(turn) > 180 && latitudes > 0 ? !isInside : isInside
  }
}
