import Core

/// One action as the pipeline hands it to the writer: nothing is formatted yet.
struct LogEntry<Action: Sendable, State: Sendable>: Sendable {
  var number: Int
  var action: Action
  var source: ActionSource
  /// Since 1970.
  var time: Duration
  var duration: Duration?
  var before: State?
  var after: State?
  var suppressed: Int
  /// How many equal actions it stands for.
  var repeats = 1
}
