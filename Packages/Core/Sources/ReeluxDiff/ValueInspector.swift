/// Texts and differences of many values under one budget: it keeps what it learnt about their types.
///
/// Not for use from two threads at a time.
package final class ValueInspector {
  private let budget: InspectionBudget
  private let hidden: [ValuePathPattern]
  private let types = TypeFacts()

  /// Makes an inspector with nothing learnt.
  package init(budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []) {
    self.budget = budget
    self.hidden = hidden
  }

  /// The value as ``ValueText`` tells it.
  package func text(of value: Any) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden, types: types)
    writer.write(value, depth: 0)
    return writer.finished()
  }

  /// The difference as ``ValueDifference`` finds it.
  package func difference(from old: Any, to new: Any) -> ValueDifference {
    var differ = Differ(budget: budget, hidden: hidden, types: types)
    differ.compare(old, new, depth: 0)
    return differ.result
  }

  /// The value's text, and the names of its nested cases as ``ValueText`` tells them, in one walk.
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

  /// Whether two values are equal by their own `==`, or without one have the same text.
  package func isSame(_ old: Any, _ new: Any) -> Bool {
    Equality.ofValues(old, new) ?? (text(of: old) == text(of: new))
  }
}
