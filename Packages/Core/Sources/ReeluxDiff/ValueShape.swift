/// The structure of a value for differences and texts. Only this type reads a `Mirror`.
///
/// A type's own `customMirror` determines its parts.
enum ValueShape {
  /// A part with its label, if it has one.
  typealias Part = (name: String?, value: Any)

  /// A value without parts, shown as text. A type whose `customMirror` has no display style and no children is shown by
  /// its description.
  case leaf
  /// `nil`.
  case absent
  /// An optional's value.
  case present(Any)
  /// A struct, class or tuple. A tuple has no type name.
  case fields(type: String?, [Part])
  /// An enum case with its payload.
  case enumeration(name: String, [Part])
  case sequence(Mirror.Children)
  case set(Mirror.Children)
  /// A dictionary. Its children are pairs; see ``pairs(of:)``.
  case dictionary(Mirror.Children)

  init(_ value: Any, types: TypeFacts) {
    if types.isLeaf(value) {
      self = .leaf
      return
    }
    let valueType = Swift.type(of: value)
    if valueType == AnyHashable.self, let hashable = value as? AnyHashable {
      self.init(hashable.base, types: types)
      return
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      self = mirror.children.first.map { .present($0.value) } ?? .absent
    case .collection:
      self = .sequence(mirror.children)
    case .set:
      self = .set(mirror.children)
    case .dictionary:
      self = .dictionary(mirror.children)
    case .tuple:
      self = .fields(type: nil, Self.parts(of: mirror))
    case .enum:
      self = Self.enumeration(value, mirror, types)
    case .struct, .class:
      self = .fields(type: types.name(of: valueType), Self.parts(of: mirror))
    default:
      let parts = Self.parts(of: mirror)
      self = parts.isEmpty ? .leaf : .fields(type: types.name(of: valueType), parts)
    }
  }

  /// The keys and values of a dictionary's children. Children that are not pairs are left out.
  static func pairs(of children: Mirror.Children) -> [(key: Any, value: Any)] {
    children.compactMap { child in
      let parts = Array(Mirror(reflecting: child.value).children)
      return parts.count == 2 ? (parts[0].value, parts[1].value) : nil
    }
  }

  private static func enumeration(_ value: Any, _ mirror: Mirror, _ types: TypeFacts) -> ValueShape {
    guard let child = mirror.children.first else { return .enumeration(name: types.caseName(of: value), []) }
    let isTuple = types.isTuple(child.value)
    let parts = isTuple ? parts(of: Mirror(reflecting: child.value)) : [(name: nil, value: child.value)]
    return .enumeration(name: child.label ?? types.caseName(of: value), parts)
  }

  /// The stored properties, those of superclasses first. The unlabelled elements of a tuple are numbered.
  private static func parts(of mirror: Mirror) -> [Part] {
    var parts: [Part] = []
    let isClass = mirror.displayStyle == .class
    if isClass, let parent = mirror.superclassMirror { parts = Self.parts(of: parent) }
    let isTuple = mirror.displayStyle == .tuple
    for child in mirror.children {
      let isNumbered = isTuple && (child.label ?? ".").hasPrefix(".")
      parts.append((isNumbered ? "\(parts.count)" : child.label, child.value))
    }
    return parts
  }
}

/// Facts about types from reflection, cached for each type because names and mirrors are expensive.
///
/// Only one thread at a time may use it.
final class TypeFacts {
  private struct Fact {
    var name: String
    var isLeaf: Bool
    var isTuple: Bool
    var isOptional: Bool
  }

  private var facts: [ObjectIdentifier: Fact] = [:]
  /// The types whose values are redacted.
  private let hidden: Set<ObjectIdentifier>

  /// - Parameter hidden: The types whose values are redacted.
  init(hiding hidden: [Any.Type] = []) {
    self.hidden = Set(hidden.map { ObjectIdentifier($0) })
  }

  /// Whether values of any type are redacted.
  var isHiding: Bool { !hidden.isEmpty }

