// The platform's mathematics, in one place, so that no other file of the geodesy needs an import.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Foundation
#endif

/// An angle as its sine and cosine, so that it is converted once and right angles stay exact.
package struct Angle: Sendable {
  package var sine: Double
  package var cosine: Double

  /// The angle of a number of degrees; multiples of 90° are exact.
  package init(degrees: Double) {
    let rest = degrees.remainder(dividingBy: 360)
    switch rest {
    case 0: (sine, cosine) = (0, 1)
    case 90: (sine, cosine) = (1, 0)
    case -90: (sine, cosine) = (-1, 0)
    case 180, -180: (sine, cosine) = (0, -1)
    default:
      let radians = rest * .pi / 180
      (sine, cosine) = (sin(radians), cos(radians))
    }
  }

  /// The angle of a number of radians.
  package init(radians: Double) {
    (sine, cosine) = (sin(radians), cos(radians))
  }

  package init(sine: Double, cosine: Double) {
    self.sine = sine
    self.cosine = cosine
  }

  /// The angle in −π … π.
  package var radians: Double { Angle.radians(sine, cosine) }

  /// The angle in −180 … 180 degrees.
  package var degrees: Double { radians * 180 / .pi }

  /// The angle of a point (x: cosine, y: sine) at any distance from the origin, in −π … π.
  package static func radians(_ sine: Double, _ cosine: Double) -> Double {
    atan2(sine, cosine)
  }
}

/// Returns the natural logarithm, for random numbers that are normally distributed.
package func naturalLogarithm(_ number: Double) -> Double {
  log(number)
}
