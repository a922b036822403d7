/// The structure of a value for differences and texts.
///
/// A type's own `customMirror` determines its parts. The parts of most structs, tuples and enums are read without a
/// mirror, because making a mirror takes longer than reading its parts.
enum ValueShape {
  /// A part with its label, if it has one.
  struct Part {
    var name: String?
    var value: Any
  }

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
    self.init(value, types.fact(of: value), types: types)
  }

  /// - Parameter fact: The fact about the type of the value.
  init(_ value: Any, _ fact: TypeFact, types: TypeFacts) {
    switch fact.layout {
    case .leaf: self = .leaf
    case .erased: self.init((value as? AnyHashable)?.base ?? value, types: types)
    case .optional:
      self =
        RuntimeReflection.childCount(of: value) == 0 ? .absent : .present(RuntimeReflection.child(of: value, at: 0))
    case .properties(let properties, let names):
      let values = properties.read(value) ?? names.indices.map { RuntimeReflection.child(of: value, at: $0) }
      self = .fields(type: fact.name, names.indices.map { Part(name: names[$0], value: values[$0]) })
    case .elements(let names):
      let parts = names.enumerated().map { Part(name: $1, value: RuntimeReflection.child(of: value, at: $0)) }
      self = .fields(type: nil, parts)
    case .enumeration:
      let payload = RuntimeReflection.payload(of: value)
      self = Self.enumeration(value, name: payload?.caseName, payload: payload?.value, types)
    case .listed, .mirrored: self.init(mirroring: value, fact, types)
    }
  }

  private init(mirroring value: Any, _ fact: TypeFact, _ types: TypeFacts) {
    let mirror = if case .listed = fact.layout { Self.mirror(of: value) } else { Mirror(reflecting: value) }
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
      let child = mirror.children.first
      self = Self.enumeration(
        value, name: child?.label.map { LeafText.escaped($0) }, payload: child?.value, types)
    case .struct, .class:
      self = .fields(type: fact.name, Self.parts(of: mirror))
    default:
      let parts = Self.parts(of: mirror)
      self = parts.isEmpty ? .leaf : .fields(type: fact.name, parts)
    }
  }

  /// The parts `new` in the order of `old`; `nil` if they do not have the same names.
  static func aligned(_ new: [Part], with old: [Part]) -> [Part]? {
    guard old.count == new.count else { return nil }
    if zip(old, new).allSatisfy({ $0.name == $1.name }) { return new }
    guard Set(old.map(\.name)).count == old.count else { return nil }
    let parts = old.compactMap { part in new.first { $0.name == part.name } }
    return parts.count == old.count ? parts : nil
  }

  /// The keys and values of a dictionary's children. Children that are not pairs are left out.
  static func pairs(of children: Mirror.Children) -> [(key: Any, value: Any)] {
    children.compactMap { child in
      let parts = Array(Mirror(reflecting: child.value).children)
      return parts.count == 2 ? (parts[0].value, parts[1].value) : nil
    }
  }

  private static func enumeration(_ value: Any, name: String?, payload: Any?, _ types: TypeFacts) -> ValueShape {
    let name = name ?? types.caseName(of: value)
    guard let payload else { return .enumeration(name: name, []) }
    let fact = types.fact(of: payload)
    if fact.isTuple, case .fields(_, let parts) = ValueShape(payload, fact, types: types) {
      return .enumeration(name: name, parts)
    }
    return .enumeration(name: name, [Part(value: payload)])
  }

  /// The stored properties, those of superclasses first. Unlabelled parts are numbered, if there are several parts. A
  /// lazy property has the name of its declaration. A label of a `customMirror` can be any text, so it is escaped.
  static func parts(of mirror: Mirror) -> [Part] {
    let lazyPrefix = "$__lazy_storage_$_"
    var parts: [Part] = []
    let isClass = mirror.displayStyle == .class
    if isClass, let parent = mirror.superclassMirror { parts = Self.parts(of: parent) }
    let isTuple = mirror.displayStyle == .tuple
    for child in mirror.children {
      let isNumbered = isTuple && (child.label ?? ".").hasPrefix(".")
      let label = child.label.map {
        LeafText.escaped($0.hasPrefix(lazyPrefix) ? $0.dropFirst(lazyPrefix.count) : $0[...])
      }
      parts.append(Part(name: isNumbered ? "\(parts.count)" : label, value: child.value))
    }
    if parts.count > 1 { for index in parts.indices where parts[index].name == nil { parts[index].name = "\(index)" } }
    return parts
  }
}

/// The equality of values whose type is not known statically.
enum Equality {
  /// Whether the values are equal by `==`; `nil` if the type is not `Equatable` or the types differ. An object and
  /// one of a subclass are compared by the `==` of the superclass.
  static func ofValues(_ left: Any, _ right: Any) -> Bool? {
    func compare<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool? {
      let type = type(of: right)
      guard type == Value.self || type is AnyClass && Value.self is AnyClass, let right = right as? Value else {
        return nil
      }
      return left == right
    }
    // The cast can remove an optional, so it is done on both sides.
    guard let left = left as? any Equatable, let right = right as? any Equatable else { return nil }
    return compare(left, right) ?? compare(right, left)
  }

  /// The identity of a class instance, also inside an `AnyHashable`; `nil` for other values.
  static func identity(of value: Any) -> ObjectIdentifier? {
    if type(of: value) == AnyHashable.self, let hashable = value as? AnyHashable { return identity(of: hashable.base) }
    return type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }

  /// The id of an `Identifiable` value; `nil` for other values.
  static func id(of value: Any) -> AnyHashable? {
    func read(_ value: some Identifiable) -> AnyHashable { AnyHashable(value.id) }
    guard let value = value as? any Identifiable else { return nil }
    return read(value)
  }
}

/// Two objects that are compared.
struct ObjectPair: Hashable {
  var old: ObjectIdentifier
  var new: ObjectIdentifier
}
