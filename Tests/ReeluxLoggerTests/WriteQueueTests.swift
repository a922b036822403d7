import ReeluxCore
import Testing

@testable import ReeluxLogger

@Suite(.timeLimit(.minutes(15))) struct WriteQueueTests {
  /// An entry that uses its queue when it is freed.
  private final class Entry: Sendable {
    let free: @Sendable () -> Void

    init(free: @escaping @Sendable () -> Void) { self.free = free }

    deinit { free() }
  }

  private struct Sink: WriteSink {
    var failed: Int { 0 }

    mutating func write(_ entries: ArraySlice<Entry>, lost: Int, on threads: WritingThreads) {}
    mutating func flush(releasing: HeldRecords, durably: Bool) {}
    mutating func startTimer() -> HoldTimer? { nil }
  }

  /// In a process of its own: a lock that its thread holds already ends the process.
  @Test func writtenEntriesAreFreedOutsideOfTheLockOfTheList() async {
    await #expect(processExitsWith: .success) {
      let queue = WriteQueue(LogQueue(), sink: Sink(), label: "test")
      let freed = Locked(0)
      for _ in 0..<100 {
        queue.enqueue(
          Entry {
            // The worker may write the first entries before the last one is added.
            #expect(queue.statistics.accepted > 0)
            freed.withLock { $0 += 1 }
          })
      }
      queue.flush(durably: false)
      queue.flush(durably: false)
      #expect(freed.withLock { $0 } == 100)
    }
  }
}
