/// The bounded queue between the pipeline and the writer.
public struct LogQueue: Hashable, Sendable {
  /// The treatment of an action when the queue is full.
  public enum Policy: Hashable, Sendable {
    /// The pipeline's thread helps to write until there is room: nothing is lost, and the store is as slow as the
    /// destination.
    case wait
    /// The oldest waiting action is given up and counted.
    case dropOldest
    /// The new action is given up and counted.
    case dropNewest
  }

  /// The number of actions that may wait to be written.
  public var capacity: Int
  /// The treatment of an action when the queue is full.
  public var whenFull: Policy

  /// Makes a queue's description.
  /// - Parameters:
  ///   - capacity: How many actions may wait, at least 1. Default 65,536, about 10 MB when full, plus the states.
  ///   - whenFull: Default ``Policy/wait``.
  public init(capacity: Int = 65_536, whenFull: Policy = .wait) {
    self.capacity = max(1, capacity)
    self.whenFull = whenFull
  }

  /// The documented defaults.
  public static let standard = LogQueue()
}

/// The numbers of actions that a logger has accepted and dropped.
public struct LoggerStatistics: Hashable, Sendable {
  /// Actions that the filter and the rate limit let into the queue.
  public var accepted = 0
  /// Actions given up because the queue was full, the oldest first.
  public var droppedOldest = 0
  /// Actions given up because the queue was full and they came last.
  public var droppedNewest = 0
  /// The number of times that the pipeline's thread waited, or wrote records itself, because the
  /// queue was full.
  public var waits = 0
  /// Records that the destination refused.
  public var failed = 0
}
