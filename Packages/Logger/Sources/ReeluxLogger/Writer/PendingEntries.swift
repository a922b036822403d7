/// The waiting entries of a ``WriteQueue``: a list with a capacity and counts of dropped entries.
///
/// It is a value without locks or threads.
@usableFromInline struct PendingEntries<Entry: Sendable>: Sendable {
  /// The next step of the queue.
  @usableFromInline enum Admission: Equatable, Sendable {
    /// The entry was added. Wake the writer soon, or immediately if the queue is half full.
    case wakeSoon, wakeNow
    /// Nothing to do. The writer is already awake or expected, or the entry was dropped.
    case none
    /// The queue is full. Wait until entries were taken, or write entries. Then add this one again.
    case full
  }

  /// The state of the writer.
  @usableFromInline enum Writer: Sendable {
    /// The writer is asleep. The next entry must wake it.
    case asleep
    /// The writer was asked to start in a moment.
    case expected
    /// The writer was asked to start immediately, or is writing. It checks for further entries before it sleeps.
    case awake
  }

  @usableFromInline let queue: LogQueue
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var first = 0
  @usableFromInline var writer = Writer.asleep
  /// Whether the worker writes a batch. It then takes the waiting entries next.
  private(set) var isDraining = false
  @usableFromInline var statistics = LoggerStatistics()
  /// The numbers of entries dropped before the first waiting one, and after the last.
  @usableFromInline var lostBefore = 0
  @usableFromInline var lostAfter = 0

  init(_ queue: LogQueue) {
    self.queue = queue
  }

  @inlinable var count: Int { entries.count - first }
  @inlinable var isFull: Bool { count >= max(1, queue.capacity) }

  /// Adds an entry, or drops one.
  ///
  /// - Parameter dropped: Gets dropped entries, which the caller releases after its lock. Their release may call code
  ///   of the app.
  @inlinable mutating func offer(_ entry: Entry, maySpill: Bool, dropped: inout [Entry]) -> Admission {
    if isFull {
      switch queue.whenFull {
      case .wait where !maySpill:
        statistics.waits += 1
        return .full
      case .wait: break
      case .dropOldest:
        first += 1
        statistics.droppedOldest += 1
        lostBefore += 1
        compact(into: &dropped)
      case .dropNewest:
        statistics.droppedNewest += 1
        lostAfter += 1
        return .none
      }
    }
    entries.append(entry)
    statistics.accepted += 1
    return wake()
  }

  @inlinable mutating func wake() -> Admission {
    switch writer {
    case .awake: return .none
    case .expected where count * 2 < queue.capacity: return .none
    case .asleep where count * 2 < queue.capacity:
      writer = .expected
      return .wakeSoon
    case .asleep, .expected:
      writer = .awake
      return .wakeNow
    }
  }

  /// Removes dropped entries in batches, so that each costs constant time on average.
  @usableFromInline mutating func compact(into dropped: inout [Entry]) {
    guard first > max(16, queue.capacity / 4) else { return }
    dropped = Array(entries[..<first])
    entries.removeFirst(first)
    first = 0
  }

  /// Takes all waiting entries. `spare` must be empty, and becomes the storage of the following ones. If no entry
  /// waits, the writer goes to sleep.
  ///
  /// - Parameter isWorker: Whether the worker takes them. It takes entries again until it finds none.
  mutating func take(leaving spare: inout [Entry], isWorker: Bool) -> (entries: ArraySlice<Entry>, lost: Int) {
    if count == 0 { writer = .asleep } else { writer = .awake }
    if isWorker { isDraining = count > 0 }
    let taken = entries[first...]
    swap(&entries, &spare)
    first = 0
    if taken.isEmpty { return (taken, 0) }
    defer { (lostBefore, lostAfter) = (lostAfter, 0) }
    return (taken, lostBefore)
  }
}
