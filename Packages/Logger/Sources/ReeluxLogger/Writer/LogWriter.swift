public import ReeluxCore
import ReeluxDiff
internal import Foundation

/// Turns entries into records and hands them to the output: folding, comparison, filtering by change, text.
@usableFromInline
struct LogWriter<Action: Sendable, State: Sendable>: WriteSink, @unchecked Sendable {
  // Unchecked: the inspector and the output are used only under the lock of this writer's queue.
  @usableFromInline typealias Entry = ActionRecord<Action, State?>

  private var output: FailureGuard?
  private let open: @Sendable () -> FailureGuard
  private let options: LogOptions<Action>
  private let inspector: ValueInspector
  /// An action, and how many equal ones in a row it stands for.
  private var held: (entry: Entry, repeats: Int)?
  private var lost = 0

  init(to destination: LogDestination, options: LogOptions<Action>) {
    open = { FailureGuard(destination.open()) }
    self.options = options
    inspector = ValueInspector(budget: options.budget, hiding: options.redacting)
  }

  @usableFromInline
  var failed: Int { output?.total ?? 0 }

  @usableFromInline
  var holdTime: Duration? {
    guard held != nil, case .bursts(let span) = options.folding else { return nil }
    return span
  }

  @usableFromInline
  mutating func write(_ entries: ArraySlice<Entry>, lost: Int) {
    self.lost += lost
    guard case .bursts(let span) = options.folding else {
      for entry in entries { emit(entry) }
      return
    }
    for entry in entries {
      if var (burst, repeats) = held, isSame(burst, entry), entry.time - burst.time < span.inNanoseconds {
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

  @usableFromInline
  mutating func flush(releasing: Bool, durably: Bool) {
    if releasing { release() }
    output?.flush(durably: durably)
  }

  private mutating func release() {
    guard let (entry, repeats) = held.take() else { return }
    emit(entry, repeats: repeats)
  }

  private func isSame(_ left: Entry, _ right: Entry) -> Bool {
    left.source == right.source && inspector.isSame(left.action, right.action)
  }

  private mutating func emit(_ entry: Entry, repeats: Int = 1) {
    var difference: ValueDifference?
    if let before = entry.before, let after = entry.after {
      difference = inspector.difference(from: before, to: after)
    }
    if options.filter.asksForChanges {
      guard options.filter.admits(entry.action, entry.source, changes: difference?.changes ?? []) == true else {
        return
      }
    }
    let (name, text) = inspector.nameAndText(of: entry.action)
    var record = LogRecord(
      number: entry.number, time: Date(timeIntervalSince1970: Double(entry.time) / 1e9), name: name, action: text,
      source: entry.source,
      difference: difference, duration: entry.duration < 0 ? nil : .nanoseconds(entry.duration), repeats: repeats,
      suppressed: entry.suppressed, lost: lost
    )
    if options.detail >= .states {
      record.before = entry.before.map { inspector.text(of: $0) }
      record.after = entry.after.map { inspector.text(of: $0) }
    }
    lost = 0
    if output == nil { output = open() }
    output?.write(record)
  }
}
