// A user of the logger names `ValuePathPattern` and `InspectionBudget`.
@_exported public import ReeluxDiff

/// The options of a logger. Each has a default.
public struct LogOptions<Action: Sendable>: Sendable {
  /// The condition for actions to be logged. Default: every action.
  public var filter: LogFilter<Action>
  /// The largest number of records in a span of time. Actions that the filter rejects do not count. Default: no limit.
  public var rate: LogRate?
  /// The recorded details of each action. Default: ``LogDetail/changes``.
  public var detail: LogDetail
  /// The fields, cases and keys to redact, in every format. Default: none.
  public var redacting: [ValuePathPattern]
  /// The types whose values are redacted, in every format and at every place in an action or a state. A subclass is
  /// another type. Default: none.
  public var redactingTypes: [Any.Type]
  /// Whether bursts of equal actions become one record. Default: ``LogFolding/never``.
  public var folding: LogFolding
  /// The queue between the pipeline and the writer. Default: ``LogQueue/standard``.
  public var queue: LogQueue
  /// The limits of the texts and differences in records. The text of a whole state may be 100 times as long as that of
  /// a value. Default: `InspectionBudget.standard`.
  public var budget: InspectionBudget
  /// The clock. Default: the system's clocks.
  public var clock: LogClock

  /// Creates options.
  public init(
    filter: LogFilter<Action> = .everything, rate: LogRate? = nil, detail: LogDetail = .changes,
    redacting: [ValuePathPattern] = [], redactingTypes: [Any.Type] = [], folding: LogFolding = .never,
    queue: LogQueue = .standard, budget: InspectionBudget = .standard, clock: LogClock = .system
  ) {
    self.filter = filter
    self.rate = rate
    self.detail = detail
    self.redacting = redacting
    self.redactingTypes = redactingTypes
    self.folding = folding
    self.queue = queue
    self.budget = budget
    self.clock = clock
  }
}

/// Whether equal consecutive actions become one record (`×37`).
public enum LogFolding: Hashable, Sendable {
  /// Each action has its own record.
  case never
  /// Equal actions from the same source become one record. It has the time of the first action, the changes between
  /// the state before the first action and the state after the last one, and the sum of the durations.
  ///
  /// The record is written when another action arrives, when the logger is flushed, or when this duration has passed
  /// since the first action.
  case bursts(within: Duration = .seconds(1))
}
