/// The waiting entries of a ``WriteQueue``: a list with a capacity and counts of what was given up.
///
/// Pure: it knows no lock and no thread.
@usableFromInline
struct PendingEntries<Entry: Sendable>: Sendable {
  /// The next step of the queue.
  @usableFromInline
  enum Admission: Equatable, Sendable {
    /// The entry waits, and the writer sleeps: wake it, soon or (if the queue is half full) at once.
    case wakeSoon, wakeNow
    /// The entry waits and the writer knows.
    case none
    /// There is no room: write something, then offer the entry again.
    case full
  }

  /// The writer's part of the agreement.
  @usableFromInline
  enum Writer: Sendable {
    /// The writer sleeps: the next entry must wake it.
    case asleep
    /// It was asked to come in a moment.
    case expected
    /// It was asked to come at once, or is writing; it looks for more before it sleeps.
    case awake
  }

  @usableFromInline let queue: LogQueue
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var first = 0
  @usableFromInline var writer = Writer.asleep
  @usableFromInline var statistics = LoggerStatistics()
  /// Given up since the last batch.
  @usableFromInline var lost = 0

  init(_ queue: LogQueue) {
    self.queue = queue
  }

  @inlinable var count: Int { entries.count - first }

  @inlinable
  mutating func offer(_ entry: Entry, maySpill: Bool) -> Admission {
    if count >= queue.capacity {
      switch queue.whenFull {
      case .wait where !maySpill:
        statistics.waits += 1
        return .full
      case .wait: break
      case .dropOldest:
        first += 1
        statistics.droppedOldest += 1
        lost += 1
        compact()
      case .dropNewest:
        statistics.droppedNewest += 1
        lost += 1
        return .none
      }
    }
    entries.append(entry)
    statistics.accepted += 1
    return wake()
  }

  @inlinable
  mutating func wake() -> Admission {
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

  /// Frees the given-up entries now and then; each costs a constant time on average.
  @usableFromInline
  mutating func compact() {
    guard first > max(16, queue.capacity / 4) else { return }
    entries.removeFirst(first)
    first = 0
  }

  /// All waiting entries; `spare` becomes the storage of those to come. Without any, the writer sleeps.
  mutating func take(leaving spare: inout [Entry]) -> (entries: ArraySlice<Entry>, lost: Int) {
    if count == 0 { writer = .asleep } else { writer = .awake }
    let taken = entries[first...]
    let lostBefore = lost
    spare.removeAll(keepingCapacity: true)
    swap(&entries, &spare)
    first = 0
    lost = 0
    return (taken, lostBefore)
  }
}
