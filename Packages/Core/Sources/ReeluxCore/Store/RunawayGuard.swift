/// Stops actions that lead to each other without end.
///
/// An action that an action led to (through follow-ups, observers or
/// after-reducer work, not through tasks) is one *generation* younger than it.
/// An action whose generation exceeds the limit is dropped and reported. All
/// other actions in the queue are processed.
public struct RunawayGuard<Action: Sendable>: Sendable {
  /// The highest generation that is processed.
  public let limit: Int
  /// Called with the dropped action and its source, on the thread that runs the
  /// pipeline.
  public let report: @Sendable (DispatchedAction<Action>) -> Void

  /// Makes a guard.
  public init(limit: Int, report: @escaping @Sendable (DispatchedAction<Action>) -> Void) {
    self.limit = limit
    self.report = report
  }
}
