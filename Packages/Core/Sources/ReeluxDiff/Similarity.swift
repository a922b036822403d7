/// How likely it is that one element became another.
enum Similarity {
  /// The share of parts that are equal, from 0 to 1; 0 for values that have no named parts or are of different types.
  static func ofValues(_ old: Any, _ new: Any, types: TypeFacts) -> Double {
    guard type(of: old) == type(of: new),
      case .fields(_, let oldParts) = ValueShape(old, types: types),
      case .fields(_, let newParts) = ValueShape(new, types: types),
      oldParts.count == newParts.count, !oldParts.isEmpty
    else { return 0 }
    let equal = zip(oldParts, newParts).filter { Equality.ofValues($0.value, $1.value) == true }.count
    return Double(equal) / Double(oldParts.count)
  }
}
