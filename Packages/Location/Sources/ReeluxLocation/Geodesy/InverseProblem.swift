/// Two places on the ellipsoid, and the computation of the geodesic between them.
struct InverseProblem {
  struct Solution {
    var distance: Double
    var initialAzimuth: Angle
    var finalAzimuth: Angle
  }

  private let start: Angle
  private let end: Angle
  /// The difference of longitude in radians, −π … π.
  private let longitude: Double

  init(from first: Coordinate, to second: Coordinate) {
    start = Ellipsoid.reducedLatitude(degrees: first.latitude)
    end = Ellipsoid.reducedLatitude(degrees: second.latitude)
    longitude = Coordinate.wrapped(second.longitude - first.longitude) * .pi / 180
  }

  func solve() -> Solution {
    if longitude == 0 && start.sine == end.sine && start.cosine == end.cosine { return coincident }
    return vincenty() ?? bisection()
  }

  /// Vincenty's iteration; `nil` if it does not converge, for example between nearly opposite places.
  private func vincenty() -> Solution? {
    var lambda = longitude
    for _ in 0..<40 {
      let turn = Angle(radians: lambda)
      let x = end.cosine * turn.sine
      let y = start.cosine * end.sine - start.sine * end.cosine * turn.cosine
      let sine = (x * x + y * y).squareRoot()
      let sigma = Angle(sine: sine, cosine: start.sine * end.sine + start.cosine * end.cosine * turn.cosine)
      guard sine > 0 else { return sigma.cosine > 0 ? coincident : nil }
      let arc = sigma.radians
      let sineAlpha = start.cosine * end.cosine * turn.sine / sine
      let cosineSquared = 1 - sineAlpha * sineAlpha
      // On the equator the middle is undefined, but its factor is zero.
      let middle = cosineSquared > 1e-16 ? sigma.cosine - 2 * start.sine * end.sine / cosineSquared : 0
      let next =
        longitude
        + Ellipsoid.longitudeCorrection(sineAlpha: sineAlpha, arc: arc, sigma: sigma, cosineOfTwiceMiddle: middle)
      guard abs(next) <= .pi else { return nil }
      if abs(next - lambda) < 1e-13 {
        let distance = Self.length(
          arc: arc, sigma: sigma, cosineSquaredAlpha: cosineSquared, cosineOfTwiceMiddle: middle)
        let backward = start.cosine * end.sine * turn.cosine - start.sine * end.cosine
        return Solution(
          distance: distance, initialAzimuth: Angle(sine: x, cosine: y),
          finalAzimuth: Angle(sine: start.cosine * turn.sine, cosine: backward))
      }
      lambda = next
    }
    return nil
  }

  /// Searches for the azimuth at the start whose geodesic meets the end's latitude at the end's longitude.
  ///
  /// Because of symmetry, the start can be the place farther from the equator, in the south, and the end east of it.
  /// Then the longitude that a geodesic reaches grows with the azimuth from 0 to π.
  private func bisection() -> Solution {
    let swaps = abs(start.sine) < abs(end.sine)
    var (first, second) = swaps ? (end, start) : (start, end)
    let flips = first.sine > 0
    if flips { second.sine = -second.sine }
    first.sine = -abs(first.sine)
    let wanted = abs(longitude)

    var low = 0.0
    var high = Double.pi
    for _ in 0..<64 {
      let azimuth = (low + high) / 2
      guard azimuth > low, azimuth < high else { break }
      if Self.geodesic(from: first, to: second, azimuth: Angle(radians: azimuth)).longitude < wanted {
        low = azimuth
      } else {
        high = azimuth
      }
    }
    let azimuth = Angle(radians: (low + high) / 2)
    let found = Self.geodesic(from: first, to: second, azimuth: azimuth)
    let east = longitude < 0 ? -1.0 : 1.0
    let north = flips != swaps ? -1.0 : 1.0
    let atFirst = Angle(sine: azimuth.sine * east, cosine: azimuth.cosine * north)
    let atSecond = Angle(sine: found.finalAzimuth.sine * east, cosine: found.finalAzimuth.cosine * north)
    return Solution(
      distance: found.distance, initialAzimuth: swaps ? atSecond : atFirst, finalAzimuth: swaps ? atFirst : atSecond)
  }

  /// The geodesic that leaves one latitude at an azimuth, up to its northward crossing of another latitude.
  private static func geodesic(
    from first: Angle, to second: Angle, azimuth: Angle
  ) -> (distance: Double, longitude: Double, finalAzimuth: Angle) {
    let sineAlpha = azimuth.sine * first.cosine
    let rise = azimuth.cosine * azimuth.cosine * first.cosine * first.cosine
    let wider = max(0, (second.cosine - first.cosine) * (second.cosine + first.cosine))
    // The final azimuth. Its sine and cosine are multiplied by the cosine of the second latitude, which may be zero.
    let scaled = Angle(sine: sineAlpha, cosine: (rise + wider).squareRoot())
    let sigma1 = Angle.radians(first.sine, azimuth.cosine * first.cosine)
    let sigma2 = Angle.radians(second.sine, scaled.cosine)
    let omega1 = Angle.radians(sineAlpha * first.sine, azimuth.cosine * first.cosine)
    let omega2 = Angle.radians(sineAlpha * second.sine, scaled.cosine)
    let arc = sigma2 - sigma1
    let sigma = Angle(radians: arc)
    let middle = Angle(radians: sigma1 + sigma2).cosine
    let correction = Ellipsoid.longitudeCorrection(
      sineAlpha: sineAlpha, arc: arc, sigma: sigma, cosineOfTwiceMiddle: middle)
    let distance = length(
      arc: arc, sigma: sigma, cosineSquaredAlpha: 1 - sineAlpha * sineAlpha, cosineOfTwiceMiddle: middle)
    return (distance, omega2 - omega1 - correction, scaled)
  }

  /// The length of an arc in metres.
  private static func length(
    arc: Double, sigma: Angle, cosineSquaredAlpha: Double, cosineOfTwiceMiddle middle: Double
  ) -> Double {
    let (scale, b) = Ellipsoid.arcSeries(cosineSquaredAlpha: cosineSquaredAlpha)
    let correction = Ellipsoid.arcCorrection(b, sigma: sigma, cosineOfTwiceMiddle: middle)
    return max(0, Ellipsoid.polarRadius * scale * (arc - correction))
  }

  private var coincident: Solution {
    let north = Angle(sine: 0, cosine: 1)
    return Solution(distance: 0, initialAzimuth: north, finalAzimuth: north)
  }
}
