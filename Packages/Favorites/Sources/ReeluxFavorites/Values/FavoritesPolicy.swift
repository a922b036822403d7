import ReeluxCore

/// How patient the feature is, and how much it asks at once.
public struct FavoritesPolicy: Equatable, Sendable {
  /// How many items may have a request with the server at once, at least 1; default 4.
  public let limit: Int

  /// How often a request is made before its failure is final, at least 1; default 4.
  public let attempts: Int

  /// The pause before the second attempt; default half a second.
  public let firstPause: Duration

  /// By how much each further pause is longer than the one before; default 2.
  public let growth: Double

  /// The longest pause; default 30 seconds.
  public let longestPause: Duration

  /// The part of a pause that is left to chance, 0 to 1; default 0.5.
  ///
  /// Clients that failed together then do not all come back together.
  public let jitter: Double

  /// How many wishes can be undone; default 50.
  public let undoDepth: Int

  /// Makes a policy; every value has a default that suits a person at a screen.
  public init(
    limit: Int = 4, attempts: Int = 4, firstPause: Duration = .milliseconds(500), growth: Double = 2,
    longestPause: Duration = .seconds(30), jitter: Double = 0.5, undoDepth: Int = 50
  ) {
    self.limit = max(1, limit)
    self.attempts = max(1, attempts)
    self.firstPause = max(.zero, firstPause)
    self.growth = growth.isFinite ? max(1, growth) : 1
    self.longestPause = max(.zero, longestPause)
    self.jitter = jitter.isFinite ? min(1, max(0, jitter)) : 0
    self.undoDepth = max(0, undoDepth)
  }

  /// The pause before an attempt.
  ///
  /// It is `firstPause × growth^(attempt - 2)`, at most `longestPause`, less up to the `jitter`
  /// part of itself.
  ///
  /// - Parameters:
  ///   - attempt: The attempt that follows the pause, from 2.
  ///   - chance: A number from 0 to 1 that decides the part left to chance.
  public func pause(before attempt: Int, chance: Double) -> Duration {
    let backoff = Backoff(first: firstPause, factor: growth, longest: longestPause)
    return backoff.delay(after: attempt - 1) * (1 - jitter * (chance.isFinite ? min(1, max(0, chance)) : 0))
  }
}
