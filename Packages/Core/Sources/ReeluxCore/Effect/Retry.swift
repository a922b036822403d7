/// How often, and after which pauses, to try again what may succeed later.
///
/// ```swift
/// let movie = try await Retry(attempts: 4, first: .milliseconds(100)).run(clock: clock) { try await api.movie(id) }
/// ```
public struct Retry: Hashable, Sendable {
  /// How often to try in all; less than 1 counts as 1.
  public var attempts: Int
  /// The pause after the first failure; negative counts as zero.
  public var first: Duration
  /// By what each following pause is longer than the one before; default 2. What is not above zero counts as 1.
  public var factor: Double
  /// What no pause exceeds; default 30 s.
  public var longest: Duration

  /// Makes a policy.
  public init(attempts: Int, first: Duration, factor: Double = 2, longest: Duration = .seconds(30)) {
    self.attempts = attempts
    self.first = first
    self.factor = factor
    self.longest = longest
  }

  /// The pause after the failure with this number, counted from 1.
  public func pause(after failure: Int) -> Duration {
    let longest = max(self.longest, .zero)
    let factor = factor > 0 ? factor : 1
    var pause = min(max(first, .zero), longest)
    for _ in 1..<max(failure, 1) {
      if factor == 1 || pause == .zero { break }
      // Compared before it is multiplied: no factor, however large, leaves the range of a duration.
      if factor >= longest / pause { return longest }
      pause = pause * factor
    }
    return pause
  }

  /// Tries `work` until it succeeds, fails for good, or was tried `attempts` times.
  ///
  /// - Parameters:
  ///   - clock: What the pauses are slept on.
  ///   - jitter: Maps a pause to the one that is really made, to spread many clients; default none.
  ///   - mayRetry: Whether an error may go away by itself; default every one but cancellation.
  /// - Throws: The last error, or `CancellationError` when cancelled in a pause.
  public func run<Value: Sendable>(
    clock: some Clock<Duration> = ContinuousClock(),
    jitter: @Sendable (Duration) -> Duration = { $0 },
    if mayRetry: @Sendable (any Error) -> Bool = { !($0 is CancellationError) },
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    var failures = 0
    while true {
      do {
        return try await work()
      } catch {
        failures += 1
        guard failures < attempts, mayRetry(error) else { throw error }
        guard await clock.pause(for: jitter(pause(after: failures))) else { throw CancellationError() }
      }
    }
  }
}
