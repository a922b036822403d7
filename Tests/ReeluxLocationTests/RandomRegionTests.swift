import ReeluxCore
import ReeluxLocation
import Testing

/// Polygons around a centre anywhere on the Earth. A place is inside if it is in one of the triangles at the centre.
@Suite(.timeLimit(.minutes(15))) struct RandomRegionTests {
  @Test func anyPolygonHoldsThePlacesOfItsTriangles() {
    var counts: [Bool: Int] = [:]
    for seed in 1...1_000 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      let center = Coordinate(normalizing: numbers.unit() * 180 - 90, longitude: numbers.unit() * 360 - 180)
      let size = [10_000.0, 1_000_000, 5_000_000][Int(numbers.next() % 3)]
      let count = Int(3 + numbers.next() % 6)
      let corners = (0..<count).map { index in
        center.moved(
          by: size * (0.1 + 0.9 * numbers.unit()),
          bearing: (Double(index) + 0.9 * numbers.unit()) * 360 / Double(count))
      }
      let triangles = corners.indices.map { Triangle(center, corners[$0], corners[($0 + 1) % count]) }
      // Without this, the centre does not see the whole edge.
      guard triangles.allSatisfy({ $0.turn > 1e-12 }) || triangles.allSatisfy({ $0.turn < -1e-12 }) else { continue }
      // The region contains the pole that is nearer to the corners, and the polygon can be around the other one.
      let latitudes = corners.reduce(0) { $0 + $1.latitude }
      let farPole = Coordinate(normalizing: latitudes > 0 ? -90 : 90, longitude: 0)
      guard !triangles.contains(where: { $0.holds(farPole) }) else { continue }
      let region = LocationRegion(id: "r", polygon: numbers.next() % 2 == 0 ? corners : corners.reversed())
      for number in 0..<20 {
        var place = center.moved(by: size * 1.2 * numbers.unit(), bearing: numbers.unit() * 360)
        // A place on the meridian of a corner, or as near to it as numbers allow.
        if number % 4 == 0 {
          let longitude = corners[number % count].longitude
          place = Coordinate(
            normalizing: place.latitude, longitude: [longitude, longitude.nextUp, longitude.nextDown][number % 3])
        }
        guard triangles.allSatisfy({ !$0.isNearEdge(place) }) else { continue }
        let isInside = triangles.contains { $0.holds(place) }
        counts[isInside, default: 0] += 1
        #expect(region.contains(place) == isInside, "seed \(seed): \(place) in \(corners)")
      }
    }
    #expect(counts[true, default: 0] > 3_000 && counts[false, default: 0] > 3_000, "\(counts)")
  }
}

/// A triangle on a sphere. Its edges are great circles.
private struct Triangle {
  private let corners: [UnitVector]

  init(_ corners: Coordinate...) {
    self.corners = corners.map(UnitVector.init)
  }

  /// Positive if the corners are in anticlockwise order.
  var turn: Double { side(of: corners[2], edge: 0) }

  func holds(_ place: Coordinate) -> Bool {
    let place = UnitVector(place)
    return (0..<3).allSatisfy { side(of: place, edge: $0) * turn >= 0 }
  }

  /// Whether the place is almost on the line of the edge that is opposite of the centre.
  func isNearEdge(_ place: Coordinate) -> Bool { abs(side(of: UnitVector(place), edge: 1)) < 1e-9 }

  /// A volume. Its sign is the side of the edge on which the place is.
  private func side(of place: UnitVector, edge: Int) -> Double {
    let (start, end) = (corners[edge], corners[(edge + 1) % 3])
    return place.x * (start.y * end.z - start.z * end.y) + place.y * (start.z * end.x - start.x * end.z)
      + place.z * (start.x * end.y - start.y * end.x)
  }
}
