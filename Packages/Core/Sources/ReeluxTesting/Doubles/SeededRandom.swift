import ReeluxCore

/// A source of random numbers. With the same seed it returns the same numbers on every machine.
///
/// Tasks may share a source. They then take numbers of one sequence, so each task's numbers depend on the order of the
/// calls. The algorithm is SplitMix64, which is sufficient for tests. Do not use it for secrets.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let stars = Int.random(in: 1...5, using: &random)
/// ```
public final class SeededRandom: RandomNumberGenerator, Sendable {
  private let generator: Locked<SplitMix64>

  /// Creates a source with this seed.
  public init(seed: UInt64) {
    generator = Locked(SplitMix64(seed: seed))
  }

  /// Returns the next 64 bits.
  public func next() -> UInt64 {
    generator.withLock { $0.next() }
  }

  /// Returns an integer in the range.
  public func integer(in range: ClosedRange<Int>) -> Int {
    var source = self
    return Int.random(in: range, using: &source)
  }

  /// Returns a number in the range, including both ends.
  public func number(in range: ClosedRange<Double>) -> Double {
    var source = self
    return Double.random(in: range, using: &source)
  }

  /// Returns true with this probability, from 0 to 1.
  public func chance(_ probability: Double) -> Bool {
    number(in: 0...1) < probability
  }

  /// Returns one of the elements, or `nil` if there is none.
  public func element<Elements: Collection>(of elements: Elements) -> Elements.Element? {
    var source = self
    return elements.randomElement(using: &source)
  }

  /// Returns a new source. Its numbers depend on this source's seed and on how many numbers this source has returned.
  /// Later calls of one source do not influence the other. Use it for parts that must not influence each other.
  public func split() -> SeededRandom {
    SeededRandom(seed: next())
  }
}
