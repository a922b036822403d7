/// The difference of two JSON values as the report's script applies it: small for small changes of large states.
///
/// - `{"set": value}` replaces the value.
/// - `{"in": {name: patch, …}, "out": [name, …]}` changes and removes members of an object.
/// - `{"at": [[position, patch], …]}` changes elements of an array.
/// - `{"cut": [position, count, [value, …]]}` replaces a run of an array's elements.
enum JSONPatch {
  /// Returns the patch; `nil` if the values are equal.
  static func between(_ old: JSONValue, _ new: JSONValue) -> JSONValue? {
    if old == new { return nil }
    switch (old, new) {
    case (.object(let old), .object(let new)): return object(old, new)
    case (.array(let old), .array(let new)): return array(old, new)
    default: return .object(["set": new])
    }
  }

  private static func object(_ old: [String: JSONValue], _ new: [String: JSONValue]) -> JSONValue {
    var changed: [String: JSONValue] = [:]
    for (name, value) in new {
      guard let before = old[name] else {
        changed[name] = .object(["set": value])
        continue
      }
      changed[name] = between(before, value)
    }
    let removed = old.keys.filter { new[$0] == nil }.sorted()
    var patch: [String: JSONValue] = ["in": .object(changed)]
    if !removed.isEmpty { patch["out"] = .array(removed.map { .string($0) }) }
    return .object(patch)
  }

  private static func array(_ old: [JSONValue], _ new: [JSONValue]) -> JSONValue {
    let limit = min(old.count, new.count)
    var prefix = 0
    while prefix < limit, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
    if old.count == new.count {
      let changes = (prefix..<(new.count - suffix)).compactMap { position -> JSONValue? in
        between(old[position], new[position]).map { .array([.number("\(position)"), $0]) }
      }
      return .object(["at": .array(changes)])
    }
    let inserted = JSONValue.array(Array(new[prefix..<(new.count - suffix)]))
    let removed = old.count - prefix - suffix
    return .object(["cut": .array([.number("\(prefix)"), .number("\(removed)"), inserted])])
  }
}
