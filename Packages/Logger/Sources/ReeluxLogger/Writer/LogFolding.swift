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
