extension Differ {
  mutating func compareSets(_ old: [Any], _ new: [Any]) {
    let oldMembers = Set(old.compactMap { $0 as? AnyHashable })
    let newMembers = Set(new.compactMap { $0 as? AnyHashable })
    for entry in sorted(oldMembers.subtracting(newMembers).map { ($0, nil) }) { report(.removed, old: entry.text) }
    for entry in sorted(newMembers.subtracting(oldMembers).map { ($0, nil) }) { report(.added, new: entry.text) }
  }

  mutating func compareDictionaries(
    _ old: [(key: Any, value: Any)], _ new: [(key: Any, value: Any)], depth: Int
  ) {
    var before: [AnyHashable: Any] = [:]
    for pair in old { if let key = pair.key as? AnyHashable { before[key] = pair.value } }
    var after: [AnyHashable: Any] = [:]
    for pair in new { if let key = pair.key as? AnyHashable { after[key] = pair.value } }
    guard before.count == old.count, after.count == new.count else {
      return compareSequences(trimming(old, new), depth: depth)
    }
    // Keys whose values are equal need no text and no place in the order.
    let differing = Set(before.keys).union(after.keys).filter { key in
      guard let old = before[key], let new = after[key] else { return true }
      return Equality.ofValues(old, new) != true
    }
    for entry in sorted(differing.map { ($0, nil) }) where !isExhausted {
      guard let key = entry.key as? AnyHashable else { continue }
      descend(.key(entry.name)) { differ in
        switch (before[key], after[key]) {
        case (let old?, let new?): differ.compare(old, new, depth: depth + 1)
        case (let old?, nil): differ.report(.removed, old: differ.text(old))
        case (nil, let new?): differ.report(.added, new: differ.text(new))
        case (nil, nil): break
        }
      }
    }
  }

  private func sorted(_ pairs: [(key: AnyHashable, value: Any?)]) -> [SortedKeys] {
    SortedKeys.sorted(
      pairs.map { (key: $0.key.base, value: $0.value) }, budget: budget, hidden: hidden, path: path, types: types
    ).map { entry in
      // The base of an integer or a string may have been another type: compare as the dictionary does.
      var entry = entry
      if let key = entry.key as? AnyHashable { entry.key = key }
      return entry
    }
  }
}
