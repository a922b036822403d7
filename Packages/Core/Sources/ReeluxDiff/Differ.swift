/// A comparison that finds the differences of two values within a budget.
struct Differ {
  /// The counters, which the matching of elements changes too.
  private final class Meter {
    /// The number of visited parts, including visits during the matching of elements.
    var visits = 0
    /// The number of pairs that count as equal although `==` returns false: two NaN values, or one object with NaN.
    var notNumbers = 0
  }

  let types: TypeFacts
  private(set) var changes: [ValueChange] = []
  private let budget: InspectionBudget
  let hidden: [ValuePathPattern]
  /// Whether changes have texts, or only paths.
  private let hasTexts: Bool
  private var isTruncated = false
  private var path = ValuePath.root
  /// The other names of elements in the path; see ``ValuePathPattern``. They are kept only if parts are redacted.
  private var otherNames: [Int: [ValuePath.Component]] = [:]
  private let meter = Meter()
  /// The objects under comparison. If a pair occurs again inside, there is a cycle.
  private var ancestors: Set<ObjectPair> = []

  init(
    budget: InspectionBudget, hidden: [ValuePathPattern] = [], hasTexts: Bool = true, types: TypeFacts = TypeFacts()
  ) {
    self.budget = budget
    self.hidden = hidden
    self.hasTexts = hasTexts
    self.types = types
  }

  /// Whether the budget was exhausted before the comparison ended.
  var isCutShort: Bool { isTruncated || meter.visits > budget.visits }

  /// Whether no further part may be visited or reported.
  private var isExhausted: Bool { meter.visits > budget.visits || (isTruncated && changes.count >= budget.changes) }

  mutating func compare(_ old: Any, _ new: Any, depth: Int) {
    guard visit() else { return }
    if isHidden || isHiddenType(old, new) {
      if !isSame(old, new) { report(.changed, old: ValueText.redacted, new: ValueText.redacted) }
      return
    }
    let fact = types.fact(of: old)
    let isEqual = fact.isEqual(old, new)
    if isEqual == true { return }
    guard type(of: old) == type(of: new) else { return reportChanged(old, new) }
    guard depth < budget.depth else {
      if isEqual == nil { isTruncated = true } else { compareBelowDepth(old, new) }
      return
    }
    let (reported, notNumbers) = (changes.count, meter.notNumbers)
    compareParts(of: old, new, fact, isEqual: isEqual, depth: depth)
    // The type's `==` reports a difference that its parts do not show.
    if isEqual == false, changes.count == reported, meter.notNumbers == notNumbers, !isCutShort {
      reportChanged(old, new)
    }
  }

  /// Compares values that `==` tells apart. They are equal if only NaN makes the difference.
  private mutating func compareBelowDepth(_ old: Any, _ new: Any) {
    var sameness = Sameness(types: types, hidesTypes: false)
    if sameness.firstDifference(old, new) == nil {
      meter.notNumbers += 1
    } else {
      reportChanged(old, new)
    }
  }

  private mutating func compareParts(of old: Any, _ new: Any, _ fact: TypeFact, isEqual: Bool?, depth: Int) {
    guard fact.canBeObject, let oldObject = Equality.identity(of: old), let newObject = Equality.identity(of: new)
    else {
      return compareShapes(old, new, fact, isEqual: isEqual, depth: depth)
    }
    guard oldObject != newObject else {
      if isEqual == false { meter.notNumbers += 1 }
      return
    }
    guard ancestors.insert(ObjectPair(old: oldObject, new: newObject)).inserted else { return }
    compareShapes(old, new, fact, isEqual: isEqual, depth: depth)
    ancestors.remove(ObjectPair(old: oldObject, new: newObject))
  }

