/// A sequence of chances that a seed and a key decide, the same on every machine.
///
/// The generator is SplitMix64 (Steele, Lea, Flood: “Fast splittable
/// pseudorandom number generators”, OOPSLA 2014), begun at the seed and the
/// FNV-1a hash of the key.
struct SeededChance {
  private var state: UInt64

  /// The chances that belong to a seed and a key.
  init(seed: UInt64, key: String) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    state = seed ^ hash
  }

  /// The next 64 random bits.
  mutating func nextBits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// The next chance, from 0 up to, but not, 1.
  mutating func next() -> Double {
    Double(nextBits() >> 11) * 0x1p-53
  }
}
