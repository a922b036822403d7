/// The bounded queue between the pipeline and the writer.
public struct LogQueue: Hashable, Sendable {
  /// What happens to an action that finds the queue full.
  public enum Policy: Hashable, Sendable {
    /// The pipeline's thread helps to write until there is room: nothing is lost, and the store is as slow as the
    /// destination.
    case wait
    /// The oldest waiting action is given up and counted.
    case dropOldest
    /// The new action is given up and counted.
    case dropNewest
  }

  /// How many actions may wait to be written.
  public var capacity: Int
  /// What happens when it is full.
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
