import ReeluxDiff

extension JSONValue {
  /// The value with everything that a pattern names replaced by ``ValueText/redacted``.
  func redacted(_ patterns: [ValuePathPattern], at path: ValuePath = .root) -> JSONValue {
    if patterns.isEmpty { return self }
    if patterns.contains(where: { $0.matches(path) }) { return .string(ValueText.redacted) }
    switch self {
    case .object(let members):
      var result = members
      for (name, value) in members {
        result[name] = value.redacted(patterns, at: ValuePath(path.components + [.field(name)]))
      }
      return .object(result)
    case .array(let elements):
      return .array(
        elements.enumerated().map { position, element in
          element.redacted(patterns, at: ValuePath(path.components + [.index(position)]))
        })
    case .null, .bool, .number, .string: return self
    }
  }
}
