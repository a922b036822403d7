/// The differences between two values of any type, found by their structure.
///
/// Values that are equal by their own `==` cost one comparison and are not looked into. Otherwise structs, classes,
/// tuples and enums are compared field by field; sequences by insertions, removals and moves (elements that are
/// `Identifiable` are recognised by their id, others by equality); dictionaries and sets by key, in the order of the
/// keys' texts, never in hash order. References back to an object under comparison end there.
///
/// ```swift
/// struct Movie { var title: String; var year: Int }
/// let difference = ValueDifference(from: Movie(title: "M", year: 1930), to: Movie(title: "M", year: 1931))
/// print(difference)  // year: 1930 → 1931
/// ```
///
/// Cost: proportional to the parts that differ and their siblings, bounded by the budget. Uses reflection, about a
/// microsecond a part: meant for messages, not for deciding what to do.
public struct ValueDifference: Hashable, Sendable {
  /// The differences, outermost and leftmost first.
  public var changes: [ValueChange]
  /// Whether the budget ended before the comparison did: there may be more differences than `changes` tells.
  public var isTruncated: Bool

  /// Creates a difference from its parts.
  public init(changes: [ValueChange] = [], isTruncated: Bool = false) {
    self.changes = changes
    self.isTruncated = isTruncated
  }

  /// Compares two values by structure.
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - budget: Where to stop.
  ///   - hidden: Parts whose values must not be told: a change inside such a part is reported once, at that part, with
  ///     ``ValueText/redacted`` for both sides.
  public init(
    from old: Any, to new: Any, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) {
    var differ = Differ(budget: budget, hidden: hidden)
    differ.compare(old, new, depth: 0)
    self = differ.result
  }

  /// Compares two values of one `Equatable` type; equal ones are not even boxed.
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - budget: Where to stop.
  ///   - hidden: Parts whose values must not be told.
  public init<Value: Equatable>(
    from old: Value, to new: Value, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) {
    if old == new {
      self.init()
    } else {
      self.init(from: old as Any, to: new as Any, budget: budget, hiding: hidden)
    }
  }

  /// Whether nothing differs, as far as the budget let the comparison go.
  public var isEmpty: Bool { changes.isEmpty && !isTruncated }
}

extension ValueDifference: CustomStringConvertible {
  /// A line for each change, and a last line `…` if the budget ended first.
  public var description: String {
    (changes.map(\.description) + (isTruncated ? ["…"] : [])).joined(separator: "\n")
  }
}
