public import ReeluxCore
internal import Dispatch
internal import Foundation

/// A queue that accepts entries on any thread and writes them on another thread, in order.
///
/// Two of its locks protect the entries. `pending` protects the list of waiting entries. It is held for a few
/// instructions, and at times while the list grows or dropped entries are freed. `writing` is held while a batch is
/// written and freed. Only the thread that holds `writing` takes a batch, so batches stay in order. A dispatch queue,
/// the worker, writes batches. A thread that flushes writes them too. With ``LogQueue/Policy/wait``, a thread that
/// finds the list full waits for the worker, which takes the list after its present batch. If the worker writes none,
/// this thread writes a batch itself, because there may be no free thread for the worker.
@usableFromInline package final class WriteQueue<Sink: WriteSink>: Sendable, Flushable {
  private struct Writing: Sendable {
    var sink: Sink
    var spare: [Sink.Entry] = []
  }

  @usableFromInline let pending: Locked<PendingEntries<Sink.Entry>>
  private let writing: Locked<Writing>
  /// The threads that work on the batch. If a destination itself logs, its thread must not wait for itself.
  private let threads = WritingThreads()
  let worker: DispatchQueue
  /// Threads wait for it until a batch is taken from a full list.
  private let room = NSCondition()

  package init(_ queue: LogQueue, sink: Sink, label: String) {
    pending = Locked(PendingEntries(queue))
    writing = Locked(Writing(sink: sink))
    worker = DispatchQueue(label: label, qos: .utility)
  }

  /// Adds an entry to the list. Costs a lock and a move, and every few milliseconds at most a wake-up of the writer.
  @inlinable package func enqueue(_ entry: Sink.Entry) {
    var dropped: [Sink.Entry] = []
    let admission = pending.withLock { $0.offer(entry, maySpill: false, dropped: &dropped) }
    if admission != .none { act(on: admission, entry) }
  }

  @usableFromInline func act(on admission: PendingEntries<Sink.Entry>.Admission, _ entry: Sink.Entry) {
    var admission = admission
    while true {
      switch admission {
      case .none: return
      case .wakeSoon: return worker.asyncAfter(deadline: .now() + .milliseconds(5)) { self.drain() }
      case .wakeNow: return worker.async { self.drain() }
      case .full:
        // A destination that dispatches runs on the writing thread, which must not wait for itself.
        let isWriting = isWriting
        if !isWriting && staysFull() { _ = writeBatch(releasing: .none, durably: false) }
        var dropped: [Sink.Entry] = []
        admission = pending.withLock { $0.offer(entry, maySpill: isWriting, dropped: &dropped) }
      }
    }
  }

  /// Waits while the list is full and the worker is going to take it. Returns whether the list is full afterwards.
  private func staysFull() -> Bool {
    room.withLock {
      while true {
        let (isFull, isDraining) = pending.withLock { ($0.isFull, $0.isDraining) }
        if !isFull || !isDraining { return isFull }
        room.wait()
      }
    }
  }

  /// Returns after every earlier entry has been written.
  @usableFromInline package func flush(durably: Bool) {
    guard !isWriting else { return }
    _ = writeBatch(releasing: .all, durably: durably)
  }

  var statistics: LoggerStatistics { pending.withLock { $0.statistics } }

  private var isWriting: Bool { threads.containsCurrent }

  /// Writes batches until no entry waits. Between two batches, other threads may flush.
  private func drain() {
    while writeBatch(releasing: .none, durably: false, isWorker: true) {}
  }

  /// Writes the waiting entries.
  /// - Returns: Whether there were any.
  private func writeBatch(releasing: HeldRecords, durably: Bool, isWorker: Bool = false) -> Bool {
    let (hasWritten, timer) = writing.withLock { writing in
      threads.run {
        // Frees the previous batch, which can be long. Threads that dispatch wait for `pending`, but not for `writing`.
        writing.spare.removeAll(keepingCapacity: true)
        let (entries, lost) = pending.withLock { $0.take(leaving: &writing.spare, isWorker: isWorker) }
        room.withLock { room.broadcast() }
        if !entries.isEmpty { writing.sink.write(entries, lost: lost, on: threads) }
        writing.sink.flush(releasing: releasing, durably: durably)
        pending.withLock { [failed = writing.sink.failed] in $0.statistics.failed = failed }
        return (!entries.isEmpty, entries.isEmpty ? writing.sink.startTimer() : nil)
      }
    }
    if let timer {
      let milliseconds = Int(clamping: timer.time.inNanoseconds / 1_000_000)
      worker.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
        _ = self?.writeBatch(releasing: .one(timer.record), durably: false)
      }
    }
    return hasWritten
  }

  deinit {
    writing.withLock { $0.sink.flush(releasing: .all, durably: false) }
  }
}

/// The destination of a ``WriteQueue``. Only one thread at a time uses it.
@usableFromInline package protocol WriteSink: Sendable {
  associatedtype Entry: Sendable

  /// Writes entries in their order. The number of entries dropped before the first is `lost`. The sink adds further
  /// threads that it uses to `threads`.
  mutating func write(_ entries: ArraySlice<Entry>, lost: Int, on threads: WritingThreads)

  /// Writes everything known so far to the destination, with the given records that are held back for folding.
  mutating func flush(releasing: HeldRecords, durably: Bool)

  /// The timer of the record that is held back. `nil` if no record is held back, or if this record already has a timer.
  mutating func startTimer() -> HoldTimer?

  /// The number of entries that the destination refused.
  var failed: Int { get }
}

/// The selection of the records to write, from those that a ``WriteSink`` holds back.
@usableFromInline package enum HeldRecords: Sendable {
  case none
  /// The record of the action with this number, if it is still held back.
  case one(Int)
  case all
}

/// The longest time for which the record of an action is held back.
@usableFromInline package struct HoldTimer: Equatable, Sendable {
  var record: Int
  var time: Duration
}
