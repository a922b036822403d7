/// Elements of a set, or pairs of a dictionary, in an order that does not depend on hashing.
struct SortedKeys {
  /// The key as it is shown.
  var text: String
  /// The key as it stands in a path.
  var name: String
  var key: Any
  /// The value; `nil` for an element of a set.
  var value: Any?

  /// Sorts by the keys' texts; whole numbers by their value.
  static func sorted(
    _ pairs: [(key: Any, value: Any?)], budget: InspectionBudget, hidden: [ValuePathPattern], path: ValuePath,
    types: TypeFacts
  ) -> [SortedKeys] {
    let keyed = pairs.map { pair in
      var writer = TextWriter(budget: budget, hidden: hidden, at: path, types: types)
      writer.write(pair.key, depth: 0)
      let text = writer.finished()
      let name = pair.key is String ? LeafText.name(pair.key, limit: 80) : text
      return (entry: SortedKeys(text: text, name: name, key: pair.key, value: pair.value), number: Int(text))
    }
    return keyed.sorted { left, right in
      if let first = left.number, let second = right.number { return first < second }
      return left.entry.text < right.entry.text
    }.map(\.entry)
  }
}
