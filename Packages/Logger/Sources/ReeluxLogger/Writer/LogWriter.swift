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
  private var held: (entry: Entry, repeats: Int, hasTimer: Bool)?
  /// The number of lost records that the next one states.
  private var lost = 0
  /// How many left-out records were already reported.
  private var suppressed = 0
  /// Applies the rate limit to the records that a filter by changes has accepted. Without such a filter, the intake
  /// applies the limit.
  private var meter: RateMeter?

  init(to destination: LogDestination, options: LogOptions<Action>) {
    open = { FailureGuard(destination.open(), report: destination.report) }
    self.options = options
    makers = [RecordMaker(options), RecordMaker(options)]
    meter = options.filter.asksForChanges ? options.rate.map { RateMeter($0) } : nil
  }

  @usableFromInline var failed: Int { output?.failed ?? 0 }

  @usableFromInline mutating func startTimer() -> HoldTimer? {
    guard let record = held?.entry.number, held?.hasTimer == false, case .bursts(let span) = options.folding else {
      return nil
    }
    held?.hasTimer = true
    return HoldTimer(record: record, time: span)
  }

  @usableFromInline mutating func write(_ entries: ArraySlice<Entry>, lost: Int, on threads: WritingThreads) {
    // A record that is held back precedes the loss.
    if lost > 0 { release() }
    self.lost += lost
    guard case .bursts(let span) = options.folding else {
      var rest = entries
      while !rest.isEmpty {
        emit(rest.prefix(1_024), on: threads)
        rest = rest.dropFirst(1_024)
      }
      return
    }
    for entry in entries where makers[0].admits(entry) {
      if let burst = held?.entry, makers[0].isSame(burst, entry), entry.time &- burst.time < span.inNanoseconds {
        held?.repeats += 1
        held?.entry.after = entry.after ?? burst.after
        held?.entry.suppressed = entry.suppressed
        if entry.duration >= 0 { held?.entry.duration = max(0, burst.duration) + entry.duration }
      } else {
        release()
        held = (entry, 1, false)
      }
    }
  }

  @usableFromInline mutating func flush(releasing: HeldRecords, durably: Bool) {
    switch releasing {
    case .all: release()
    case .one(let number): if held?.entry.number == number { release() }
    case .none: break
    }
    output?.flush(durably: durably)
  }

  private mutating func release() {
    guard let (entry, repeats, _) = held.take() else { return }
    put(makers[0].record(of: entry, repeats: repeats), of: entry)
  }

  /// Two threads make the records, since their texts and differences take most of the time. This thread writes them.
  private mutating func emit(_ entries: ArraySlice<Entry>, on threads: WritingThreads) {
    guard entries.count >= 32 else {
      for entry in entries { put(makers[0].record(of: entry), of: entry) }
      return
    }
    let middle = entries.startIndex + entries.count / 2
    let halves = [entries[..<middle], entries[middle...]]
    let records = Locked<[[LogRecord?]]>([[], []])
    let makers = self.makers
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      // The code that describes an action or a state may use this logger. It must not wait for this batch.
      let made = threads.run { halves[half].map { makers[half].record(of: $0) } }
      records.withLock { $0[half] = made }
    }
    for (entry, record) in zip(entries, records.withLock { $0.joined() }) { put(record, of: entry) }
  }

  /// Writes the record of an entry, unless it is `nil` because the filter rejects it. The next record then states the
  /// numbers of lost and suppressed records.
  private mutating func put(_ record: LogRecord?, of entry: Entry) {
    guard var record else { return }
    // All records that the rate limit has left out so far.
    var leftOut = entry.suppressed
    if meter != nil {
      guard let count = meter?.pass(at: entry.time) else { return }
      leftOut = count
    }
    // Entries of two stores that share a logger may be in another order, so this count can be less than an earlier one.
    (record.lost, record.suppressed) = (lost, max(0, leftOut - suppressed))
    (lost, suppressed) = (0, max(suppressed, leftOut))
    if output == nil { output = open() }
    output?.write(record)
  }
}
