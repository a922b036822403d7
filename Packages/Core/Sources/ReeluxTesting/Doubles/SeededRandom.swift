import ReeluxCore

/// A source of random numbers that gives the same ones for the same seed, on every machine.
///
/// It may be shared between tasks; they take from one sequence then, so that
/// the order of their calls decides which task gets which number. The algorithm is
/// SplitMix64: good enough for tests, and nothing for secrets.
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

  /// True as often as `probability` says, which is from 0 to 1.
  public func chance(_ probability: Double) -> Bool {
    number(in: 0...1) < probability
  }

  /// One of the elements; `nil` if there is none.
  public func element<Elements: Collection>(of elements: Elements) -> Elements.Element? {
    var source = self
    return elements.randomElement(using: &source)
  }

  /// A source of its own, whose numbers depend on this one's seed only; for parts that must not influence each other.
  public func split() -> SeededRandom {
    SeededRandom(seed: next())
  }
}
