/// The bounded queue between the pipeline and the writer.
public struct LogQueue: Hashable, Sendable {
  /// The behaviour when the queue is full.
  public enum Policy: Hashable, Sendable {
    /// The pipeline's thread waits until the writer takes the waiting actions, or writes records itself. No record is
    /// lost, and the store becomes as slow as the destination.
    case wait
    /// The oldest waiting action is dropped and counted.
    case dropOldest
    /// The new action is dropped and counted.
    case dropNewest
  }

  /// The largest number of waiting actions.
  public var capacity: Int
  /// The behaviour when the queue is full.
  public var whenFull: Policy

  /// Creates the description of a queue.
  /// - Parameters:
  ///   - capacity: The largest number of waiting actions, at least 1. Default: 65,536, which takes about 10 MB and the
  ///     states.
  ///   - whenFull: The behaviour when the queue is full. Default: ``Policy/wait``.
  public init(capacity: Int = 65_536, whenFull: Policy = .wait) {
    self.capacity = max(1, capacity)
    self.whenFull = whenFull
  }

  /// The queue with the documented defaults.
  public static let standard = LogQueue()
}

/// The numbers of actions that a logger has accepted and dropped.
public struct LoggerStatistics: Hashable, Sendable {
  /// The number of actions that were added to the queue. They passed the filter and the rate limit. If the filter
  /// depends on changes, the writer checks these conditions and the rate limit later.
  public var accepted = 0
  /// The number of actions dropped under ``LogQueue/Policy/dropOldest``.
  public var droppedOldest = 0
  /// The number of actions dropped under ``LogQueue/Policy/dropNewest``.
  public var droppedNewest = 0
  /// The number of times that the pipeline's thread waited or wrote records because the queue was full.
  public var waits = 0
  /// The number of records that the destination refused.
  public var failed = 0
}
