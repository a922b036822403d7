import ReeluxCore

/// A random source from a seed and the number of an input, so that each input can be created again alone.
struct FuzzRandom {
  private var generator: SplitMix64

  init(seed: UInt64, input: Int) {
    let mixed = seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: input) &* 0xBF58_476D_1CE4_E5B9
    generator = SplitMix64(seed: mixed)
    _ = next()
  }

  mutating func next() -> UInt64 {
    generator.next()
  }

  /// A number from 0 up to, but not including, a limit.
  mutating func below(_ limit: Int) -> Int {
    Int(next() % UInt64(max(1, limit)))
  }

  /// Returns true on average once in this number of calls.
  mutating func once(in times: Int) -> Bool {
    below(times) == 0
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