  private mutating func compareShapes(_ old: Any, _ new: Any, _ fact: TypeFact, isEqual: Bool?, depth: Int) {
    // A set needs no mirror.
    if fact.isSet, let members = ValueShape.members(of: old, against: new) { return compareSets(members) }
    switch (ValueShape(old, fact, types: types), ValueShape(new, fact, types: types)) {
    case (.absent, .absent): break
    // Only one of two nested optionals contains a value.
    case (.present(let inner), .present(let other)) where types.isNil(inner) != types.isNil(other):
      reportChanged(old, new)
    case (.present(let old), .present(let new)): compare(old, new, depth: depth + 1)
    case (.fields(_, let old), .fields(_, let new)): compareFields(old, new, depth: depth)
    case (.enumeration(let oldCase, let oldPayload), .enumeration(let newCase, let newPayload))
    where oldCase == newCase:
      descend(.field(oldCase)) { $0.compareFields(oldPayload, newPayload, depth: depth) }
    case (.sequence(let oldElements), .sequence(let newElements)):
      if (old as? any DirectlyComparable)?.sharesStorage(with: new) == true { return }
      let trimmed =
        (old as? any DirectlyTrimmable)?.trimmed(against: new)
        ?? trimming(oldElements.map(\.value), newElements.map(\.value))
      compareSequences(trimmed, depth: depth)
    case (.set(let oldMembers), .set(let newMembers)):
      if let members = ValueShape.members(of: old, against: new) {
        compareSets(members)
      } else {
        compareSequences(trimming(oldMembers.map(\.value), newMembers.map(\.value)), depth: depth)
      }
    case (.dictionary, .dictionary):
      if let pairs = ValueShape.pairs(of: old, against: new) {
        comparePairs(pairs, depth: depth)
      } else if !isSame(old, new) {
        reportChanged(old, new)
      }
    case (.leaf, .leaf): compareLeaves(old, new, fact, isEqual: isEqual)
    default: reportChanged(old, new)
    }
  }

  /// Leaves without `==` are compared by their text and by the parts that their mirror hides. So are leaves that
  /// contain a NaN, and are therefore not equal to themselves.
  private mutating func compareLeaves(_ old: Any, _ new: Any, _ fact: TypeFact, isEqual: Bool?) {
    // Different values can have one text, and texts are costly.
    if isEqual == false, fact.isEqual(old, old) == true { return reportChanged(old, new) }
    if types.description(of: old) != types.description(of: new) { return reportChanged(old, new) }
    if !types.isShownByItsText(old) {
      var sameness = Sameness(types: types, hidesTypes: false)
      if sameness.firstDifference(old, new) != nil { return reportChanged(old, new) }
    }
    guard isEqual == false else { return }
    meter.notNumbers += 1
  }

  private mutating func compareFields(_ old: [ValueShape.Part], _ new: [ValueShape.Part], depth: Int) {
    guard let new = ValueShape.aligned(new, with: old) else { return compareNamed(old, new, depth: depth) }
    for position in new.indices where !isExhausted {
      guard let name = new[position].name else {
        compare(old[position].value, new[position].value, depth: depth + 1)
        continue
      }
      descend(.field(name)) { $0.compare(old[position].value, new[position].value, depth: depth + 1) }
    }
  }

  /// Compares parts by name, because not all values of the type have the same parts. For example, a `customMirror` can
  /// leave out unknown parts. A part is never compared with a part of another name, which could be redacted.
  private mutating func compareNamed(_ old: [ValueShape.Part], _ new: [ValueShape.Part], depth: Int) {
    for part in old where !isExhausted {
      descend(.field(part.name ?? "")) { differ in
        if let other = new.first(where: { $0.name == part.name }) {
          differ.compare(part.value, other.value, depth: depth + 1)
        } else {
          differ.report(.removed, old: differ.part(part.value))
        }
      }
    }
    for part in new where !isExhausted && !old.contains(where: { $0.name == part.name }) {
      descend(.field(part.name ?? "")) { $0.report(.added, new: $0.part(part.value)) }
    }
  }
}

// MARK: Collections

