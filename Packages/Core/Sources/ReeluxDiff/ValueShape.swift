/// What a value looks like to the diff and to the text: the only place that reads a `Mirror`.
enum ValueShape {
  /// A part with its label, if it has one.
  typealias Part = (name: String?, value: Any)

  /// Told by a text, not looked into.
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
    guard let child = mirror.children.first else { return .enumeration(name: String(describing: value), []) }
    let isTuple = types.isTuple(child.value)
    let parts = isTuple ? parts(of: Mirror(reflecting: child.value)) : [(name: nil, value: child.value)]
    return .enumeration(name: child.label ?? String(describing: value), parts)
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
