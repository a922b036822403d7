/// The differences between two values of any type, found by structure.
///
/// Values that are equal by `==` cost one comparison, and their parts are not compared. Otherwise, structs, classes,
/// tuples and enums are compared field by field. Sequences are compared by insertions, removals and moves.
/// `Identifiable` elements are matched by id, others by equality. Dictionaries and sets are compared by key, in the
/// order of the keys' texts. Only keys with equal texts, such as `AnyHashable(1)` and `AnyHashable("1")`, have no fixed
/// order. A reference back to an object under comparison is not followed.
///
/// ```swift
/// struct Movie { var title: String; var year: Int }
/// let difference = ValueDifference(from: Movie(title: "M", year: 1930), to: Movie(title: "M", year: 1931))
/// print(difference)  // year: 1930 → 1931
/// ```
///
/// A type can determine its parts with `CustomReflectable`. If its mirror has no parts and the type is not `Equatable`,
/// the stored properties are compared too, but not shown. Values that differ by `==` are reported even if no part
/// differs, but two NaN values count as equal, except in a set or as keys of a dictionary. The same applies to dates
/// whose seconds are NaN. The two sides of a change have different texts, except in a redacted part.
///
/// The cost is proportional to the number of different parts and their siblings. Reflection takes about a microsecond
/// for each part, so use differences for messages and not for decisions. If the budget is exhausted before a difference
/// is found, the values are compared up to the first difference. Therefore equal values never count as different, and
/// different values never count as equal.
public struct ValueDifference: Hashable, Sendable {
  /// The differences in the order of the parts, outer parts first.
  public var changes: [ValueChange]
  /// Whether the budget was exhausted before the comparison ended. Further differences may then be missing in
  /// `changes`.
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
  ///   - budget: The limits of the comparison.
  ///   - hidden: The parts to redact. A change inside such a part is reported once, at this part, with
  ///     ``ValueText/redacted`` on both sides.
  public init(
    from old: Any, to new: Any, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) {
    var differ = Differ(budget: budget, hidden: hidden)
    self = differ.difference(old, new)
  }

  /// Compares two values of one `Equatable` type. Equal values are not boxed.
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - budget: The limits of the comparison.
  ///   - hidden: The parts to redact.
  public init<Value: Equatable>(
    from old: Value, to new: Value, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) {
    if old == new {
      self.init()
    } else {
      self.init(from: old as Any, to: new as Any, budget: budget, hiding: hidden)
    }
  }

  /// Whether there is no difference.
  public var isEmpty: Bool { changes.isEmpty && !isTruncated }
}

extension ValueDifference: CustomStringConvertible {
  /// One line for each change, and a last line `…` if the budget was exhausted.
  public var description: String {
    (changes.map(\.description) + (isTruncated ? ["…"] : [])).joined(separator: "\n")
  }
}

extension Differ {
  /// The difference of two values within the budget. It contains at least the first different part.
  fileprivate mutating func difference(_ old: Any, _ new: Any) -> ValueDifference {
    compare(old, new, depth: 0)
    if isCutShort, changes.isEmpty {
      var sameness = Sameness(types: types, hiding: hidden)
      guard let first = sameness.firstDifference(old, new) else { return ValueDifference() }
      report(first)
    }
    return ValueDifference(changes: changes, isTruncated: isCutShort)
  }
}

/// An inspector that computes texts and differences of many values with one budget. It caches facts about their types.
///
/// Only one thread at a time may use it.
package final class ValueInspector {
  private let budget: InspectionBudget
  private let hidden: [ValuePathPattern]
  private let types: TypeFacts

  /// Makes an inspector that redacts parts by their paths and by their types.
  package init(
    budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = [], types: [Any.Type] = []
  ) {
    self.budget = budget
    self.hidden = hidden
    self.types = TypeFacts(hiding: types)
  }

  /// The text of a value, as in ``ValueText``.
  package func text(of value: Any) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden, types: types)
    writer.write(value, depth: 0)
    return writer.finished()
  }

  /// The difference of two values, as in ``ValueDifference``.
  package func difference(from old: Any, to new: Any) -> ValueDifference {
    var differ = Differ(budget: budget, hidden: hidden, types: types)
    return differ.difference(old, new)
  }

  /// The difference of two values without texts. The number of its changes is not limited.
  package func paths(from old: Any, to new: Any) -> ValueDifference {
    var budget = budget
    budget.changes = .max
    var differ = Differ(budget: budget, hidden: hidden, hasTexts: false, types: types)
    return differ.difference(old, new)
  }

  /// The value's text and the names of its nested cases, as in ``ValueText``. Usually, one pass is enough. The budget
  /// does not shorten the name.
  package func nameAndText(of value: Any) -> (name: String, text: String) {
    var writer = TextWriter(budget: budget, hidden: hidden, types: types)
    writer.write(value, depth: 0)
    if writer.isNamingCases {
      return (ValueText.caseName(of: value, hiding: hidden, types: types), writer.finished())
    }
    let names = writer.caseNames
    let name = names.isEmpty ? String(describing: type(of: value)) : names.joined(separator: ".")
    return (name, writer.finished())
  }

  /// Whether two values are equal by `==`, or by their parts if the type has no `==`.
  package func isSame(_ old: Any, _ new: Any) -> Bool {
    if let isEqual = types.isEqual(old, new) { return isEqual }
    var sameness = Sameness(types: types)
    return sameness.firstDifference(old, new) == nil
  }
}
