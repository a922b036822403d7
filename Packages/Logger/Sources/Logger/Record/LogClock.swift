internal import Foundation

/// Where the logger reads the time.
public struct LogClock: Sendable {
  /// The time of day, since 1970 in UTC.
  public var wallTime: @Sendable () -> Duration
  /// A time that never goes back, from any start; for durations.
  public var uptime: @Sendable () -> Duration

  /// Makes a clock of closures, for tests.
  public init(wallTime: @escaping @Sendable () -> Duration, uptime: @escaping @Sendable () -> Duration) {
    self.wallTime = wallTime
    self.uptime = uptime
  }

  /// The system's clocks.
  public static let system = LogClock(wallTime: { read(CLOCK_REALTIME) }, uptime: { read(CLOCK_MONOTONIC) })

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in seconds, rounded to what a `Double` holds.
  var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// The duration in whole nanoseconds, cut off.
  var inNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
  }
}
