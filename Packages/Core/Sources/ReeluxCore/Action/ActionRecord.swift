/// An action that a pipeline has processed, with its source, its times and the states around it.
///
/// The test store, the logger and the recorder create one for each action. Their public types are different forms of
/// it. A `LogRecord` is text, for destinations that do not know the types of action and state. A `RecordedAction` is a
/// line of a file and has checksums in place of states.
@usableFromInline package struct ActionRecord<Action: Sendable, State: Sendable>: Sendable {
  /// The position among all actions, counted from 1.
  @usableFromInline package var number: Int
  @usableFromInline package var action: Action
  @usableFromInline package var source: ActionSource
  /// The time in nanoseconds since 1970; 0 if no clock was read.
  @usableFromInline package var time: Int64
  /// The duration in nanoseconds; negative if it was not measured.
  @usableFromInline package var duration: Int64
  @usableFromInline package var before: State
  @usableFromInline package var after: State
  /// The number of actions before this one that have no record because of a rate limit.
  @usableFromInline package var suppressed: Int

  @inlinable package init(
    number: Int, action: Action, source: ActionSource, time: Int64 = 0, duration: Int64 = -1, before: State,
    after: State, suppressed: Int = 0
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
