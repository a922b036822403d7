public import ReeluxCore
internal import Dispatch
internal import Foundation

/// A queue that accepts entries on any thread and writes them on another thread, in order.
///
/// It has two locks. `pending` protects the list of waiting entries and is held for a few instructions. `sink` is held
/// while a batch is written. Only the thread that holds `sink` takes a batch, so batches stay in order. A dispatch
/// queue writes batches. A thread that flushes writes them too, and with ``LogQueue/Policy/wait`` a thread that finds
/// the list full.
@usableFromInline package final class WriteQueue<Sink: WriteSink>: Sendable, Flushable {
  private struct Writing: Sendable {
    var sink: Sink
    var spare: [Sink.Entry] = []
  }

  @usableFromInline let pending: Locked<PendingEntries<Sink.Entry>>
  private let writing: Locked<Writing>
  /// The thread that holds `sink`. If a destination itself logs, its thread must not wait for itself.
  private let owner = Locked<UInt?>(nil)
  private let worker: DispatchQueue

  package init(_ queue: LogQueue, sink: Sink, label: String) {
    pending = Locked(PendingEntries(queue))
    writing = Locked(Writing(sink: sink))
    worker = DispatchQueue(label: label, qos: .utility)
  }

  /// Adds an entry to the list. Costs a lock and a move, and every few milliseconds at most a wake-up of the writer.
  @inlinable package func enqueue(_ entry: Sink.Entry) {
    let admission = pending.withLock { $0.offer(entry, maySpill: false) }
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
        if !isWriting { _ = writeBatch(releasing: false, durably: false) }
        admission = pending.withLock { $0.offer(entry, maySpill: isWriting) }
      }
    }
  }

  /// Returns after every earlier entry has been written.
  @usableFromInline package func flush(durably: Bool) {
    guard !isWriting else { return }
    _ = writeBatch(releasing: true, durably: durably)
  }

  var statistics: LoggerStatistics {
    var statistics = pending.withLock { $0.statistics }
    if !isWriting { statistics.failed = writing.withLock { $0.sink.failed } }
    return statistics
  }

  private var isWriting: Bool { owner.withLock { $0 } == ThreadID.current() }

  /// Writes batches until no entry waits. Between two batches, other threads may flush.
  private func drain() {
    while writeBatch(releasing: false, durably: false) {}
  }

  /// Writes the waiting entries.
  /// - Returns: Whether there were any.
  private func writeBatch(releasing: Bool, durably: Bool) -> Bool {
    let (hasWritten, holdTime) = writing.withLock { writing -> (Bool, Duration?) in
      owner.withLock { $0 = ThreadID.current() }
      defer { owner.withLock { $0 = nil } }
      let (entries, lost) = pending.withLock { $0.take(leaving: &writing.spare) }
      if !entries.isEmpty { writing.sink.write(entries, lost: lost) }
      writing.sink.flush(releasing: releasing, durably: durably)
      return (!entries.isEmpty, writing.sink.holdTime)
    }
    if !hasWritten, let holdTime {
      let milliseconds = Int(clamping: holdTime.inNanoseconds / 1_000_000)
      worker.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
        _ = self?.writeBatch(releasing: true, durably: false)
      }
    }
    return hasWritten
  }

  deinit {
    writing.withLock { $0.sink.flush(releasing: true, durably: false) }
  }
}

/// The destination of a ``WriteQueue``. Only one thread at a time uses it.
@usableFromInline package protocol WriteSink: Sendable {
  associatedtype Entry: Sendable

  /// Writes entries in their order. The number of entries dropped before the first is `lost`.
  mutating func write(_ entries: ArraySlice<Entry>, lost: Int)

  /// Writes everything known so far to the destination. With `releasing`, this includes records held back for folding.
  mutating func flush(releasing: Bool, durably: Bool)

  /// The longest time for which a record is held back; `nil` if none is.
  var holdTime: Duration? { get }

  /// The number of entries that the destination refused.
  var failed: Int { get }
}
