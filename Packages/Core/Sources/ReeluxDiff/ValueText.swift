/// The text of a value of any type, the same in every run: `.toggle("metropolis-1927")`, `Movie(title: "M", year: 1931)`.
///
/// Sets and dictionaries are in the order of their texts, strings are quoted and escaped, control characters never reach
/// the output, and depth, length and number of elements are bounded.
public enum ValueText {
  /// What stands in the place of a hidden value.
  public static let redacted = "<redacted>"

  /// Returns the text of a value.
  /// - Parameters:
  ///   - value: Any value; it is read by reflection.
  ///   - budget: Where to stop; what is left out is shown as `…`.
  ///   - hidden: Parts that are shown as ``redacted``.
  public static func describing(
    _ value: Any, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden)
    writer.write(value, depth: 0)
    return writer.finished()
  }

  /// Returns the names of nested enum cases without their payload: `favorites.toggle` for `.favorites(.toggle("x"))`, and
  /// the type's name for what is no enum.
  public static func caseName(of value: Any) -> String {
    caseName(of: value, types: TypeFacts())
  }

  /// How many nested cases a name tells.
  static let caseDepth = 8

  static func caseName(of value: Any, types: TypeFacts) -> String {
    var names: [String] = []
    var value = value
    while names.count < caseDepth, case .enumeration(let name, let payload) = ValueShape(value, types: types) {
      names.append(name)
      guard payload.count == 1, payload[0].name == nil else { break }
      value = payload[0].value
    }
    return names.isEmpty ? String(describing: type(of: value)) : names.joined(separator: ".")
  }
}
