/// The shortest line between two places on the WGS-84 ellipsoid.
///
/// Found with the inverse formula of T. Vincenty, “Direct and Inverse Solutions of Geodesics on the Ellipsoid with
/// Application of Nested Equations”, Survey Review XXIII 176, 1975. Between nearly opposite places, where its iteration
/// does not converge, the azimuth is found by bisection instead: the longitude that a geodesic reaches at a given
/// latitude grows with its azimuth (C. F. F. Karney, “Algorithms for geodesics”, J. Geodesy 87, 2013, section 4).
///
/// The error of the distance is below 1 mm everywhere, on one hemisphere and on opposite sides of the Earth, across
/// the antimeridian and at the poles, as compared with GeographicLib in the tests. Constant time: about a
/// microsecond, and about 20 between nearly opposite places.
public struct Geodesic: Hashable, Sendable {
  /// Metres along the line.
  public let distance: Double
  /// Direction at the start in degrees clockwise from true north, 0 ..< 360; 0 when both places are the same.
  ///
  /// At a pole, the direction is measured from the meridian of the start's longitude.
  public let initialBearing: Double
  /// Direction of travel at the end in degrees clockwise from true north, 0 ..< 360.
  public let finalBearing: Double

  /// Finds the shortest line from one place to another.
  public init(from start: Coordinate, to end: Coordinate) {
    let solution = InverseProblem(from: start, to: end).solve()
    distance = solution.distance
    initialBearing = Heading.normalized(solution.initialAzimuth.degrees)
    finalBearing = Heading.normalized(solution.finalAzimuth.degrees)
  }
}

extension Coordinate {
  /// Returns the metres along the shortest line to another place; see ``Geodesic`` for method and error.
  public func distance(to other: Coordinate) -> Double {
    InverseProblem(from: self, to: other).solve().distance
  }

  /// Returns the direction in which the shortest line to another place starts: degrees clockwise from true north,
  /// 0 ..< 360.
  public func bearing(to other: Coordinate) -> Double {
    Geodesic(from: self, to: other).initialBearing
  }

  /// Returns the place that is reached by going straight on.
  ///
  /// Vincenty's direct formula; the error is below 1 mm for distances up to half around the Earth.
  ///
  /// - Parameters:
  ///   - distance: Metres; a negative one goes backwards. What is not finite counts as 0.
  ///   - bearing: Degrees clockwise from true north. What is not finite counts as 0.
  public func moved(by distance: Double, bearing: Double) -> Coordinate {
    guard distance.isFinite, bearing.isFinite, distance != 0 else { return self }
    let azimuth = Angle(degrees: bearing)
    let u = Ellipsoid.reducedLatitude(degrees: latitude)
    let start = Angle.radians(u.sine, u.cosine * azimuth.cosine)
    let sineAlpha = u.cosine * azimuth.sine
    let (scale, b) = Ellipsoid.arcSeries(cosineSquaredAlpha: 1 - sineAlpha * sineAlpha)
    let unscaled = distance / (Ellipsoid.polarRadius * scale)
    var arc = unscaled
    var sigma = Angle(radians: arc)
    var middle = Angle(radians: 2 * start + arc).cosine
    for _ in 0..<32 {
      let next = unscaled + Ellipsoid.arcCorrection(b, sigma: sigma, cosineOfTwiceMiddle: middle)
      let change = abs(next - arc)
      arc = next
      sigma = Angle(radians: arc)
      middle = Angle(radians: 2 * start + arc).cosine
      if change < 1e-13 { break }
    }
    let across = u.sine * sigma.sine - u.cosine * sigma.cosine * azimuth.cosine
    let latitudeSine = u.sine * sigma.cosine + u.cosine * sigma.sine * azimuth.cosine
    let latitudeCosine = (1 - Ellipsoid.flattening) * (sineAlpha * sineAlpha + across * across).squareRoot()
    let ahead = u.cosine * sigma.cosine - u.sine * sigma.sine * azimuth.cosine
    let sphere = Angle.radians(sigma.sine * azimuth.sine, ahead)
    let correction = Ellipsoid.longitudeCorrection(
      sineAlpha: sineAlpha, arc: arc, sigma: sigma, cosineOfTwiceMiddle: middle)
    return Coordinate(
      normalizing: Angle.radians(latitudeSine, latitudeCosine) * 180 / .pi,
      longitude: longitude + (sphere - correction) * 180 / .pi)
  }
}
