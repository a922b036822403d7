/// The random number generator SplitMix64. A seed gives the same numbers on every platform.
///
/// Steele, Lea and Flood, “Fast splittable pseudorandom number generators”, OOPSLA 2014. Do not use it for secrets.
package struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0 ..< 1`, a multiple of 2⁻⁵³.
  package mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}

/// The hash function FNV-1a with 64 bits. The same bytes give the same value on every platform.
///
/// Fowler, Noll and Vo; RFC 9923. It detects accidental changes, but does not protect against forgery.
@frozen package struct FNV1a: Hashable, Sendable {
  /// The hash of the bytes so far.
  package var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Creates the hash of no bytes.
  @inlinable package init() {}

  /// Creates the hash of these bytes.
  @inlinable package init(_ bytes: some Sequence<UInt8>) {
    combine(bytes)
  }

  /// Adds more bytes to the hash.
  @inlinable package mutating func combine(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = Self.step(value, byte) }
  }

  /// Returns a hash with one more byte.
  @inlinable
  @inline(__always)
  package static func step(_ value: UInt64, _ byte: UInt8) -> UInt64 { (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
}
