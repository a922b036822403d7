/// Two sequences without the elements that are equal at both ends.
struct TrimmedSequences {
  /// How many elements were equal at the start.
  var prefix: Int
  var old: [Any]
  var new: [Any]
}

/// Arrays compare their ends without boxing each element.
protocol DirectlyComparable {
  /// Leaves out equal ends; `nil` if `newer` is of another type or the elements are not `Equatable`.
  func trimmed(against newer: Any) -> TrimmedSequences?
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
}
