public import ReeluxCore
public import Synchronization

/// The part of a logger that runs on the pipeline's thread. All copies of a logger share it.
@usableFromInline final class LogIntake<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline typealias Entry = ActionRecord<Action, State?>

  @usableFromInline let filter: LogFilter<Action>
  @usableFromInline let isFiltering: Bool
  @usableFromInline let detail: LogDetail
  @usableFromInline let clock: LogClock
  @usableFromInline let count = Atomic<Int>(0)
  @usableFromInline let hasRate: Bool
  @usableFromInline let queue: WriteQueue<LogWriter<Action, State>>
  private let meter: Locked<RateMeter?>

  init(to destination: LogDestination, options: LogOptions<Action>) {
    filter = options.filter
    isFiltering = !options.filter.isOpen
    detail = options.detail
    clock = options.clock
    // A filter by changes is applied later. The rate limit then counts the records that the filter has accepted.
    hasRate = options.rate != nil && !options.filter.asksForChanges
    meter = Locked(options.rate.map { RateMeter($0) })
    queue = WriteQueue(
      options.queue, sink: LogWriter(to: destination, options: options), label: "reelux.logger")
  }

  /// Begins a record. Returns `nil` if the action is not logged.
  @inlinable func begin(_ action: Action, _ source: ActionSource) -> Entry? {
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    if isFiltering, !admits(action, source) { return nil }
    var suppressed = 0
    if hasRate {
      suppressed = pass()
      if suppressed < 0 { return nil }
    }
    return Entry(
      number: number, action: action, source: source, time: clock.wallTime(), before: nil, after: nil,
      suppressed: suppressed)
  }

  /// Whether the action passes those conditions that do not depend on its changes.
  @usableFromInline
  func admits(_ action: Action, _ source: ActionSource) -> Bool { filter.admits(action, source) != false }

  /// The number of all actions that were left out so far; negative if this one is left out too.
  @usableFromInline func pass() -> Int {
    let uptime = clock.uptime()
    return meter.withLock { $0?.pass(at: uptime) ?? -1 }
  }
}
