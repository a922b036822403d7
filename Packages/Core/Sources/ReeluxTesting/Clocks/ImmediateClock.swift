import ReeluxCore

/// A clock on which every sleep ends immediately, for tests in which time does not matter.
///
/// Its time is the latest deadline of a sleep. Before a sleep ends, other tasks can run. In a cancelled task, a sleep
/// throws `CancellationError`.
public final class ImmediateClock: Clock {
  /// The time since the clock was created.
  public typealias Instant = TestInstant

  private let time = Locked(TestInstant())

  /// Creates a clock at time zero.
  public init() {}

  /// The latest deadline of a sleep.
  public var now: TestInstant { time.withLock { $0 } }

  /// The smallest step: zero.
  public var minimumResolution: Duration { .zero }

  /// Sets the clock to `deadline` if it is later than ``now``, and returns.
  public func sleep(until deadline: TestInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
