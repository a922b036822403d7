public import ReeluxCore

/// The limits of the feature: concurrent requests, time limits, attempts and delays.
public struct FavoritesPolicy: Equatable, Sendable {
  /// The largest number of concurrent requests, at least 1. Default: 4.
  ///
  /// The cost of an action that changes the favourites grows with the number of running requests.
  public let limit: Int

  /// The largest number of items in one request, at least 1. Default: 1.
  ///
  /// Use more than 1 only for an API with ``FavoritesAPI/setSeveral``. Without this function, the items of a request
  /// are set one after the other. If the time limit of one item passes, the items after it fail too and are not sent.
  public let batch: Int

  /// The number of attempts, including the first one, before a failure is final; at least 1. Default: 4.
  public let attempts: Int

  /// The longest time until a response. Default: 30 seconds. `nil` means no limit.
  ///
  /// A request without a response within this time fails with a `timeout`. In a request of several items, the time
  /// begins again with each response. The feature's clock measures this time. So a test with a clock that never waits
  /// should set `nil`.
  public let timeLimit: Duration?

  /// The delays between the attempts. Default: half a second, then twice the last delay, at most 30 seconds.
  ///
  /// Its `longest` does not limit a delay that the server requests.
  public let backoff: Backoff

  /// The largest part of a delay that is left out at random, from 0 (none) to 1 (all). Default: 0.5.
  ///
  /// Clients that failed at the same time therefore do not retry at the same time.
  public let jitter: Double

  /// The number of changes that can be undone, at least 0. Default: 50.
  public let undoDepth: Int

  /// Creates a policy. The defaults suit an app with a user interface.
  public init(
    limit: Int = 4, batch: Int = 1, attempts: Int = 4, timeLimit: Duration? = .seconds(30),
    backoff: Backoff = Backoff(first: .milliseconds(500)), jitter: Double = 0.5, undoDepth: Int = 50
  ) {
    self.limit = max(1, limit)
    self.batch = max(1, batch)
    self.attempts = max(1, attempts)
    self.timeLimit = timeLimit.map { max(.zero, $0) }
    self.backoff = backoff
    self.jitter = jitter.isFinite ? min(1, max(0, jitter)) : 0
    self.undoDepth = max(0, undoDepth)
  }

  /// The delay of `backoff` before an attempt, reduced by a random part of up to `jitter`.
  ///
  /// - Parameters:
  ///   - attempt: The attempt after the delay, at least 2.
  ///   - chance: A number from 0 to 1 that determines the random part.
  public func delay(before attempt: Int, chance: Double) -> Duration {
    backoff.delay(after: max(2, attempt) - 1) * (1 - jitter * (chance.isFinite ? min(1, max(0, chance)) : 0))
  }
}
