/// The difference of two JSON values. It is small for a small change of a large state. The report's script and
/// generated tests apply it.
///
/// - `{"set": value}` replaces the value.
/// - `{"in": {name: patch, …}, "out": [name, …]}` changes and removes members of an object.
/// - `{"at": [[position, patch], …]}` changes elements of an array.
/// - `{"cut": [position, count, [value, …]]}` replaces consecutive elements of an array.
enum JSONPatch {
  /// Returns the patch, or `nil` if the values are equal. Parts that both values share are not compared.
  static func between(_ old: JSONTree, _ new: JSONTree) -> JSONTree? {
    if old == new { return nil }
    switch (old.content, new.content) {
    case (.object(let old), .object(let new)): return object(old, new)
    case (.array(let old), .array(let new)): return array(old, new)
    default: return .object(["set": new])
    }
  }

  private static func object(_ old: [JSONTree.Member], _ new: [JSONTree.Member]) -> JSONTree {
    var changed: [JSONTree.Member] = []
    var removed: [JSONTree] = []
    var position = 0
    for member in new {
      while position < old.count, JSONTree.precedes(old[position].name, member.name) {
        removed.append(.string(old[position].name))
        position += 1
      }
      if position < old.count, JSONTree.isSame(old[position].name, member.name) {
        if let patch = between(old[position].value, member.value) {
          changed.append(.init(name: member.name, value: patch))
        }
        position += 1
      } else {
        changed.append(.init(name: member.name, value: .object(["set": member.value])))
      }
    }
    removed += old[position...].map { .string($0.name) }
    var patch = [JSONTree.Member(name: "in", value: .object(changed))]
    if !removed.isEmpty { patch.append(.init(name: "out", value: .array(removed))) }
    return .object(patch)
  }

  private static func array(_ old: [JSONTree], _ new: [JSONTree]) -> JSONTree {
    let limit = min(old.count, new.count)
    var prefix = 0
    while prefix < limit, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
    if old.count == new.count {
      let changes = (prefix..<(new.count - suffix)).compactMap { position -> JSONTree? in
        between(old[position], new[position]).map { .array([.number(position), $0]) }
      }
      return .object(["at": .array(changes)])
    }
    let inserted = JSONTree.array(Array(new[prefix..<(new.count - suffix)]))
    let removed = old.count - prefix - suffix
    return .object(["cut": .array([.number(prefix), .number(removed), inserted])])
  }

  /// Applies a patch. Returns `nil` if it does not fit the value.
  static func applied(_ patch: JSONTree, to value: JSONTree) -> JSONTree? {
    if let set = patch["set"] { return set }
    if case .array(let cut)? = patch["cut"]?.content, cut.count == 3 { return spliced(cut, value) }
    if case .array(let changes)? = patch["at"]?.content {
      guard case .array(var elements) = value.content else { return nil }
      for change in changes {
        guard case .array(let pair) = change.content, pair.count == 2, let place = pair[0].integer,
          elements.indices.contains(place), let made = applied(pair[1], to: elements[place])
        else { return nil }
        elements[place] = made
      }
      return .array(elements)
    }
    guard case .object(var members) = value.content, case .object(let changed)? = patch["in"]?.content else {
      return nil
    }
    if case .array(let names)? = patch["out"]?.content {
      let removed = names.compactMap { if case .string(let name) = $0.content { name } else { nil } }
      members.removeAll { member in removed.contains { JSONTree.isSame($0, member.name) } }
    }
    for change in changed {
      let place = members.firstIndex { JSONTree.isSame($0.name, change.name) }
      guard let made = applied(change.value, to: place.map { members[$0].value } ?? .null) else { return nil }
      if let place { members[place].value = made } else { members.append(.init(name: change.name, value: made)) }
    }
    return .object(members)
  }

  private static func spliced(_ cut: [JSONTree], _ value: JSONTree) -> JSONTree? {
    guard case .array(var elements) = value.content, let begin = cut[0].integer, let count = cut[1].integer,
      (0...elements.count).contains(begin), (0...(elements.count - begin)).contains(count),
      case .array(let added) = cut[2].content
    else { return nil }
    elements.replaceSubrange(begin..<(begin + count), with: added)
    return .array(elements)
  }
}

extension JSONTree {
  fileprivate var integer: Int? { if case .number(let text) = content { Int(text) } else { nil } }
}
