import ReeluxCore

/// Chance that starts from a seed and the number of an input, so that each input can be made again alone.
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

  /// A number from 0 up to a limit, which is left out.
  mutating func below(_ limit: Int) -> Int {
    Int(next() % UInt64(max(1, limit)))
  }

  /// True once in a number of times.
  mutating func once(in times: Int) -> Bool {
    below(times) == 0
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[below(choices.count)]
  }
}
