/// A clock of any kind, seen as durations since the pacer was made.
struct Pacer: Sendable {
  /// The time since the pacer was made.
  let elapsed: @Sendable () -> Duration
  /// Sleeps until that much time has passed since the pacer was made.
  let sleep: @Sendable (Duration) async throws -> Void

  init<C: Clock<Duration>>(_ clock: C) {
    let origin = clock.now
    elapsed = { origin.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
  }
}

extension Duration {
  /// The duration in seconds.
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// A duration of a number of seconds, between 0 and 30 years.
  init(limitedSeconds seconds: Double) {
    self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0)
  }
}
