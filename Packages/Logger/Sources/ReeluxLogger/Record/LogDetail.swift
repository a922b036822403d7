/// The details that the logger records on the pipeline's thread. Each level includes the levels before it.
///
/// With `changes` and `states`, the states before and after each action are kept until the record is written. They
/// share memory with the store's state. While one is kept, the next change to a large collection in it copies that
/// collection. If the state holds tens of thousands of elements and changes often, choose `timing`.
public enum LogDetail: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// The action and its source. They are recorded before the reducers run. So if the code that processes an action
  /// calls `exit`, this action is logged too. A crash loses the records of the last milliseconds, because they wait in
  /// the queue.
  case action
  /// The duration too.
  case timing
  /// The changes too. This is the default.
  case changes
  /// The states before and after the action too, as texts that ``LogOptions/budget`` limits.
  case states

  /// Whether `lhs` is the level with less detail.
  @inlinable public static func < (lhs: LogDetail, rhs: LogDetail) -> Bool { lhs.rawValue < rhs.rawValue }
}
