/// The WGS-84 reference ellipsoid (NIMA TR8350.2), with the series of Vincenty's paper.
enum Ellipsoid {
  /// The distance in metres from the centre to the equator.
  static let equatorialRadius = 6_378_137.0
  /// The flattening.
  static let flattening = 1 / 298.257223563
  /// The distance in metres from the centre to a pole.
  static let polarRadius = equatorialRadius * (1 - flattening)
  /// The radius in metres of a sphere that approximates the ellipsoid: (2a + b) / 3.
  static let meanRadius = (2 * equatorialRadius + polarRadius) / 3
  /// (a² − b²) / b², the square of the second eccentricity.
  static let secondEccentricitySquared =
    (equatorialRadius * equatorialRadius - polarRadius * polarRadius) / (polarRadius * polarRadius)

  /// The reduced latitude: the latitude on the auxiliary sphere.
  static func reducedLatitude(degrees: Double) -> Angle {
    let latitude = Angle(degrees: degrees)
    let sine = (1 - flattening) * latitude.sine
    let length = (sine * sine + latitude.cosine * latitude.cosine).squareRoot()
    return Angle(sine: sine / length, cosine: latitude.cosine / length)
  }

  /// A and B of Vincenty's equations 3 and 4, which convert an arc on the auxiliary sphere to metres.
  static func arcSeries(cosineSquaredAlpha: Double) -> (scale: Double, correction: Double) {
    let u2 = cosineSquaredAlpha * secondEccentricitySquared
    let scale = 1 + u2 / 16384 * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
    let correction = u2 / 1024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
    return (scale, correction)
  }

  /// The Δσ of equation 6: the difference between the arc on the sphere and the scaled length.
  static func arcCorrection(_ b: Double, sigma: Angle, cosineOfTwiceMiddle middle: Double) -> Double {
    let square = 2 * middle * middle - 1
    let third = middle * (4 * sigma.sine * sigma.sine - 3) * (4 * middle * middle - 3)
    return b * sigma.sine * (middle + b / 4 * (sigma.cosine * square - b / 6 * third))
  }

  /// The difference between a longitude on the sphere and on the ellipsoid (equations 10 and 11).
  ///
  /// - Parameters:
  ///   - sineAlpha: The sine of the geodesic's azimuth at the equator.
  ///   - arc: The arc σ in radians.
  ///   - sigma: The same arc as an angle.
  ///   - middle: cos 2σₘ.
  static func longitudeCorrection(
    sineAlpha: Double, arc: Double, sigma: Angle, cosineOfTwiceMiddle middle: Double
  ) -> Double {
    let cosineSquared = 1 - sineAlpha * sineAlpha
    let c = flattening / 16 * cosineSquared * (4 + flattening * (4 - 3 * cosineSquared))
    let sum = arc + c * sigma.sine * (middle + c * sigma.cosine * (2 * middle * middle - 1))
    return (1 - c) * flattening * sineAlpha * sum
  }
}