  /// Whether values of this value's type are redacted.
  func isHidden(_ value: Any) -> Bool {
    if hidden.isEmpty { return false }
    let type = type(of: value)
    if type == AnyHashable.self, let hashable = value as? AnyHashable { return isHidden(hashable.base) }
    return hidden.contains(ObjectIdentifier(type))
  }

  /// The type's name without its module and its generic arguments.
  func name(of type: Any.Type) -> String { facts[ObjectIdentifier(type)]?.name ?? Self.name(of: type) }

  private static func name(of type: Any.Type) -> String {
    let name = String(describing: type)
    return name.firstIndex(of: "<").map { String(name[..<$0]) } ?? name
  }

  /// Whether a value is shown by its description and has no parts. This applies to types of the standard library and of
  /// Foundation that are not collections or optionals (numbers, strings, ranges, dates, data, URLs, UUIDs).
  func isLeaf(_ value: Any) -> Bool { fact(value).isLeaf }

  /// Whether a value is a tuple.
  func isTuple(_ value: Any) -> Bool { fact(value).isTuple }

  /// Whether a value is `nil`.
  func isNil(_ value: Any) -> Bool { fact(value).isOptional && Mirror(reflecting: value).children.isEmpty }

  /// The name of an enum value's case. It does not use the type's `description`.
  func caseName(of value: Any) -> String {
    func read<Value>(_ value: Value) -> String? {
      guard let name = unsafe runtimeCaseName(value) else { return nil }
      return unsafe String(cString: name)
    }
    // Enums imported from C have no case names.
    return _openExistential(value, do: read) ?? String(describing: value)
  }

  private func fact(_ value: Any) -> Fact {
    let type = type(of: value)
    let key = ObjectIdentifier(type)
    if let known = facts[key] { return known }
    let fact = Self.examine(value, Mirror(reflecting: value).displayStyle)
    facts[key] = fact
    return fact
  }

  private static func examine(_ value: Any, _ style: Mirror.DisplayStyle?) -> Fact {
    let type = type(of: value)
    let qualified = String(reflecting: type)
    let isFoundation = qualified.hasPrefix("Foundation")
    let isLibrary = isFoundation || qualified.hasPrefix("Swift.")
    let isTransparent = qualified.hasPrefix("Swift.Result<") || type == AnyHashable.self
    let isContainer =
      switch style {
      case .optional, .tuple, .set, .dictionary: true
      case .collection: !isFoundation
      // The description of an `IndexSet` contains only the number of its indexes, but its mirror has their ranges.
      default: isFoundation && value is any SetAlgebra && value is any Collection
      }
    return Fact(
      name: name(of: type), isLeaf: isLibrary && !isTransparent && !isContainer, isTuple: style == .tuple,
      isOptional: style == .optional)
  }
}

/// The name of an enum value's case, in memory that is never freed; `nil` for other values.
///
/// This is correct, because `String(describing:)` uses the same runtime function for an enum without its own
/// `description`. The function takes the address and the type of the value, which is how the compiler passes a generic
/// parameter. It reads the value and returns a pointer into the type's metadata.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// The equality of values whose type is not known statically.
enum Equality {
  /// Whether the values are equal by `==`; `nil` if the type is not `Equatable` or the types differ.
  static func ofValues(_ left: Any, _ right: Any) -> Bool? {
    func compare<Value: Equatable>(_ left: Value) -> Bool? {
      guard let right = right as? Value else { return nil }
      return left == right
    }
    guard let left = left as? any Equatable else { return nil }
    return compare(left)
  }

  /// The identity of a class instance; `nil` for other values.
  static func identity(of value: Any) -> ObjectIdentifier? {
    type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }

  /// The id of an `Identifiable` value; `nil` for other values.
  static func id(of value: Any) -> AnyHashable? {
    func read(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
    guard let value = value as? any Identifiable else { return nil }
    return read(value)
  }
}
