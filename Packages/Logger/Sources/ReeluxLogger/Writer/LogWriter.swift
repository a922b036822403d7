public import ReeluxCore
import Dispatch

/// The writer of a logger. It folds entries, makes records of them, and passes the records to the output in order.
@usableFromInline struct LogWriter<Action: Sendable, State: Sendable>: WriteSink, @unchecked Sendable {
  // Unchecked: the makers and the output are used only under the lock of this writer's queue.
  @usableFromInline typealias Entry = ActionRecord<Action, State?>

  private var output: FailureGuard?
  private let open: @Sendable () -> FailureGuard
  private let options: LogOptions<Action>
  /// Two, because two threads make the records of a long list.
  private let makers: [RecordMaker<Action, State>]
  /// An action, and the number of equal consecutive actions that it represents.
  private var held: (entry: Entry, repeats: Int)?
  private var lost = 0

  init(to destination: LogDestination, options: LogOptions<Action>) {
    open = { FailureGuard(destination.open()) }
    self.options = options
    makers = [RecordMaker(options), RecordMaker(options)]
  }

  @usableFromInline var failed: Int { output?.failed ?? 0 }

  @usableFromInline var holdTime: Duration? {
    guard held != nil, case .bursts(let span) = options.folding else { return nil }
    return span
  }

  @usableFromInline mutating func write(_ entries: ArraySlice<Entry>, lost: Int) {
    self.lost += lost
    guard case .bursts(let span) = options.folding else {
      var rest = entries
      while !rest.isEmpty {
        emit(rest.prefix(1_024))
        rest = rest.dropFirst(1_024)
      }
      return
    }
    for entry in entries {
      if var (burst, repeats) = held, makers[0].isSame(burst, entry), entry.time - burst.time < span.inNanoseconds {
        repeats += 1
        burst.after = entry.after ?? burst.after
        burst.suppressed += entry.suppressed
        if entry.duration >= 0 { burst.duration = max(0, burst.duration) + entry.duration }
        held = (burst, repeats)
      } else {
        release()
        held = (entry, 1)
      }
    }
  }

  @usableFromInline mutating func flush(releasing: Bool, durably: Bool) {
    if releasing { release() }
    output?.flush(durably: durably)
  }

  private mutating func release() {
    guard let (entry, repeats) = held.take() else { return }
    emit(entry, repeats: repeats)
  }

  /// Two threads make the records, since their texts and differences take most of the time. This thread writes them.
  private mutating func emit(_ entries: ArraySlice<Entry>) {
    guard entries.count >= 32 else {
      for entry in entries { emit(entry) }
      return
    }
    let middle = entries.startIndex + entries.count / 2
    let halves = [entries[..<middle], entries[middle...]]
    let records = Locked<[[LogRecord?]]>([[], []])
    let makers = self.makers
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      let made = halves[half].map { makers[half].record(of: $0, repeats: 1) }
      records.withLock { $0[half] = made }
    }
    for half in records.withLock({ $0 }) {
      for case let record? in half { put(record) }
    }
  }

  private mutating func emit(_ entry: Entry, repeats: Int = 1) {
    if let record = makers[0].record(of: entry, repeats: repeats) { put(record) }
  }

  private mutating func put(_ record: LogRecord) {
    var record = record
    record.lost = lost
    lost = 0
    if output == nil { output = open() }
    output?.write(record)
  }
}
