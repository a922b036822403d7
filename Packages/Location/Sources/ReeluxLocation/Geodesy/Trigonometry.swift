// The platform's mathematics. The other files of this folder need no import.

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

/// An angle as its sine and cosine. It is converted only once, and right angles are exact.
package struct Angle: Sendable {
  package var sine: Double
  package var cosine: Double

  /// The angle of a number of degrees; multiples of 90° are exact.
  package init(degrees: Double) {
    let rest = abs(degrees) <= 180 ? degrees : degrees.remainder(dividingBy: 360)
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

  /// The angle in radians, −π … π.
  package var radians: Double { Angle.radians(sine, cosine) }

  /// The angle in degrees, −180 … 180.
  package var degrees: Double { radians * 180 / .pi }

  /// The angle of a point (x: cosine, y: sine) at any distance from the origin, −π … π.
  package static func radians(_ sine: Double, _ cosine: Double) -> Double {
    atan2(sine, cosine)
  }
}

/// The natural logarithm, for normally distributed random numbers.
package func naturalLogarithm(_ number: Double) -> Double {
  log(number)
}
