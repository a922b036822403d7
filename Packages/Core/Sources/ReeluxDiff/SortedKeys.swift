/// The elements of a set or the pairs of a dictionary, in an order that does not depend on hashing.
struct SortedKeys {
  /// The text of the key.
  var text: String
  /// The name of the key in a path.
  var name: String
  var key: Any
  /// The value; `nil` for an element of a set.
  var value: Any?

  /// Sorts whole numbers by value, and then the other keys by their texts and names.
  /// - Parameter isOrdered: Whether the order of the pairs is kept.
  static func sorted(
    _ pairs: [(key: Any, value: Any?)], isOrdered: Bool = false, budget: InspectionBudget, hidden: [ValuePathPattern],
    path: ValuePath, types: TypeFacts
  ) -> [SortedKeys] {
    let keyed = pairs.map { pair in
      var writer = TextWriter(budget: budget, hidden: hidden, at: path, types: types)
      writer.write(pair.key, depth: 0)
      let text = writer.finished()
      // A pattern is compared with the whole name, and equal texts are ordered by it, also if the text is cut.
      let isWhole = !(pair.key is String || writer.isFull)
      let name = isWhole ? text : SortedKeys.name(of: pair.key, hiding: hidden, at: path, types: types)
      let number = Int(text)
      return (
        entry: SortedKeys(text: text, name: name, key: pair.key, value: pair.value),
        order: (number == nil ? 1 : 0, number ?? 0, text, name)
      )
    }
    return (isOrdered ? keyed : keyed.sorted { $0.order < $1.order }).map(\.entry)
  }

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