extension Differ {
  private func trimming(_ old: [Any], _ new: [Any]) -> TrimmedSequences {
    let limit = min(old.count, new.count, budget.visits)
    var prefix = 0
    while prefix < limit, isSame(old[prefix], new[prefix]) { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix, isSame(old[old.count - 1 - suffix], new[new.count - 1 - suffix]) { suffix += 1 }
    return TrimmedSequences(
      prefix: prefix, old: Array(old[prefix..<(old.count - suffix)]), new: Array(new[prefix..<(new.count - suffix)]))
  }

  private mutating func compareSequences(_ trimmed: TrimmedSequences, depth: Int) {
    let plan = SequencePlan(
      trimmed, edits: budget.edits, types: types, text: { text($0) }, isSame: { areSameElements($0, $1) })
    for (id, step) in plan.steps where !isExhausted {
      if case .compared(let old, let new) = step, types.isEqual(trimmed.old[old], trimmed.new[new]) == true { continue }
      let (place, names) = place(of: step, id: id, in: trimmed)
      descend(place, otherNames: names) { differ in
        switch step {
        case .removed(let old): differ.report(.removed, old: differ.part(trimmed.old[old]))
        case .added(let new): differ.report(.added, new: differ.part(trimmed.new[new]))
        case .moved(let old, let new) where old == new: break  // Others have moved past it.
        case .moved(let old, let new):
          differ.report(.moved, old: "[\(trimmed.prefix + old)]", new: "[\(trimmed.prefix + new)]")
        case .compared(let old, let new): differ.compare(trimmed.old[old], trimmed.new[new], depth: depth + 1)
        }
      }
    }
  }

  /// The place of an element: its id, or its position if it has none or if its id must not be shown. Its ids and
  /// positions follow, if parts are redacted.
  private func place(
    of step: SequencePlan.Step, id: AnyHashable?, in trimmed: TrimmedSequences
  ) -> (ValuePath.Component, [ValuePath.Component]) {
    let (positions, elements) =
      switch step {
      case .removed(let old): ([old], [trimmed.old[old]])
      case .added(let new): ([new], [trimmed.new[new]])
      case .moved(let old, let new), .compared(let old, let new): ([new, old], [trimmed.old[old], trimmed.new[new]])
      }
    let indices = positions.map { ValuePath.Component.index(trimmed.prefix + $0) }
    let index = indices[0]
    let names = hidden.isEmpty ? [] : indices + elements.compactMap { ValuePath.Component.id(of: $0) }
    guard let id else { return (index, names) }
    let place = ValuePath(path.components + [index])
    let isRedacted =
      hasTexts
      && elements.contains {
        RedactedValues.areIn(id, of: $0, at: place, otherNames: otherNames, hiding: hidden, types: types)
      }
    return (isRedacted ? index : .id(LeafText.name(id.base)), names)
  }

  private mutating func compareSets(_ members: (removed: [Any], added: [Any])) {
    for entry in sorted(members.removed) { report(.removed, old: entry.text, isMember: true) }
    for entry in sorted(members.added) { report(.added, new: entry.text, isMember: true) }
  }

  private mutating func comparePairs(_ pairs: [KeyedPair], depth: Int) {
    let differing = pairs.filter { pair in
      guard let old = pair.old, let new = pair.new else { return true }
      return types.isEqual(old, new) != true
    }
    for entry in sorted(differing.map(\.key.base), values: differing) where !isExhausted {
      guard let pair = entry.value as? KeyedPair else { continue }
      descend(.key(entry.name)) { differ in
        switch (pair.old, pair.new) {
        case (let old?, let new?): differ.compare(old, new, depth: depth + 1)
        case (let old?, nil): differ.report(.removed, old: differ.part(old))
        case (nil, let new?): differ.report(.added, new: differ.part(new))
        case (nil, nil): break
        }
      }
    }
  }

  private func sorted(_ keys: [Any], values: [KeyedPair] = []) -> [SortedKeys] {
    let pairs = keys.enumerated().map { position, key in
      (key: key, value: values.isEmpty ? nil : values[position] as Any?)
    }
    return SortedKeys.sorted(pairs, budget: budget, hidden: hidden, path: path, types: types)
  }
}

// MARK: Walking and reporting

extension Differ {
  /// Whether no difference by structure is found within the visits of the budget.
  private func isSame(_ old: Any, _ new: Any) -> Bool {
    if types.isEqual(old, new) == true { return true }
    var sameness = Sameness(types: types, hidesTypes: false, visits: budget.visits - meter.visits)
    let difference = sameness.firstDifference(old, new)
    meter.visits += sameness.visits
    meter.notNumbers += sameness.notNumbers
    return difference == nil
  }

