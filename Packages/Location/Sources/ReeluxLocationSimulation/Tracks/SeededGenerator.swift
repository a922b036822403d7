import ReeluxCore
import ReeluxLocation

extension SplitMix64 {
  /// Creates the generator of one step of a seeded sequence. It does not depend on the numbers of earlier steps.
  init(seed: UInt64, step: Int) {
    var mixer = SplitMix64(seed: seed)
    self.init(seed: mixer.next() ^ UInt64(truncatingIfNeeded: step) &* 0xD1B5_4A32_D192_ED03)
  }

  /// A normally distributed number with mean 0 and standard deviation 1 (Box and Muller 1958).
  mutating func normal() -> Double {
    let radius = (-2 * naturalLogarithm(1 - unit())).squareRoot()
    return radius * Angle(radians: 2 * .pi * unit()).cosine
  }
}
