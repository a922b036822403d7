extension Differ {
  typealias DifferingPair = (key: AnyHashable, old: Any?, new: Any?)

  mutating func compareSets(_ old: Any, _ new: Any) {
    guard let (removed, added) = (old as? any DirectlySubtractable)?.members(against: new) else {
      let oldMembers = Set(Mirror(reflecting: old).children.compactMap { $0.value as? AnyHashable })
      let newMembers = Set(Mirror(reflecting: new).children.compactMap { $0.value as? AnyHashable })
      return reportMembers(
        removed: oldMembers.subtracting(newMembers).map(\.base), added: newMembers.subtracting(oldMembers).map(\.base))
    }
    reportMembers(removed: removed, added: added)
  }

  private mutating func reportMembers(removed: [Any], added: [Any]) {
    for entry in sorted(removed) { report(.removed, old: entry.text) }
    for entry in sorted(added) { report(.added, new: entry.text) }
  }

  mutating func compareDictionaries(_ old: Any, _ new: Any, depth: Int) {
    if let pairs = (old as? any DirectlyKeyed)?.pairs(against: new) {
      return comparePairs(pairs, depth: depth)
    }
    let oldPairs = ValueShape.pairs(of: Mirror(reflecting: old).children)
    let newPairs = ValueShape.pairs(of: Mirror(reflecting: new).children)
    var before: [AnyHashable: Any] = [:]
    for pair in oldPairs { if let key = pair.key as? AnyHashable { before[key] = pair.value } }
    var after: [AnyHashable: Any] = [:]
    for pair in newPairs { if let key = pair.key as? AnyHashable { after[key] = pair.value } }
    guard before.count == oldPairs.count, after.count == newPairs.count else {
      return compareSequences(trimming(oldPairs, newPairs), depth: depth)
    }
    var pairs: [DifferingPair] = before.map { ($0, $1, after[$0]) }
    pairs += after.filter { before[$0.key] == nil }.map { ($0, nil, $1) }
    comparePairs(pairs, depth: depth)
  }

  private mutating func comparePairs(_ pairs: [DifferingPair], depth: Int) {
    let differing = pairs.filter { pair in
      guard let old = pair.old, let new = pair.new else { return true }
      return Equality.ofValues(old, new) != true
    }
    for entry in sorted(differing.map(\.key.base), values: differing) where !isExhausted {
      guard let pair = entry.value as? DifferingPair else { continue }
      descend(.key(entry.name)) { differ in
        switch (pair.old, pair.new) {
        case (let old?, let new?): differ.compare(old, new, depth: depth + 1)
        case (let old?, nil): differ.report(.removed, old: differ.text(old))
        case (nil, let new?): differ.report(.added, new: differ.text(new))
        case (nil, nil): break
        }
      }
    }
  }

  private func sorted(_ keys: [Any], values: [DifferingPair] = []) -> [SortedKeys] {
    let pairs = keys.enumerated().map { position, key in
      (key: key, value: values.isEmpty ? nil : values[position] as Any?)
    }
    return SortedKeys.sorted(pairs, budget: budget, hidden: hidden, path: path, types: types)
  }
}
