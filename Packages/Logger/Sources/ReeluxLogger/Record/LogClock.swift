internal import Foundation

/// The clock of a logger, in nanoseconds.
public struct LogClock: Sendable {
  /// The time of day: nanoseconds since 1970 in UTC.
  public var wallTime: @Sendable () -> Int64
  /// A monotonic time for durations and rates: nanoseconds since any start.
  public var uptime: @Sendable () -> Int64

  /// Creates a clock from closures, for tests and for programs with their own time.
  public init(wallTime: @escaping @Sendable () -> Int64, uptime: @escaping @Sendable () -> Int64) {
    self.wallTime = wallTime
    self.uptime = uptime
  }

  /// The system's clocks.
  public static let system = LogClock(wallTime: { read(CLOCK_REALTIME) }, uptime: { read(CLOCK_MONOTONIC) })

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in whole nanoseconds, rounded toward zero, at most about 292 years.
  var inNanoseconds: Int64 {
    // To read the components of a longer duration traps.
    let (seconds, attoseconds) = Swift.min(Swift.max(.seconds(Int64.min), self), .seconds(Int64.max)).components
    let product = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let sum = product.partialValue.addingReportingOverflow(attoseconds / 1_000_000_000)
    return product.overflow || sum.overflow ? (seconds < 0 ? .min : .max) : sum.partialValue
  }
}
