extension Differ {
  /// Compares what is left between equal ends: by id where the elements have one, else by the fewest edits, and
  /// position by position where that would cost too much.
  mutating func compareSequences(_ trimmed: TrimmedSequences, depth: Int) {
    if trimmed.old.isEmpty && trimmed.new.isEmpty { return }
    if let oldIDs = ids(of: trimmed.old), let newIDs = ids(of: trimmed.new) {
      return compareIdentified(trimmed, oldIDs, newIDs, depth: depth)
    }
    guard let classes = EqualityClasses(trimmed.old, trimmed.new, isSame: { isSame($0, $1) }),
      let script = EditScript(from: classes.old, to: classes.new, limit: budget.edits)
    else {
      return compareByPosition(trimmed, depth: depth)
    }
    apply(script, classes, trimmed, depth: depth)
  }

  func trimming(_ old: [Any], _ new: [Any]) -> TrimmedSequences {
    let limit = min(old.count, new.count, budget.visits)
    var prefix = 0
    while prefix < limit, isSame(old[prefix], new[prefix]) { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix, isSame(old[old.count - 1 - suffix], new[new.count - 1 - suffix]) { suffix += 1 }
    return TrimmedSequences(
      prefix: prefix, old: Array(old[prefix..<(old.count - suffix)]), new: Array(new[prefix..<(new.count - suffix)]))
  }

  /// The ids of all elements; `nil` if one has none, or two have the same.
  private func ids(of elements: [Any]) -> [AnyHashable]? {
    var ids: [AnyHashable] = []
    var unique: Set<AnyHashable> = []
    for element in elements {
      guard let id = Equality.id(of: element), unique.insert(id).inserted else { return nil }
      ids.append(id)
    }
    return ids
  }

  private mutating func compareIdentified(
    _ trimmed: TrimmedSequences, _ oldIDs: [AnyHashable], _ newIDs: [AnyHashable], depth: Int
  ) {
    let oldPlaces = Dictionary(uniqueKeysWithValues: zip(oldIDs, oldIDs.indices))
    let newPlaces = Dictionary(uniqueKeysWithValues: zip(newIDs, newIDs.indices))
    for (position, id) in oldIDs.enumerated() where newPlaces[id] == nil && !isExhausted {
      descend(step(id)) { $0.report(.removed, old: $0.text(trimmed.old[position])) }
    }
    let common = newIDs.indices.filter { oldPlaces[newIDs[$0]] != nil }
    let inPlace = EditScript.longestIncreasing(common.compactMap { oldPlaces[newIDs[$0]] })
    var rank = 0
    for (position, id) in newIDs.enumerated() where !isExhausted {
      guard let oldPosition = oldPlaces[id] else {
        descend(step(id)) { $0.report(.added, new: $0.text(trimmed.new[position])) }
        continue
      }
      let isMoved = !inPlace.contains(rank)
      rank += 1
      descend(step(id)) { differ in
        if isMoved {
          differ.report(.moved, old: "[\(trimmed.prefix + oldPosition)]", new: "[\(trimmed.prefix + position)]")
        }
        differ.compare(trimmed.old[oldPosition], trimmed.new[position], depth: depth + 1)
      }
    }
  }

  private func step(_ id: AnyHashable) -> ValuePath.Component {
    .id(LeafText.name(id.base, limit: 80))
  }

  private mutating func compareByPosition(_ trimmed: TrimmedSequences, depth: Int) {
    let common = min(trimmed.old.count, trimmed.new.count)
    for position in 0..<common where !isExhausted {
      descend(.index(trimmed.prefix + position)) {
        $0.compare(trimmed.old[position], trimmed.new[position], depth: depth + 1)
      }
    }
    for position in common..<max(common, trimmed.old.count) where !isExhausted {
      descend(.index(trimmed.prefix + position)) { $0.report(.removed, old: $0.text(trimmed.old[position])) }
    }
    for position in common..<max(common, trimmed.new.count) where !isExhausted {
      descend(.index(trimmed.prefix + position)) { $0.report(.added, new: $0.text(trimmed.new[position])) }
    }
  }

  private mutating func apply(
    _ script: EditScript, _ classes: EqualityClasses, _ trimmed: TrimmedSequences, depth: Int
  ) {
    var pairing = EditPairing(script, classes, oldCount: trimmed.old.count)
    pairing.pairReplacements { Similarity.ofValues(trimmed.old[$0], trimmed.new[$1], types: types) }
    for edit in pairing.edits where !isExhausted {
      switch edit {
      case .removed(let old):
        descend(.index(trimmed.prefix + old)) { $0.report(.removed, old: $0.text(trimmed.old[old])) }
      case .inserted(let new):
        descend(.index(trimmed.prefix + new)) { $0.report(.added, new: $0.text(trimmed.new[new])) }
      case .moved(let old, let new):
        descend(.index(trimmed.prefix + new)) {
          $0.report(.moved, old: "[\(trimmed.prefix + old)]", new: "[\(trimmed.prefix + new)]")
        }
      case .replaced(let old, let new):
        descend(.index(trimmed.prefix + new)) {
          $0.compare(trimmed.old[old], trimmed.new[new], depth: depth + 1)
        }
      }
    }
  }
}
