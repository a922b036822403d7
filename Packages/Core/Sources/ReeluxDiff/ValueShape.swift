/// The structure of a value, as differences and texts use it: the only place that reads a `Mirror`.
///
/// A type's own `customMirror` decides about its parts.
enum ValueShape {
  /// A part with its label, if it has one.
  typealias Part = (name: String?, value: Any)

  /// Shown by a text, without parts.
  case leaf
  /// `nil`.
  case absent
  /// An optional's value.
  case present(Any)
  /// Struct, class, or tuple (then without a type name).
  case fields(type: String?, [Part])
  /// An enum case with its payload.
  case enumeration(name: String, [Part])
  case sequence(Mirror.Children)
  case set(Mirror.Children)
  /// The children are pairs; see ``pairs(of:)``.
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

  /// The keys and values of a dictionary's children; what is no pair is left out.
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

  /// The stored properties, those of superclasses first; a tuple's unlabelled elements are named by their number.
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

  /// Whether a value is shown by its description and has no parts: the types of the standard library and of Foundation
  /// that are no collections or optionals (numbers, strings, ranges, dates, data, URLs, UUIDs).
  func isLeaf(_ value: Any) -> Bool { fact(value).isLeaf }

  /// Whether a value is a tuple.
  func isTuple(_ value: Any) -> Bool { fact(value).isTuple }

  /// The name of an enum value's case, whatever the type's `description` says.
  func caseName(of value: Any) -> String {
    func read<Value>(_ value: Value) -> String? {
      guard let name = unsafe runtimeCaseName(value) else { return nil }
      return unsafe String(cString: name)
    }
    // Enums that are imported from C have no case names.
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
      // The description of an `IndexSet` is the number of its indexes; its mirror has their ranges.
      default: isFoundation && value is any SetAlgebra && value is any Collection
      }
    return Fact(
      name: String(describing: type), isLeaf: isLibrary && !isTransparent && !isContainer, isTuple: style == .tuple)
  }
}

/// The name of the case that an enum value is in, in memory that is never freed; `nil` for other values.
///
/// Why it is right: `swift_EnumCaseName` is the function of the Swift runtime from which `String(describing:)` gets the
/// name for an enum without a `description` of its own. It takes the value's address and type, which is how the
/// compiler passes a generic parameter, reads the value, and returns a pointer into the type's metadata.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// Equality of values whose type is not known statically.
enum Equality {
  /// Whether the values are equal by their type's own `==`; `nil` if the type is not `Equatable` or the types differ.
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
