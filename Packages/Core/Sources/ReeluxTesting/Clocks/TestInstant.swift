/// A point in time of a ``TestClock`` or an ``ImmediateClock``: the time since the clock was made.
public struct TestInstant: InstantProtocol {
  /// The time since the clock was made.
  public var offset: Duration

  /// A point in time; without an argument, the clock's beginning.
  public init(offset: Duration = .zero) {
    self.offset = offset
  }

  /// A later point, or an earlier one for a negative duration.
  public func advanced(by duration: Duration) -> TestInstant {
    TestInstant(offset: offset + duration)
  }

  /// The time from here to `other`.
  public func duration(to other: TestInstant) -> Duration {
    other.offset - offset
  }

  /// The earlier one is less.
  public static func < (lhs: TestInstant, rhs: TestInstant) -> Bool {
    lhs.offset < rhs.offset
  }
}

extension TestInstant: CustomStringConvertible {
  /// The offset, as `1.5 seconds`.
  public var description: String { "\(offset)" }
}
