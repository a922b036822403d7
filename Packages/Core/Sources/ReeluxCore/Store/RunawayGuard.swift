/// Stops actions that lead to each other without end.
///
/// An action that an action led to (through follow-ups, observers or
/// after-reducer work, not through tasks) is one *generation* younger than it.
/// One whose generation exceeds the limit is dropped and reported. All other
/// actions in the queue go on as if nothing had happened.
public struct RunawayGuard<Action: Sendable>: Sendable {
  /// The highest generation that is still processed.
  public let limit: Int
  /// Is told the dropped action and its source, on the pipeline's thread.
  public let report: @Sendable (DispatchedAction<Action>) -> Void

  /// A guard.
  public init(limit: Int, report: @escaping @Sendable (DispatchedAction<Action>) -> Void) {
    self.limit = limit
    self.report = report
  }
}
