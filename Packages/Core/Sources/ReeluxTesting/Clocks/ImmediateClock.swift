import ReeluxCore

/// A clock on which every sleep ends at once, for tests in which time does not matter.
///
/// Its time is the latest deadline that was slept for. A sleep lets other
/// tasks run first, and throws `CancellationError` in a cancelled task.
public final class ImmediateClock: Clock {
  /// The time since the clock was made.
  public typealias Instant = TestInstant

  private let time = Locked(TestInstant())

  /// A clock at its beginning.
  public init() {}

  /// The latest deadline that was slept for.
  public var now: TestInstant { time.withLock { $0 } }

  /// The shortest step; this clock has none that is too short.
  public var minimumResolution: Duration { .zero }

  /// Sets the clock to `deadline` and returns.
  public func sleep(until deadline: TestInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
