/// An instant of a ``TestClock`` or an ``ImmediateClock``: the time since the clock was created.
public struct TestInstant: InstantProtocol {
  /// The time since the clock was created.
  public var offset: Duration

  /// Creates an instant. Without an argument, it is time zero.
  public init(offset: Duration = .zero) {
    self.offset = offset
  }

  /// Returns a later instant, or an earlier one for a negative duration.
  public func advanced(by duration: Duration) -> TestInstant {
    TestInstant(offset: offset + duration)
  }

  /// Returns the time from this instant to `other`.
  public func duration(to other: TestInstant) -> Duration {
    other.offset - offset
  }

  /// Whether `lhs` is earlier.
  public static func < (lhs: TestInstant, rhs: TestInstant) -> Bool {
    lhs.offset < rhs.offset
  }
}

extension TestInstant: CustomStringConvertible {
  /// The offset as text: `1.5 seconds`.
  public var description: String { "\(offset)" }
}
