import ReeluxCore

/// How much the feature asks for at once, how long it waits for an answer, and how often it tries again.
public struct FavoritesPolicy: Equatable, Sendable {
  /// How many requests may be with the server at once, at least 1; default 4.
  public let limit: Int

  /// How many items one request may set, at least 1; default 1.
  ///
  /// More than 1 is for an API with ``FavoritesAPI/setSeveral``; without it, the items of a request are set one after
  /// the other.
  public let batch: Int

  /// How often a request is made before its failure is final, at least 1; default 4.
  public let attempts: Int

  /// How long to wait for an answer; default 30 seconds. `nil` waits for ever.
  ///
  /// A request that has no answer by then fails as a `timeout`. The time is that of the feature's clock, so a test on
  /// a clock that never waits sets `nil`.
  public let timeLimit: Duration?

  /// The delay before the second attempt; default half a second.
  public let firstDelay: Duration

  /// The factor by which each further delay is longer than the one before; default 2.
  public let growth: Double

  /// The longest delay; default 30 seconds. A server that says when to try again is not bound by it.
  public let longestDelay: Duration

  /// The part of a delay that is left to chance, 0 to 1; default 0.5.
  ///
  /// Clients that failed together then do not all come back together.
  public let jitter: Double

  /// How many changes can be undone; default 50.
  public let undoDepth: Int

  /// Makes a policy; every default suits an app that people look at.
  public init(
    limit: Int = 4, batch: Int = 1, attempts: Int = 4, timeLimit: Duration? = .seconds(30),
    firstDelay: Duration = .milliseconds(500), growth: Double = 2, longestDelay: Duration = .seconds(30),
    jitter: Double = 0.5, undoDepth: Int = 50
  ) {
    self.limit = max(1, limit)
    self.batch = max(1, batch)
    self.attempts = max(1, attempts)
    self.timeLimit = timeLimit.map { max(.zero, $0) }
    self.firstDelay = max(.zero, firstDelay)
    self.growth = growth.isFinite ? max(1, growth) : 1
    self.longestDelay = max(.zero, longestDelay)
    self.jitter = jitter.isFinite ? min(1, max(0, jitter)) : 0
    self.undoDepth = max(0, undoDepth)
  }

  /// The delay before an attempt: `firstDelay × growth^(attempt - 2)`, at most `longestDelay`, less up to the `jitter`
  /// part of itself.
  ///
  /// - Parameters:
  ///   - attempt: The attempt that follows the delay, from 2.
  ///   - chance: A number from 0 to 1 that decides the part left to chance.
  public func delay(before attempt: Int, chance: Double) -> Duration {
    let backoff = Backoff(first: firstDelay, factor: growth, longest: longestDelay)
    return backoff.delay(after: attempt - 1) * (1 - jitter * (chance.isFinite ? min(1, max(0, chance)) : 0))
  }
}
