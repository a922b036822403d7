import ReeluxDiff

/// A redaction of JSON values. It knows the patterns that have not matched yet.
struct JSONRedaction: Sendable {
  let patterns: [ValuePathPattern]
  private(set) var unmatched: Set<ValuePathPattern>

  init(_ patterns: [ValuePathPattern]) {
    self.patterns = patterns
    unmatched = Set(patterns)
  }

  /// Returns the value, with every part that matches a pattern replaced by ``ValueText/redacted``.
  ///
  /// A payload without a label is `_0`, `_1`, … in JSON, and `0`, `1`, … in a pattern.
  mutating func redacted(_ tree: JSONTree, at path: ValuePath = .root) -> JSONTree {
    if patterns.isEmpty { return tree }
    var isRedacted = false
    for pattern in patterns where pattern.matches(path) {
      unmatched.remove(pattern)
      isRedacted = true
    }
    // Another pattern may match only inside of this part.
    if isRedacted, unmatched.isEmpty { return .string(ValueText.redacted) }
    let inner = redactedInside(tree, path)
    return isRedacted ? .string(ValueText.redacted) : inner
  }

  private mutating func redactedInside(_ tree: JSONTree, _ path: ValuePath) -> JSONTree {
    switch tree.content {
    case .object(let members):
      var result: [JSONTree.Member] = []
      for member in members {
        let isNumbered = member.name.hasPrefix("_") && Int(member.name.dropFirst()) != nil
        let name = isNumbered ? String(member.name.dropFirst()) : member.name
        let value = redacted(member.value, at: ValuePath(path.components + [.field(name)]))
        result.append(JSONTree.Member(name: member.name, value: value))
      }
      return .object(result)
    case .array(let elements):
      var result: [JSONTree] = []
      for (position, element) in elements.enumerated() {
        result.append(redacted(element, at: ValuePath(path.components + [.index(position)])))
      }
      return .array(result)
    case .null, .bool, .number, .string: return tree
    }
  }
}
