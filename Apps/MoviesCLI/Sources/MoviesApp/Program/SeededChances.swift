import ReeluxCore

/// Numbers from 0 to 1 that a seed decides, for what is left to chance (SplitMix64).
package final class SeededChances: Sendable {
  private let state: Locked<UInt64>

  /// The numbers of this seed.
  package init(seed: UInt64) {
    state = Locked(seed)
  }

  /// The next number.
  package func next() -> Double {
    state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Double((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53
    }
  }
}
