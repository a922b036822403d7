import ReeluxLocation

/// The random number generator SplitMix64: from one seed always the same numbers, on every platform.
///
/// Steele, Lea and Flood, “Fast splittable pseudorandom number generators”, OOPSLA 2014.
struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// The generator of one step of a seeded sequence, whatever the steps before it drew.
  init(seed: UInt64, step: Int) {
    var mixer = SeededGenerator(seed: seed)
    state = mixer.next() ^ UInt64(truncatingIfNeeded: step) &* 0xD1B5_4A32_D192_ED03
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0 ..< 1.
  mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// A number that is normally distributed, with mean 0 and standard deviation 1 (Box and Muller 1958).
  mutating func normal() -> Double {
    let radius = (-2 * naturalLogarithm(1 - unit())).squareRoot()
    return radius * Angle(radians: 2 * .pi * unit()).cosine
  }
}
