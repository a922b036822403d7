import ReeluxDiff

/// A redaction of JSON values. It keeps the patterns that have not matched yet.
struct JSONRedaction: Sendable {
  let patterns: [ValuePathPattern]
  private(set) var unmatched: Set<ValuePathPattern>
  /// Whether a step of a pattern can be the number of the first payload.
  private let canNameNumbers: Bool
  /// The ids of the elements in the current path, by their place in it. A pattern can name an element by its id.
  private var ids: [Int: [ValuePath.Component]] = [:]

  init(_ patterns: [ValuePathPattern]) {
    self.patterns = patterns
    unmatched = Set(patterns)
    canNameNumbers = patterns.contains { pattern in
      pattern.description.split(separator: ".").contains { $0 == "0" || $0 == "*" }
    }
  }

  /// Returns the value, with every part that matches a pattern replaced by ``ValueText/redacted``.
  ///
  /// A payload without a label is `_0`, `_1`, … in JSON, and `0`, `1`, … in a pattern. A case's only payload has no
  /// number in a pattern. But JSON leaves out a `nil`, so a `_0` alone can be the first of several payloads. Its path
  /// is tried without the number, and also with it.
  mutating func redacted(_ tree: JSONTree, at path: ValuePath = .root) -> JSONTree {
    if patterns.isEmpty { return tree }
    var isRedacted = false
    for pattern in patterns where pattern.matches(path, otherNames: ids) {
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
      if members.count == 1, members[0].name == "_0" {
        var value = redacted(members[0].value, at: path)
        let number = ValuePath.Component.field("0")
        // With a limit, so that the work for a deeply nested case stays small.
        if canNameNumbers, path.components.count(where: { $0 == number }) < 4 {
          value = redacted(value, at: ValuePath(path.components + [number]))
        }
        return .object([JSONTree.Member(name: "_0", value: value)])
      }
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
        ids[path.components.count] = Self.id(of: element)
        result.append(redacted(element, at: ValuePath(path.components + [.index(position)])))
      }
      ids[path.components.count] = nil
      return .array(result)
    case .null, .bool, .number, .string: return tree
    }
  }

  /// The id of an element; `nil` for an element without an id that is a text or a number.
  private static func id(of element: JSONTree) -> [ValuePath.Component]? {
    guard case .object(let members) = element.content, let id = members.first(where: { $0.name == "id" }) else {
      return nil
    }
    switch id.value.content {
    case .string(let text), .number(let text): return [.id(text)]
    case .null, .bool, .object, .array: return nil
    }
  }
}
