import ReeluxTestSupport
import ReeluxLocation
import Testing

/// A geodesic whose figures were computed with another implementation: GeographicLib 2.0 for Python
/// (C. F. F. Karney), `Geodesic.WGS84.Inverse`.
struct Reference: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let start: Coordinate
  let end: Coordinate
  let distance: Double
  let bearing: Double

  init(
    _ name: String, _ latitude1: Double, _ longitude1: Double, _ latitude2: Double, _ longitude2: Double,
    _ distance: Double, _ bearing: Double
  ) {
    testDescription = name
    start = Coordinate(normalizing: latitude1, longitude: longitude1)
    end = Coordinate(normalizing: latitude2, longitude: longitude2)
    self.distance = distance
    self.bearing = bearing
  }

  static let all = [
    Reference(
      "Flinders Peak to Buninyong", -37.95103341666667, 144.42486788888888, -37.65282113888889, 143.92649552777777,
      54972.271139, 306.868159),
    Reference("Berlin to Paris", 52.52, 13.405, 48.8566, 2.3522, 879699.316129, 246.806786),
    Reference(
      "across the antimeridian, Fiji to Samoa", -17.7134, 178.065, -13.759, -172.1046, 1140491.286253, 68.836216),
    Reference("a step across the antimeridian", 10.0, 179.9999, 10.0, -179.9999, 21.927873, 89.999983),
    Reference("along the equator", 0, 0, 0, 90, 10018754.171395, 90.000000),
    Reference("a quarter meridian", 0, 0, 90, 0, 10001965.729313, 0.000000),
    Reference("pole to pole", 90, 0, -90, 0, 20003931.458625, 180.000000),
    Reference("from the south pole", -90, 45, -33.8688, 151.2093, 6252857.148823, 106.209300),
    Reference("across the north pole", 80, 0, 80, 180, 2233651.714752, 0.000000),
    Reference("near the pole", 89.9999, 10, 89.9999, -170, 22.338796, 0.000000),
    Reference("opposite on the equator", 0, 0, 0, 180, 20003931.458625, 0.000000),
    Reference("nearly opposite on the equator", 0, 0, 0, 179.5, 19980861.908891, 55.966495),
    Reference("nearly opposite", 0, 0, 0.5, 179.7, 19944127.420750, 15.556883),
    Reference("nearly opposite, low", -30, 0, 29.9, 179.8, 19989832.827610, 161.890525),
    Reference("exactly opposite", 30, 0, -30, 180, 20003931.458625, 0.000000),
    Reference("one metre", 48, 11, 48.000009, 11, 1.000713, 0.000000),
    Reference("one millimetre", 48, 11, 48.000000009, 11, 0.001001, 0.000000),
  ]
}

@Suite(.conformance(81), .timeLimit(.minutes(15))) struct GeodesicTests {
  @Test(arguments: Reference.all)
  func distanceIsThatOfTheReferenceWithinAMillimetre(reference: Reference) {
    #expect(abs(reference.start.distance(to: reference.end) - reference.distance) < 0.001)
    #expect(abs(reference.end.distance(to: reference.start) - reference.distance) < 0.001)
  }

  @Test(arguments: Reference.all)
  func bearingIsThatOfTheReference(reference: Reference) {
    // Between opposite places, several directions are equally short. The test only checks that the line arrives.
    let bearing = reference.start.bearing(to: reference.end)
    if reference.testDescription.contains("opposite") {
      let arrival = reference.start.moved(by: reference.distance, bearing: bearing)
      #expect(arrival.distance(to: reference.end) < 0.01)
    } else {
      let tolerance = reference.distance < 1 ? 0.01 : 0.000_01
      #expect(abs((bearing - reference.bearing).remainder(dividingBy: 360)) < tolerance)
    }
  }

  @Test(arguments: Reference.all)
  func goingThereArrives(reference: Reference) {
    let geodesic = Geodesic(from: reference.start, to: reference.end)
    let arrival = reference.start.moved(by: geodesic.distance, bearing: geodesic.initialBearing)
    #expect(arrival.distance(to: reference.end) < 0.001)
  }

  @Test(arguments: [0.001, 1, 20, 300, 1200, 1300, 5000])
  func shortLinesAreAsExactAsLongOnes(metres: Double) {
    for seed in 0..<500 {
      let start = anyCoordinate(seed: seed)
      let bearing = Double(seed) * 7.3
      // The path is computed with another formula, the direct one.
      let end = start.moved(by: metres, bearing: bearing)
      let geodesic = Geodesic(from: start, to: end)
      #expect(abs(geodesic.distance - metres) < 0.000_1)
      #expect(start.distance(to: end) == geodesic.distance)
      if metres >= 20, abs(start.latitude) < 89 {
        #expect(abs((geodesic.initialBearing - bearing).remainder(dividingBy: 360)) < 0.000_02)
        #expect(end.moved(by: -metres, bearing: geodesic.finalBearing).distance(to: start) < 0.000_1)
      }
    }
  }

  @Test func goingBackFromTheEndArrivesAtTheStart() {
    for seed in 0..<500 {
      let start = anyCoordinate(seed: seed)
      let end = anyCoordinate(seed: seed + 10_000)
      let geodesic = Geodesic(from: start, to: end)
      #expect(end.moved(by: -geodesic.distance, bearing: geodesic.finalBearing).distance(to: start) < 0.01)
    }
  }

  @Test func theWayToTheSamePlaceIsZero() {
    let place = Coordinate(normalizing: 12, longitude: 34)
    #expect(place.distance(to: place) == 0)
    #expect(place.bearing(to: place) == 0)
    let east = Coordinate(normalizing: 12, longitude: 180)
    let west = Coordinate(normalizing: 12, longitude: -180)
    #expect(east.distance(to: west) == 0)
  }

  @Test func distanceHoldsTheTriangleInequality() {
    for seed in 0..<500 {
      let (a, b, c) = (anyCoordinate(seed: seed), anyCoordinate(seed: seed + 1000), anyCoordinate(seed: seed + 2000))
      #expect(a.distance(to: c) <= a.distance(to: b) + b.distance(to: c) + 0.001)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func aDistanceOrBearingThatIsNoNumberStaysAtTheStart(value: Double) {
    let place = Coordinate(normalizing: 12, longitude: 34)
    #expect(place.moved(by: value, bearing: 10) == place)
    #expect(place.moved(by: 10, bearing: value) == place)
  }

  /// Any coordinate. It depends only on the number.
  private func anyCoordinate(seed: Int) -> Coordinate {
    let spread = Double(seed) * 0.618_033_988_749_895
    let other = Double(seed) * 0.754_877_666_246_693
    return Coordinate(
      normalizing: (spread - spread.rounded(.down)) * 180 - 90, longitude: (other - other.rounded(.down)) * 360 - 180)
  }
}
