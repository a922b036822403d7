public import ReeluxDiff

/// Everything about a logger but its destination. Each option has a default.
public struct LogOptions<Action: Sendable>: Sendable {
  /// Which actions are logged. Default: every one.
  public var filter: LogFilter<Action>
  /// The largest number of records in a span of time. Default: no limit.
  public var rate: LogRate?
  /// The recorded details of an action. Default: ``LogDetail/changes``.
  public var detail: LogDetail
  /// Fields, cases and keys to redact, in every format. Default: none.
  public var redacting: [ValuePathPattern]
  /// Whether bursts of equal actions become one record. Default: ``LogFolding/never``.
  public var folding: LogFolding
  /// The queue between the pipeline and the writer.
  public var queue: LogQueue
  /// The limits of the differences in records.
  public var budget: InspectionBudget
  /// The clock.
  public var clock: LogClock

  /// Makes options.
  public init(
    filter: LogFilter<Action> = .everything, rate: LogRate? = nil, detail: LogDetail = .changes,
    redacting: [ValuePathPattern] = [], folding: LogFolding = .never, queue: LogQueue = .standard,
    budget: InspectionBudget = .standard, clock: LogClock = .system
  ) {
    self.filter = filter
    self.rate = rate
    self.detail = detail
    self.redacting = redacting
    self.folding = folding
    self.queue = queue
    self.budget = budget
    self.clock = clock
  }
}

/// Whether equal actions in a row become one record (`×37`).
public enum LogFolding: Hashable, Sendable {
  /// Each action has its own record.
  case never
  /// Equal actions from the same place in the program become one record: the time of the first, the changes from before
  /// the first to after the last, the durations added.
  ///
  /// The record is written when another action comes, when the logger is flushed, or when the first of the burst is that
  /// long ago.
  case bursts(within: Duration = .seconds(1))
}
