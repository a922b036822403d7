public import ReeluxCore

/// One action on its way from the pipeline to the writer, before formatting.
@usableFromInline
struct LogEntry<Action: Sendable, State: Sendable>: Sendable {
  @usableFromInline var number: Int
  @usableFromInline var action: Action
  @usableFromInline var source: ActionSource
  /// Nanoseconds since 1970.
  @usableFromInline var time: Int64
  /// Nanoseconds; negative if it was not measured.
  @usableFromInline var duration: Int64
  @usableFromInline var before: State?
  @usableFromInline var after: State?
  @usableFromInline var suppressed: Int
  /// The number of equal actions in this entry.
  @usableFromInline var repeats = 1

  @inlinable
  init(
    number: Int, action: Action, source: ActionSource, time: Int64, duration: Int64 = -1, before: State? = nil,
    after: State? = nil, suppressed: Int = 0
  ) {
    self.number = number
    self.action = action
    self.source = source
    self.time = time
    self.duration = duration
    self.before = before
    self.after = after
    self.suppressed = suppressed
  }
}
