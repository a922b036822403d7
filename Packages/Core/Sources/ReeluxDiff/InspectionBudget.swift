/// The limits of a comparison and of texts. With them, the report about huge, deep or cyclic values stays small.
///
/// A budget limits only what is reported. It does not influence whether two values count as different. A negative limit
/// counts as 0.
///
/// A budget does not limit the time for sets and dictionaries: the text of each different key is written and sorted.
public struct InspectionBudget: Hashable, Sendable {
  /// The largest depth of nesting. A larger limit than 64 counts as 64, because threads have small stacks. Default: 32.
  public var depth: Int { didSet { depth = min(max(0, depth), 64) } }
  /// The largest number of visited parts. Default: 100,000.
  public var visits: Int { didSet { visits = max(0, visits) } }
  /// The largest number of reported changes. Default: 100.
  public var changes: Int { didSet { changes = max(0, changes) } }
  /// The largest number of characters in the text of a value. Default: 200.
  public var textLength: Int { didSet { textLength = max(0, textLength) } }
  /// The largest number of a collection's elements in a text. Default: 20.
  public var elements: Int { didSet { elements = max(0, elements) } }
  /// The largest number of insertions and removals in a sequence. If more are needed, elements are compared by
  /// position. Default: 256.
  public var edits: Int { didSet { edits = max(0, edits) } }

  /// Creates a budget. The defaults are those of the properties.
  public init(
    depth: Int = 32, visits: Int = 100_000, changes: Int = 100, textLength: Int = 200, elements: Int = 20,
    edits: Int = 256
  ) {
    self.depth = min(max(0, depth), 64)
    self.visits = max(0, visits)
    self.changes = max(0, changes)
    self.textLength = max(0, textLength)
    self.elements = max(0, elements)
    self.edits = max(0, edits)
  }

  /// The budget with the documented defaults.
  public static let standard = InspectionBudget()
}
