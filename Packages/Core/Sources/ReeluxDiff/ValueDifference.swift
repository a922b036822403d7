/// The differences between two values of any type, found by their structure.
///
/// Values that are equal by their own `==` cost one comparison, and their parts are not compared. Otherwise structs,
/// classes, tuples and enums are compared field by field; sequences by insertions, removals and moves (elements that
/// are `Identifiable` are recognised by their id, others by equality); dictionaries and sets by key, in the order of
/// the keys' texts, never in hash order. References back to an object under comparison end there.
///
/// ```swift
/// struct Movie { var title: String; var year: Int }
/// let difference = ValueDifference(from: Movie(title: "M", year: 1930), to: Movie(title: "M", year: 1931))
/// print(difference)  // year: 1930 → 1931
/// ```
///
/// A type decides about its parts by `CustomReflectable`. Values that are not equal by their own `==` are reported
/// also if no part differs. Both sides of a change have different texts, except in a redacted part.
///
/// Cost: proportional to the parts that differ and their siblings. Reflection takes about a microsecond a part: use
/// differences for messages, not to decide what to do. If the budget ends before a difference is found, the
/// whole values are compared to the first difference: equal values never count as different, and different ones never
/// as equal.
public struct ValueDifference: Hashable, Sendable {
  /// The differences, outermost and leftmost first.
  public var changes: [ValueChange]
  /// Whether the budget ended before the comparison did: there may be more differences than those in `changes`.
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
  ///   - hidden: Parts to redact: a change inside such a part is reported once, at that part, with
  ///     ``ValueText/redacted`` for both sides.
  public init(
    from old: Any, to new: Any, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) {
    var differ = Differ(budget: budget, hidden: hidden)
    self = differ.difference(old, new)
  }

  /// Compares two values of one `Equatable` type; equal ones are not even boxed.
  /// - Parameters:
  ///   - old: The value before.
  ///   - new: The value after.
  ///   - budget: Where to stop.
  ///   - hidden: Parts to redact.
  public init<Value: Equatable>(
    from old: Value, to new: Value, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) {
    if old == new {
      self.init()
    } else {
      self.init(from: old as Any, to: new as Any, budget: budget, hiding: hidden)
    }
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { changes.isEmpty && !isTruncated }
}

extension ValueDifference: CustomStringConvertible {
  /// A line for each change, and a last line `…` if the budget ended first.
  public var description: String {
    (changes.map(\.description) + (isTruncated ? ["…"] : [])).joined(separator: "\n")
  }
}

extension Differ {
  /// The difference of two values as far as the budget reaches, and at least the first part that differs.
  fileprivate mutating func difference(_ old: Any, _ new: Any) -> ValueDifference {
    compare(old, new, depth: 0)
    if isCutShort, changes.isEmpty {
      guard let first = Sameness(types: types).firstDifference(old, new) else { return ValueDifference() }
      report(first)
    }
    return ValueDifference(changes: changes, isTruncated: isCutShort)
  }
}

/// Texts and differences of many values under one budget; it keeps facts about their types from one to the next.
///
/// Not for use from two threads at a time.
package final class ValueInspector {
  private let budget: InspectionBudget
  private let hidden: [ValuePathPattern]
  private let types = TypeFacts()

  /// Makes an inspector.
  package init(budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []) {
    self.budget = budget
    self.hidden = hidden
  }

  /// The value as ``ValueText`` shows it.
  package func text(of value: Any) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden, types: types)
    writer.write(value, depth: 0)
    return writer.finished()
  }

  /// The difference as ``ValueDifference`` finds it.
  package func difference(from old: Any, to new: Any) -> ValueDifference {
    var differ = Differ(budget: budget, hidden: hidden, types: types)
    return differ.difference(old, new)
  }

  /// The value's text, and the names of its nested cases as ``ValueText`` shows them, in one walk.
  package func nameAndText(of value: Any) -> (name: String, text: String) {
    var writer = TextWriter(budget: budget, hidden: hidden, types: types)
    writer.write(value, depth: 0)
    let names = writer.caseNames
    let name =
      switch names.count {
      case 0: String(describing: type(of: value))
      case 1: names[0]
      default: names.joined(separator: ".")
      }
    return (name, writer.finished())
  }

  /// Whether two values are equal by their type's own `==`; `nil` if the type has none.
  package static func isEqual(_ old: Any, _ new: Any) -> Bool? { Equality.ofValues(old, new) }

  /// Whether two values are equal by their own `==`, or without one have equal parts.
  package func isSame(_ old: Any, _ new: Any) -> Bool {
    Equality.ofValues(old, new) ?? (Sameness(types: types).firstDifference(old, new) == nil)
  }
}
