/// One action that a pipeline has processed, in memory: where and when it was dispatched, and the states around it.
///
/// The test store, the logger and the recorder make one for each action. What they give away is another form of it: a
/// `LogRecord` is text, for destinations that know neither action nor state, and a `RecordedAction` is a line of a file, which
/// has checksums in place of states.
@usableFromInline
package struct ActionRecord<Action: Sendable, State: Sendable>: Sendable {
  /// Its place among all actions, counted from 1.
  @usableFromInline package var number: Int
  @usableFromInline package var action: Action
  @usableFromInline package var source: ActionSource
  /// Nanoseconds since 1970; 0 if no clock was read.
  @usableFromInline package var time: Int64
  /// Nanoseconds; negative if it was not measured.
  @usableFromInline package var duration: Int64
  @usableFromInline package var before: State
  @usableFromInline package var after: State
  /// How many actions before it have no record because there were too many of them.
  @usableFromInline package var suppressed: Int

  @inlinable
  package init(
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
