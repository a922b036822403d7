public import ReeluxCore
internal import Dispatch
internal import Foundation

/// Takes entries on any thread and writes them on another, in order.
///
/// Two locks: `pending` guards the list of waiting entries and is held for a few instructions; `sink` is held while a
/// batch is written. The thread that holds `sink` takes the batch, so batches are in order. A dispatch queue writes,
/// and so does a thread that flushes, or, with ``LogQueue/Policy/wait``, a thread that finds the list full.
@usableFromInline
package final class WriteQueue<Sink: WriteSink>: Sendable, Flushable {
  private struct Writing: Sendable {
    var sink: Sink
    var spare: [Sink.Entry] = []
  }

  @usableFromInline let pending: Locked<PendingEntries<Sink.Entry>>
  private let writing: Locked<Writing>
  /// The thread that holds `writing`, so that a destination that logs does not wait for itself.
  private let owner = Locked<UInt?>(nil)
  private let worker: DispatchQueue

  package init(_ queue: LogQueue, sink: Sink, label: String) {
    pending = Locked(PendingEntries(queue))
    writing = Locked(Writing(sink: sink))
    worker = DispatchQueue(label: label, qos: .utility)
  }

  /// Puts an entry into the list. Cost: a lock and a move; at most every few milliseconds, waking the writer.
  @inlinable
  package func enqueue(_ entry: Sink.Entry) {
    let admission = pending.withLock { $0.offer(entry, maySpill: false) }
    if admission != .none { act(on: admission, entry) }
  }

  @usableFromInline
  func act(on admission: PendingEntries<Sink.Entry>.Admission, _ entry: Sink.Entry) {
    var admission = admission
    while true {
      switch admission {
      case .none: return
      case .wakeSoon: return worker.asyncAfter(deadline: .now() + .milliseconds(5)) { self.drain() }
      case .wakeNow: return worker.async { self.drain() }
      case .full:
        // A destination that dispatches cannot wait for itself.
        let isWriting = isWriting
        if !isWriting { _ = writeBatch(releasing: false, durably: false) }
        admission = pending.withLock { $0.offer(entry, maySpill: isWriting) }
      }
    }
  }

  /// Returns when everything that was put in before is written.
  @usableFromInline
  package func flush(durably: Bool) {
    guard !isWriting else { return }
    _ = writeBatch(releasing: true, durably: durably)
  }

  var statistics: LoggerStatistics {
    var statistics = pending.withLock { $0.statistics }
    if !isWriting { statistics.failed = writing.withLock { $0.sink.failed } }
    return statistics
  }

  private var isWriting: Bool { owner.withLock { $0 } == ThreadID.current() }

  /// The writer: batch after batch until nothing waits. Between two batches others may flush.
  private func drain() {
    while writeBatch(releasing: false, durably: false) {}
  }

  /// Writes what waits now.
  /// - Returns: Whether anything waited.
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

/// The target of a ``WriteQueue``. One thread at a time uses it.
@usableFromInline
package protocol WriteSink: Sendable {
  associatedtype Entry: Sendable

  /// Writes entries in their order. `lost` entries were given up before the first.
  mutating func write(_ entries: ArraySlice<Entry>, lost: Int)

  /// Everything that is known so far goes to its destination; with `releasing`, also what is held back for folding.
  mutating func flush(releasing: Bool, durably: Bool)

  /// The longest time for which a record is kept back; `nil` if none is.
  var holdTime: Duration? { get }

  /// Entries that the destination refused.
  var failed: Int { get }
}
