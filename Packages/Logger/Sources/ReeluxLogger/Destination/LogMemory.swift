import ReeluxCore

/// The last records of a logger, in memory. Use it in tests, or to show what preceded a problem.
public final class LogMemory: Sendable {
  private struct Ring {
    var records: [LogRecord] = []
    var first = 0
  }

  /// The largest number of kept records.
  public let capacity: Int
  private let ring = Locked(Ring())

  /// Creates an empty memory.
  /// - Parameter capacity: The number of records to keep, at least 1. Default: 1,000. The oldest records are removed
  ///   first.
  public init(capacity: Int = 1_000) {
    self.capacity = max(1, capacity)
  }

  /// The records, oldest first. Records in the logger's queue are missing until the logger is flushed.
  public var records: [LogRecord] {
    ring.withLock { Array($0.records[$0.first...] + $0.records[..<$0.first]) }
  }

  /// Removes all records.
  public func removeAll() {
    ring.withLock { $0 = Ring() }
  }

  func append(_ record: LogRecord) {
    ring.withLock { ring in
      if ring.records.count < capacity {
        ring.records.append(record)
      } else {
        ring.records[ring.first] = record
        ring.first = (ring.first + 1) % capacity
      }
    }
  }
}
