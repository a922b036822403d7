/// The walk over two values that ``ValueDifference`` is the result of.
struct Differ {
  /// Counts the parts that were visited, also while elements are matched.
  private final class Meter {
    var visits = 0
  }

  /// Two objects under comparison: meeting them again further in is a cycle.
  private struct ObjectPair: Hashable {
    var old: ObjectIdentifier
    var new: ObjectIdentifier
  }

  let budget: InspectionBudget
  let hidden: [ValuePathPattern]
  private(set) var changes: [ValueChange] = []
  var isTruncated = false
  var path = ValuePath.root
  let types: TypeFacts
  private let meter: Meter
  private var ancestors: Set<ObjectPair> = []

  init(budget: InspectionBudget, hidden: [ValuePathPattern] = [], types: TypeFacts = TypeFacts()) {
    self.init(budget: budget, hidden: hidden, types: types, meter: Meter())
  }

  private init(budget: InspectionBudget, hidden: [ValuePathPattern], types: TypeFacts, meter: Meter) {
    self.budget = budget
    self.hidden = hidden
    self.types = types
    self.meter = meter
  }

  /// What was compared.
  var result: ValueDifference {
    ValueDifference(changes: changes, isTruncated: isTruncated || meter.visits > budget.visits)
  }

  /// Whether no more may be visited or reported; then the result is marked as truncated.
  var isExhausted: Bool { meter.visits > budget.visits || (isTruncated && changes.count >= budget.changes) }

  mutating func compare(_ old: Any, _ new: Any, depth: Int) {
    guard visit() else { return }
    if isHidden {
      if !isSame(old, new) { report(.changed, old: ValueText.redacted, new: ValueText.redacted) }
      return
    }
    let isEqual = Equality.ofValues(old, new)
    if isEqual == true { return }
    guard type(of: old) == type(of: new) else { return reportChanged(old, new) }
    guard depth < budget.depth else {
      if isEqual == nil { isTruncated = true } else { reportChanged(old, new) }
      return
    }
    guard let oldObject = Equality.identity(of: old), let newObject = Equality.identity(of: new) else {
      return compareShapes(old, new, isEqual: isEqual, depth: depth)
    }
    guard oldObject != newObject else { return }
    guard ancestors.insert(ObjectPair(old: oldObject, new: newObject)).inserted else { return }
    compareShapes(old, new, isEqual: isEqual, depth: depth)
    ancestors.remove(ObjectPair(old: oldObject, new: newObject))
  }

  private mutating func compareShapes(_ old: Any, _ new: Any, isEqual: Bool?, depth: Int) {
    switch (ValueShape(old, types: types), ValueShape(new, types: types)) {
    case (.absent, .absent): break
    case (.present(let old), .present(let new)): compare(old, new, depth: depth + 1)
    case (.fields(_, let old), .fields(_, let new)): compareParts(old, new, depth: depth)
    case (.enumeration(let oldCase, let oldPayload), .enumeration(let newCase, let newPayload))
    where oldCase == newCase:
      descend(.field(oldCase)) { $0.compareParts(oldPayload, newPayload, depth: depth) }
    case (.sequence(let oldElements), .sequence(let newElements)):
      if let trimmed = (old as? any DirectlyComparable)?.trimmed(against: new) {
        compareSequences(trimmed, depth: depth)
      } else {
        compareSequences(trimming(oldElements.map(\.value), newElements.map(\.value)), depth: depth)
      }
    case (.set, .set): compareSets(old, new)
    case (.dictionary, .dictionary): compareDictionaries(old, new, depth: depth)
    case (.leaf, .leaf): compareLeaves(old, new, isEqual: isEqual)
    default: reportChanged(old, new)
    }
  }

  /// Leaves without `==` are compared by their text; two that are “not a number” are the same.
  private mutating func compareLeaves(_ old: Any, _ new: Any, isEqual: Bool?) {
    let isSameText = String(describing: old) == String(describing: new)
    if isSameText, isEqual == nil || old is any FloatingPoint { return }
    reportChanged(old, new)
  }

  private mutating func compareParts(_ old: [ValueShape.Part], _ new: [ValueShape.Part], depth: Int) {
    for (position, (oldPart, newPart)) in zip(old, new).enumerated() where !isExhausted {
      let name = newPart.name ?? (new.count > 1 ? "\(position)" : nil)
      guard let name else {
        compare(oldPart.value, newPart.value, depth: depth + 1)
        continue
      }
      descend(.field(name)) { $0.compare(oldPart.value, newPart.value, depth: depth + 1) }
    }
    if old.count != new.count { isTruncated = true }
  }
}

extension Differ {
  /// Whether nothing differs by structure, as far as the budget allows to see.
  func isSame(_ old: Any, _ new: Any) -> Bool {
    if let isEqual = Equality.ofValues(old, new), isEqual { return true }
    var budget = budget
    budget.changes = 1
    var differ = Differ(budget: budget, hidden: [], types: types, meter: meter)
    differ.compare(old, new, depth: path.components.count)
    return differ.changes.isEmpty
  }

  mutating func descend(_ component: ValuePath.Component, _ body: (inout Differ) -> Void) {
    path.components.append(component)
    body(&self)
    path.components.removeLast()
  }

  private var isHidden: Bool { !hidden.isEmpty && hidden.contains { $0.matches(path) } }

  private mutating func visit() -> Bool {
    meter.visits += 1
    return meter.visits <= budget.visits && changes.count <= budget.changes
  }

  mutating func reportChanged(_ old: Any, _ new: Any) {
    report(.changed, old: text(old), new: text(new))
  }

  mutating func report(_ kind: ValueChange.Kind, old: String? = nil, new: String? = nil) {
    guard changes.count < budget.changes else {
      isTruncated = true
      return
    }
    changes.append(ValueChange(path: path, kind: kind, old: old, new: new))
  }

  func text(_ value: Any) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden, at: path, types: types)
    writer.write(value, depth: 0)
    return writer.finished()
  }
}
