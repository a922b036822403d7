/// Two sequences without the equal elements at both ends.
struct TrimmedSequences {
  /// The number of equal elements at the start.
  var prefix: Int
  var old: [Any]
  var new: [Any]
}

/// A collection of `Equatable` elements that compares its ends without boxing the elements.
protocol DirectlyTrimmable {
  /// Removes equal ends. Returns `nil` if `newer` has another type.
  func trimmed(against newer: Any) -> TrimmedSequences?
}

// The conformance has a condition, because a cast of `self` to an array of `Equatable` elements would copy the array.
extension Array: DirectlyTrimmable where Element: Equatable {
  func trimmed(against newer: Any) -> TrimmedSequences? {
    guard let newer = newer as? [Element] else { return nil }
    let limit = Swift.min(count, newer.count)
    var prefix = 0
    while prefix < limit, self[prefix] == newer[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < limit - prefix, self[count - 1 - suffix] == newer[newer.count - 1 - suffix] { suffix += 1 }
    return TrimmedSequences(
      prefix: prefix, old: self[prefix..<(count - suffix)].map { $0 as Any },
      new: newer[prefix..<(newer.count - suffix)].map { $0 as Any })
  }
}

/// A collection whose storage can be compared.
protocol DirectlyComparable {
  /// Whether both are unchanged copies of one array. Costs constant time.
  func sharesStorage(with newer: Any) -> Bool
}

extension Array: DirectlyComparable {
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

/// A collection of `Equatable` values that compares its pairs without boxing equal ones.
protocol DirectlyKeyed {
  /// The pairs whose values differ or are on one side only; `nil` if `newer` has another type.
  func pairs(against newer: Any) -> [KeyedPair]?
}

// The conformance has a condition, because a cast of `self` to a dictionary of `Equatable` values would copy the
// dictionary.
extension Dictionary: DirectlyKeyed where Value: Equatable {
  func pairs(against newer: Any) -> [KeyedPair]? {
    guard let newer = newer as? [Key: Value] else { return nil }
    var pairs: [KeyedPair] = []
    var added = newer.count
    for (key, value) in self {
      let other = newer[key]
      if other != nil { added -= 1 }
      if other != value { pairs.append((AnyHashable(key), value, other)) }
    }
    guard added > 0 else { return pairs }
    for (key, value) in newer where self[key] == nil { pairs.append((AnyHashable(key), nil, value)) }
    return pairs
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

  /// The pairs of two dictionaries that may differ; `nil` if not all keys are hashable and unique, or if their order
  /// matters and is different.
  static func pairs(of old: Any, against new: Any) -> [KeyedPair]? {
    if let pairs = (old as? any DirectlyKeyed)?.pairs(against: new) { return pairs }
    guard let before = byKey(old), let after = byKey(new) else { return nil }
    if old is any ListedCollection, keys(of: old, in: after) != keys(of: new, in: before) { return nil }
    return before.map { ($0, $1, after[$0]) } + after.filter { before[$0.key] == nil }.map { ($0, nil, $1) }
  }

  /// The keys that are also in another dictionary, in their order.
  private static func keys(of dictionary: Any, in other: [AnyHashable: Any]) -> [AnyHashable] {
    pairs(of: mirror(of: dictionary).children).compactMap { $0.key as? AnyHashable }.filter { other[$0] != nil }
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
