import ReeluxCore

/// A clock on which every sleep ends at once, for tests in which time does not matter.
///
/// Its time is the latest deadline of a sleep. A sleep lets other tasks run
/// first, and throws `CancellationError` in a cancelled task.
public final class ImmediateClock: Clock {
  /// The time since the clock was made.
  public typealias Instant = TestInstant

  private let time = Locked(TestInstant())

  /// A clock at its beginning.
  public init() {}

  /// The latest deadline of a sleep.
  public var now: TestInstant { time.withLock { $0 } }

  /// The shortest step: zero.
  public var minimumResolution: Duration { .zero }

  /// Sets the clock to `deadline` and returns.
  public func sleep(until deadline: TestInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
