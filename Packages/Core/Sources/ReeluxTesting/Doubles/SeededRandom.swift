import ReeluxCore

/// A source of random numbers that gives the same ones for the same seed, on every machine.
///
/// Tasks may share it. Then they take numbers of one sequence, so the order of
/// their calls decides which task gets which number. The algorithm is SplitMix64.
/// It is good enough for tests; do not use it for secrets.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let stars = Int.random(in: 1...5, using: &random)
/// ```
public final class SeededRandom: RandomNumberGenerator, Sendable {
  private let generator: Locked<SplitMix64>

  /// A source that begins with this seed.
  public init(seed: UInt64) {
    generator = Locked(SplitMix64(seed: seed))
  }

  /// The next 64 bits.
  public func next() -> UInt64 {
    generator.withLock { $0.next() }
  }

  /// An integer of the range.
  public func integer(in range: ClosedRange<Int>) -> Int {
    var source = self
    return Int.random(in: range, using: &source)
  }

  /// A number of the range, both ends included.
  public func number(in range: ClosedRange<Double>) -> Double {
    var source = self
    return Double.random(in: range, using: &source)
  }

  /// Returns true with this probability, from 0 to 1.
  public func chance(_ probability: Double) -> Bool {
    number(in: 0...1) < probability
  }

  /// One of the elements; `nil` if there is none.
  public func element<Elements: Collection>(of elements: Elements) -> Elements.Element? {
    var source = self
    return elements.randomElement(using: &source)
  }

  /// A new source whose numbers depend on this source's seed only, for parts that must not influence each other.
  public func split() -> SeededRandom {
    SeededRandom(seed: next())
  }
}
