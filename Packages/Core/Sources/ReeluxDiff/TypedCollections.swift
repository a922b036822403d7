/// Two sequences without the equal elements at both ends.
struct TrimmedSequences {
  /// The number of equal elements at the start.
  var prefix: Int
  var old: [Any]
  var new: [Any]
}

/// A collection that compares its ends without boxing the elements.
protocol DirectlyComparable {
  /// Removes equal ends. Returns `nil` if `newer` has another type or the elements are not `Equatable`.
  func trimmed(against newer: Any) -> TrimmedSequences?
  /// Whether both are unchanged copies of one array. Costs constant time.
  func sharesStorage(with newer: Any) -> Bool
}

extension Array: DirectlyComparable {
  func trimmed(against newer: Any) -> TrimmedSequences? {
    func compare<Value: Equatable>(_: Value.Type) -> TrimmedSequences? {
      guard let old = self as? [Value], let new = newer as? [Value] else { return nil }
      let limit = Swift.min(old.count, new.count)
      var prefix = 0
      while prefix < limit, old[prefix] == new[prefix] { prefix += 1 }
      var suffix = 0
      while suffix < limit - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] { suffix += 1 }
      return TrimmedSequences(
        prefix: prefix, old: old[prefix..<(old.count - suffix)].map { $0 as Any },
        new: new[prefix..<(new.count - suffix)].map { $0 as Any })
    }
    guard let element = Element.self as? any Equatable.Type else { return nil }
    return compare(element)
  }

  func sharesStorage(with newer: Any) -> Bool {
    guard let newer = newer as? [Element], newer.count == count else { return false }
    // This is correct, because only the addresses are compared. Both arrays are alive, so equal addresses mean the same
    // storage.
    return unsafe withUnsafeBufferPointer { old in
      unsafe newer.withUnsafeBufferPointer { new in unsafe old.baseAddress == new.baseAddress }
    }
  }
}

/// A collection that compares its members without boxing them.
protocol DirectlySubtractable {
  /// The members that are on one side only; `nil` if `newer` has another type.
  func members(against newer: Any) -> (removed: [Any], added: [Any])?
}

extension Set: DirectlySubtractable {
  func members(against newer: Any) -> (removed: [Any], added: [Any])? {
    guard let newer = newer as? Set<Element> else { return nil }
    return (filter { !newer.contains($0) }.map { $0 as Any }, newer.filter { !contains($0) }.map { $0 as Any })
  }
}

/// A key of two dictionaries with its values. A value is `nil` on a side without the key.
typealias KeyedPair = (key: AnyHashable, old: Any?, new: Any?)

/// A collection that compares its pairs without boxing equal ones.
protocol DirectlyKeyed {
  /// The pairs whose values differ or are on one side only; `nil` if `newer` has another type or the values are not
  /// `Equatable`.
  func pairs(against newer: Any) -> [KeyedPair]?
}

extension Dictionary: DirectlyKeyed {
  func pairs(against newer: Any) -> [KeyedPair]? {
    func compare<Member: Equatable>(_: Member.Type) -> [KeyedPair]? {
      guard let old = self as? [Key: Member], let new = newer as? [Key: Member] else { return nil }
      var pairs: [KeyedPair] = []
      for (key, value) in old {
        let other = new[key]
        if other != value { pairs.append((AnyHashable(key), value, other)) }
      }
      for (key, value) in new where old[key] == nil { pairs.append((AnyHashable(key), nil, value)) }
      return pairs
    }
    guard let member = Value.self as? any Equatable.Type else { return nil }
    return compare(member)
  }
}

/// A collection of the standard library whose mirror does not show its elements.
protocol ListedCollection {
  /// A mirror with the elements.
  var listing: Mirror { get }
}

extension Dictionary.Keys: ListedCollection {
  var listing: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .set) }
}

extension Dictionary.Values: ListedCollection {
  var listing: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}

extension KeyValuePairs: ListedCollection {
  var listing: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .dictionary) }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
extension InlineArray: ListedCollection {
  var listing: Mirror { Mirror(self, unlabeledChildren: indices.map { self[$0] }, displayStyle: .collection) }
}

extension ValueShape {
  /// The mirror of a value, with the elements of any collection.
  static func mirror(of value: Any) -> Mirror {
    (value as? any ListedCollection)?.listing ?? Mirror(reflecting: value)
  }

  /// The members of two sets that are on one side only; `nil` if a member of a custom set is not hashable.
  static func members(of old: Any, against new: Any) -> (removed: [Any], added: [Any])? {
    if let members = (old as? any DirectlySubtractable)?.members(against: new) { return members }
    func hashable(_ set: Any) -> Set<AnyHashable>? {
      let children = mirror(of: set).children
      let members = children.compactMap { $0.value as? AnyHashable }
      return members.count == children.count ? Set(members) : nil
    }
    guard let before = hashable(old), let after = hashable(new) else { return nil }
    return (before.subtracting(after).map(\.base), after.subtracting(before).map(\.base))
  }

  /// The pairs of two dictionaries that may differ; `nil` if not all keys are hashable and unique.
  static func pairs(of old: Any, against new: Any) -> [KeyedPair]? {
    if let pairs = (old as? any DirectlyKeyed)?.pairs(against: new) { return pairs }
    guard let before = byKey(old), let after = byKey(new) else { return nil }
    return before.map { ($0, $1, after[$0]) } + after.filter { before[$0.key] == nil }.map { ($0, nil, $1) }
  }

  private static func byKey(_ dictionary: Any) -> [AnyHashable: Any]? {
    let pairs = pairs(of: mirror(of: dictionary).children)
    var values: [AnyHashable: Any] = [:]
    for pair in pairs {
      guard let key = pair.key as? AnyHashable, values.updateValue(pair.value, forKey: key) == nil else { return nil }
    }
    return values
  }
}

extension SortedKeys {
  /// The name of a key in a path, in full.
  static func name(
    of key: Any, hiding hidden: [ValuePathPattern] = [], at path: ValuePath = .root, types: TypeFacts
  ) -> String {
    if key is String, !types.isHidden(key) { return LeafText.name(key) }
    var budget = InspectionBudget.standard
    budget.textLength = .max
    var writer = TextWriter(budget: budget, hidden: hidden, at: path, types: types)
    writer.write(key, depth: 0)
    return writer.finished()
  }
}
