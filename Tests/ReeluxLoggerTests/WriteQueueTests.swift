import Foundation
import ReeluxCore
import ReeluxTestSupport
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

  /// Notes the thread that writes each number, and waits before it writes 1.
  private final class NumberSink: WriteSink {
    let written = Locked<[(number: Int, thread: UInt)]>([])
    let begun = DispatchSemaphore(value: 0)
    let door = DispatchSemaphore(value: 0)
    var failed: Int { 0 }

    func write(_ entries: ArraySlice<Int>, lost: Int, on threads: WritingThreads) {
      for number in entries {
        if number == 1 {
          begun.signal()
          door.wait()
        }
        written.withLock { $0.append((number, currentThreadID())) }
      }
    }
    func flush(releasing: HeldRecords, durably: Bool) {}
    func startTimer() -> HoldTimer? { nil }
  }

  /// In many rounds, because the worker may take the list before the thread finds it full.
  @Test(.conformance(72)) func aThreadThatFindsTheListFullLeavesItToTheWorkingWorker() {
    for _ in 0..<200 {
      let sink = NumberSink()
      let queue = WriteQueue(LogQueue(capacity: 2), sink: sink, label: "test")
      queue.enqueue(1)
      sink.begun.wait()
      for number in 2...3 { queue.enqueue(number) }
      let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let thread = Locked<UInt>(0)
      Thread.detachNewThread {
        thread.withLock { $0 = currentThreadID() }
        started.signal()
        queue.enqueue(4)
        ended.signal()
      }
      started.wait()
      sink.door.signal()
      ended.wait()
      queue.flush(durably: false)
      let written = sink.written.withLock { $0 }
      #expect(written.map(\.number) == [1, 2, 3, 4])
      #expect(!written.contains { $0.thread == thread.withLock { $0 } })
    }
  }

  @Test(.conformance(72)) func aThreadThatFindsTheListFullWritesItIfTheWorkerDoesNotStart() {
    let queue = WriteQueue(LogQueue(capacity: 2), sink: CountingSink(), label: "test")
    queue.worker.suspend()
    for number in 1...20 { queue.enqueue(number) }
    #expect(queue.statistics.failed == 18)
    queue.worker.resume()
    queue.flush(durably: false)
    #expect(queue.statistics.failed == 20)
  }

  @Test(.conformance(72)) func theNumbersCanBeReadWhileTheDestinationBlocks() {
    let sink = NumberSink()
    let queue = WriteQueue(LogQueue(capacity: 2), sink: sink, label: "test")
    queue.enqueue(1)
    sink.begun.wait()
    let numbers = Locked(0)
    let isRead = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let accepted = queue.statistics.accepted
      numbers.withLock { $0 = accepted }
      isRead.signal()
    }
    #expect(isRead.wait(timeout: .now() + 60) == .success)
    #expect(numbers.withLock { $0 } == 1)
    sink.door.signal()
    queue.flush(durably: false)
  }

  /// Counts the entries as failed ones.
  private struct CountingSink: WriteSink {
    var failed = 0

    mutating func write(_ entries: ArraySlice<Int>, lost: Int, on threads: WritingThreads) { failed += entries.count }
    mutating func flush(releasing: HeldRecords, durably: Bool) {}
    mutating func startTimer() -> HoldTimer? { nil }
  }
}
