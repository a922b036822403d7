/// Sets compare their members without boxing each.
protocol DirectlySubtractable {
  /// What left and what came; `nil` if `newer` is of another type.
  func members(against newer: Any) -> (removed: [Any], added: [Any])?
}

extension Set: DirectlySubtractable {
  func members(against newer: Any) -> (removed: [Any], added: [Any])? {
    guard let newer = newer as? Set<Element> else { return nil }
    return (filter { !newer.contains($0) }.map { $0 as Any }, newer.filter { !contains($0) }.map { $0 as Any })
  }
}

/// Dictionaries compare their pairs without boxing those that are equal.
protocol DirectlyKeyed {
  /// The pairs whose values differ or are on one side only; `nil` if `newer` is of another type or the values are not
  /// `Equatable`.
  func pairs(against newer: Any) -> [(key: AnyHashable, old: Any?, new: Any?)]?
}

extension Dictionary: DirectlyKeyed {
  func pairs(against newer: Any) -> [(key: AnyHashable, old: Any?, new: Any?)]? {
    func compare<Member: Equatable>(_: Member.Type) -> [(key: AnyHashable, old: Any?, new: Any?)]? {
      guard let old = self as? [Key: Member], let new = newer as? [Key: Member] else { return nil }
      var pairs: [(key: AnyHashable, old: Any?, new: Any?)] = []
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
