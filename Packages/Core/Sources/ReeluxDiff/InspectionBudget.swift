/// Limits of what is compared and shown of two values, so that the difference of huge, deep or cyclic values ends in time.
///
/// A budget limits what is reported. Whether two values differ does not depend on it.
public struct InspectionBudget: Hashable, Sendable {
  /// Levels of nesting that are entered. Default 32.
  public var depth: Int
  /// Parts of values that are visited. Default 100,000.
  public var visits: Int
  /// Changes that are reported. Default 100.
  public var changes: Int
  /// Characters of one value's text. Default 200.
  public var textLength: Int
  /// Elements of one collection in a value's text. Default 20.
  public var elements: Int
  /// Insertions and removals that are looked for in one sequence before it is compared position by position. Default 256.
  public var edits: Int

  /// Creates a budget; each limit has the default that is documented with its property. Negative limits count as 0.
  public init(
    depth: Int = 32, visits: Int = 100_000, changes: Int = 100, textLength: Int = 200, elements: Int = 20,
    edits: Int = 256
  ) {
    self.depth = max(0, depth)
    self.visits = max(0, visits)
    self.changes = max(0, changes)
    self.textLength = max(0, textLength)
    self.elements = max(0, elements)
    self.edits = max(0, edits)
  }

  /// The documented defaults.
  public static let standard = InspectionBudget()
}