  /// Like ``isSame(_:_:)``, for the matching of elements. An element is compared with many others. If `==` finds a
  /// difference, the parts of the elements are compared only if one of them is not equal to itself, as NaN. An array
  /// with NaN is equal to itself, so it counts as different.
  private func areSameElements(_ old: Any, _ new: Any) -> Bool {
    meter.visits += 1
    if meter.visits > budget.visits { return true }
    if types.isEqual(old, new) == false, types.isEqual(old, old) == true, types.isEqual(new, new) == true {
      return false
    }
    return isSame(old, new)
  }

  private mutating func descend(
    _ component: ValuePath.Component, otherNames names: [ValuePath.Component] = [], _ body: (inout Differ) -> Void
  ) {
    let place = path.components.count
    if !names.isEmpty { otherNames[place] = names }
    path.components.append(component)
    body(&self)
    path.components.removeLast()
    if !names.isEmpty { otherNames[place] = nil }
  }

  private var isHidden: Bool { !hidden.isEmpty && hidden.contains { $0.matches(path, otherNames: otherNames) } }

  private func isHiddenType(_ old: Any, _ new: Any) -> Bool {
    types.isHidden(old) || types.isHidden(new)
  }

  private mutating func visit() -> Bool {
    meter.visits += 1
    return meter.visits <= budget.visits && changes.count <= budget.changes
  }

  private mutating func reportChanged(_ old: Any, _ new: Any) {
    guard hasTexts else { return report(.changed) }
    let texts = TextPair(old, new, budget: budget) { text($0, budget: $1, opensLeaves: $2) }
    report(.changed, old: texts.old, new: texts.new)
  }

  private mutating func report(
    _ kind: ValueChange.Kind, old: String? = nil, new: String? = nil, isMember: Bool = false
  ) {
    guard changes.count < budget.changes else {
      isTruncated = true
      return
    }
    var change = ValueChange(path: path, kind: kind, old: old, new: new)
    change.isMember = isMember
    changes.append(change)
  }

  /// Reports a difference that was found without a budget. A path beyond the budget's depth ends with `…`.
  mutating func report(_ difference: Sameness.Difference) {
    path = ValuePath(difference.path)
    otherNames = difference.otherNames
    if isHidden {
      let visible = (0...difference.path.count).first { count in
        let part = ValuePath(Array(difference.path.prefix(count)))
        return hidden.contains { $0.matches(part, otherNames: otherNames) }
      }
      path.components = Array(difference.path.prefix(visible ?? 0))
    }
    if isHidden || isHiddenType(difference.old, difference.new) {
      cutPath(to: budget.depth)
      return report(.changed, old: ValueText.redacted, new: ValueText.redacted)
    }
    let texts = TextPair(difference.old, difference.new, budget: budget) { text($0, budget: $1, opensLeaves: $2) }
    cutPath(to: budget.depth)
    report(.changed, old: texts.old, new: texts.new)
  }

  private mutating func cutPath(to count: Int) {
    guard path.components.count > count else { return }
    path.components = path.components.prefix(count) + [.field("…")]
  }

  /// The text of an added or removed part; `nil` without texts.
  private func part(_ value: Any) -> String? { hasTexts ? text(value) : nil }

  private func text(_ value: Any, budget: InspectionBudget? = nil, opensLeaves: Bool = false) -> String {
    var writer = TextWriter(
      budget: budget ?? self.budget, hidden: hidden, at: path, otherNames: otherNames, types: types,
      opensLeaves: opensLeaves)
    writer.write(value, depth: 0)
    return writer.finished()
  }
}
