/// The details that the logger records on the pipeline's thread. Each level includes those
/// before it.
///
/// From `changes` on, the states before and after each action are kept until the record is written. They are copies in
/// the sense of Swift's values: free to make, but while one is kept, the next change to a large collection inside it
/// copies that collection. For a state that holds tens of thousands of elements and changes often, choose `timing`.
public enum LogDetail: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// The action and its source. They are recorded before the reducers run, so an action that ends the process is
  /// logged too.
  case action
  /// Also the duration.
  case timing
  /// Also what changed. The default.
  case changes
  /// Also the whole state before and after.
  case states

  /// Less detail comes first.
  @inlinable
  public static func < (lhs: LogDetail, rhs: LogDetail) -> Bool { lhs.rawValue < rhs.rawValue }
}
