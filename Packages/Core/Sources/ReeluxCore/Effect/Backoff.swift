/// The delays between attempts of work that may succeed later.
///
/// ```swift
/// let backoff = Backoff(first: .milliseconds(100))  // 100 ms, 200 ms, 400 ms, … at most 30 s
/// let movie = try await backoff.retry(attempts: 4, clock: clock) { try await api.movie(id) }
/// ```
public struct Backoff: Hashable, Sendable {
  /// The delay after the first failure. A negative one counts as zero.
  public var first: Duration
  /// The factor from one delay to the next. Default: 2. A factor that is not above zero counts as 1.
  public var factor: Double
  /// The longest delay. Default: 30 s.
  public var longest: Duration

  /// Creates delays.
  public init(first: Duration, factor: Double = 2, longest: Duration = .seconds(30)) {
    self.first = first
    self.factor = factor
    self.longest = longest
  }

  /// The delay after the failure with this number, counted from 1.
  public func delay(after failure: Int) -> Duration {
    let longest = max(self.longest, .zero)
    let factor = factor > 0 ? factor : 1
    var delay = min(max(first, .zero), longest)
    for _ in 1..<max(failure, 1) {
      if factor == 1 || delay == .zero || delay == longest && factor > 1 { break }
      // The comparison comes before the multiplication, so that a large factor cannot overflow a duration.
      if factor >= longest / delay { return longest }
      delay = delay * factor
    }
    return delay
  }

  /// Repeats `work` until it succeeds, throws a final error, or has been tried `attempts` times.
  ///
  /// - Parameters:
  ///   - attempts: The largest number of attempts. Less than 1 counts as 1.
  ///   - clock: The clock of the delays.
  ///   - jitter: Changes a delay, for example by a random part. ``longest`` limits its result too. Default: none.
  ///   - isFinal: Whether an error is final. A `CancellationError` is always final. By default, no other error is
  ///     final.
  /// - Throws: The last error, or `CancellationError` if the task is cancelled during a delay.
  public func retry<Value: Sendable>(
    attempts: Int, clock: some Clock<Duration> = ContinuousClock(),
    jitter: @Sendable (Duration) -> Duration = { $0 },
    unless isFinal: @Sendable (any Error) -> Bool = { _ in false },
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    var failures = 0
    while true {
      do {
        return try await work()
      } catch {
        failures += 1
        guard failures < attempts, !(error is CancellationError), !isFinal(error) else { throw error }
        let time = min(jitter(delay(after: failures)), max(longest, .zero))
        guard await clock.delay(for: time) else { throw CancellationError() }
      }
    }
  }
}
