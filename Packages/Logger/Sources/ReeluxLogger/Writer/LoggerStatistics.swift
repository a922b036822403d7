/// What became of the actions that a logger was given.
public struct LoggerStatistics: Hashable, Sendable {
  /// Actions that the filter and the rate limit let into the queue.
  public var accepted = 0
  /// Actions given up because the queue was full, the oldest first.
  public var droppedOldest = 0
  /// Actions given up because the queue was full and they came last.
  public var droppedNewest = 0
  /// How often the pipeline's thread had to wait, or to help writing, because the queue was full.
  public var waits = 0
  /// Records that the destination refused.
  public var failed = 0
}
