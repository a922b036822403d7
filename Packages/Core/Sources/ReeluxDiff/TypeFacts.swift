/// What reflection says about types, asked once a type: names and mirrors are costly to make.
///
/// Not for use from two threads at a time.
final class TypeFacts {
  private struct Fact {
    var name: String
    var isLeaf: Bool
    var isTuple: Bool
  }

  private var facts: [ObjectIdentifier: Fact] = [:]

  /// The type's name without its module.
  func name(of type: Any.Type) -> String { facts[ObjectIdentifier(type)]?.name ?? String(describing: type) }

  /// Whether a value is told by its description and not looked into: those of the standard library and of Foundation
  /// that are no collections or optionals (numbers, strings, ranges, dates, URLs, UUIDs).
  func isLeaf(_ value: Any) -> Bool { fact(value).isLeaf }

  /// Whether a value is a tuple.
  func isTuple(_ value: Any) -> Bool { fact(value).isTuple }

  private func fact(_ value: Any) -> Fact {
    let type = type(of: value)
    let key = ObjectIdentifier(type)
    if let known = facts[key] { return known }
    let fact = Self.examine(type, Mirror(reflecting: value).displayStyle)
    facts[key] = fact
    return fact
  }

  private static func examine(_ type: Any.Type, _ style: Mirror.DisplayStyle?) -> Fact {
    let qualified = String(reflecting: type)
    let isFoundation = qualified.hasPrefix("Foundation")
    let isLibrary = isFoundation || qualified.hasPrefix("Swift.")
    let isTransparent = qualified.hasPrefix("Swift.Result<") || type == AnyHashable.self
    let isContainer =
      switch style {
      case .optional, .tuple, .set, .dictionary: true
      // `Data` is Foundation's and is told by its description.
      case .collection: !isFoundation
      default: false
      }
    return Fact(
      name: String(describing: type), isLeaf: isLibrary && !isTransparent && !isContainer, isTuple: style == .tuple)
  }
}
