import ReeluxTestSupport
import Testing

@testable import ReeluxLogger

extension PendingEntries {
  fileprivate mutating func offer(_ entry: Entry, maySpill: Bool) -> Admission {
    var dropped: [Entry] = []
    return offer(entry, maySpill: maySpill, dropped: &dropped)
  }
}

@Suite(.conformance(72), .timeLimit(.minutes(15))) struct PendingEntriesTests {
  private func take(_ entries: inout PendingEntries<Int>, isWorker: Bool = true) -> (entries: [Int], lost: Int) {
    var spare: [Int] = []
    let (taken, lost) = entries.take(leaving: &spare, isWorker: isWorker)
    return (Array(taken), lost)
  }

  @Test func theFirstEntryWakesTheWriterAndTheNextDoNot() {
    var entries = PendingEntries<Int>(LogQueue(capacity: 100))
    #expect(entries.offer(1, maySpill: false) == .wakeSoon)
    #expect(entries.offer(2, maySpill: false) == .none)
    #expect(take(&entries).entries == [1, 2])
    #expect(entries.offer(3, maySpill: false) == .none)
    #expect(take(&entries).entries == [3])
    #expect(take(&entries).entries.isEmpty)
    #expect(entries.offer(4, maySpill: false) == .wakeSoon)
  }

  @Test func aHalfFullQueueWakesTheWriterAtOnce() {
    var entries = PendingEntries<Int>(LogQueue(capacity: 6))
    #expect((1...4).map { entries.offer($0, maySpill: false) } == [.wakeSoon, .none, .wakeNow, .none])
  }

  @Test func waitingRefusesUntilThereIsRoom() {
    var entries = PendingEntries<Int>(LogQueue(capacity: 2, whenFull: .wait))
    #expect(entries.offer(1, maySpill: false) == .wakeNow)
    #expect(entries.offer(2, maySpill: false) == .none)
    #expect(entries.offer(3, maySpill: false) == .full)
    #expect(entries.offer(3, maySpill: true) == .none)
    #expect(take(&entries).entries == [1, 2, 3])
    #expect(entries.statistics.waits == 1)
    #expect(entries.statistics.accepted == 3)
  }

  @Test func theWorkerDrainsTheListFromItsFirstBatchUntilItFindsNoEntry() {
    var entries = PendingEntries<Int>(LogQueue(capacity: 2))
    _ = entries.offer(1, maySpill: false)
    #expect(!entries.isFull)
    _ = take(&entries, isWorker: false)
    #expect(!entries.isDraining)
    for number in 2...3 { _ = entries.offer(number, maySpill: false) }
    #expect(entries.isFull)
    #expect(take(&entries).entries == [2, 3])
    #expect(entries.isDraining && !entries.isFull)
    // A thread that flushes does not end the work of the worker.
    _ = take(&entries, isWorker: false)
    #expect(entries.isDraining)
    _ = take(&entries)
    #expect(!entries.isDraining)
  }

  @Test func droppingTheOldestKeepsTheNewestAndCounts() {
    var entries = PendingEntries<Int>(LogQueue(capacity: 3, whenFull: .dropOldest))
    for number in 1...100 { _ = entries.offer(number, maySpill: false) }
    let (taken, lost) = take(&entries)
    #expect(taken == [98, 99, 100])
    #expect(lost == 97)
    #expect(entries.statistics.droppedOldest == 97)
    #expect(take(&entries).lost == 0)
  }

  @Test func droppedEntriesAreReleasedByTheCaller() {
    final class Token: Sendable {}
    var entries = PendingEntries<Token>(LogQueue(capacity: 1, whenFull: .dropOldest))
    var released: [Int] = []
    weak var first: Token?
    do {
      let token = Token()
      first = token
      var dropped: [Token] = []
      _ = entries.offer(token, maySpill: false, dropped: &dropped)
    }
    for number in 1...20 {
      var dropped: [Token] = []
      _ = entries.offer(Token(), maySpill: false, dropped: &dropped)
      if !dropped.isEmpty { released.append(number) }
      #expect(first != nil || !released.isEmpty)
    }
    #expect(released == [17])
    #expect(first == nil)
  }

  @Test func droppingTheNewestKeepsTheOldestAndCounts() {
    var entries = PendingEntries<Int>(LogQueue(capacity: 3, whenFull: .dropNewest))
    for number in 1...100 { _ = entries.offer(number, maySpill: false) }
    let (taken, lost) = take(&entries)
    #expect(taken == [1, 2, 3])
    #expect(entries.statistics.droppedNewest == 97)
    // The entries were lost after the third one, so the next one states them.
    #expect(lost == 0)
    #expect(take(&entries).lost == 0)
    _ = entries.offer(101, maySpill: false)
    #expect(take(&entries).lost == 97)
    _ = entries.offer(102, maySpill: false)
    #expect(take(&entries).lost == 0)
  }

  @Test func aCapacityOfZeroCountsAsOne() {
    var queue = LogQueue(capacity: 1, whenFull: .wait)
    queue.capacity = 0
    var entries = PendingEntries<Int>(queue)
    #expect(entries.offer(1, maySpill: false) == .wakeNow)
    #expect(entries.offer(2, maySpill: false) == .full)
    #expect(take(&entries).entries == [1])
  }
}
