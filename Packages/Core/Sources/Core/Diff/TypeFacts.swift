/// What reflection says about types, asked once a type: names are costly to make.
final class TypeFacts {
  private struct Fact {
    var name: String
    var isOpaque: Bool
    var isFoundation: Bool
  }

  private var facts: [ObjectIdentifier: Fact] = [:]

  /// The type's name without its module.
  func name(of type: Any.Type) -> String { fact(type).name }

  /// Whether values of the type are told by their description and not looked into: those of the standard library and of
  /// Foundation that are no collections (numbers, strings, ranges, dates, URLs, UUIDs).
  func isOpaque(_ type: Any.Type) -> Bool { fact(type).isOpaque }

  /// Whether the type is Foundation's: its collections (`Data`) are told by their description too.
  func isFoundation(_ type: Any.Type) -> Bool { fact(type).isFoundation }

  private func fact(_ type: Any.Type) -> Fact {
    let key = ObjectIdentifier(type)
    if let known = facts[key] { return known }
    let qualified = String(reflecting: type)
    let isFoundation = qualified.hasPrefix("Foundation")
    let isLibrary = isFoundation || qualified.hasPrefix("Swift.")
    let isTransparent = qualified.hasPrefix("Swift.Result<")
    let fact = Fact(
      name: String(describing: type), isOpaque: isLibrary && !isTransparent, isFoundation: isFoundation)
    facts[key] = fact
    return fact
  }
}
