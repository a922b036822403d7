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
  case set([Any])
  case dictionary([(key: Any, value: Any)])

  init(_ value: Any, types: TypeFacts) {
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
      self = types.isFoundation(valueType) ? .leaf : .sequence(mirror.children)
    case .set:
      self = .set(mirror.children.map(\.value))
    case .dictionary:
      self = Self.dictionary(mirror)
    case .tuple:
      self = .fields(type: nil, Self.parts(of: mirror))
    case .enum:
      self = types.isOpaque(valueType) ? .leaf : Self.enumeration(value, mirror)
    case .struct, .class:
      self = types.isOpaque(valueType) ? .leaf : .fields(type: types.name(of: valueType), Self.parts(of: mirror))
    default:
      let parts = Self.parts(of: mirror)
      self = parts.isEmpty || types.isOpaque(valueType) ? .leaf : .fields(type: types.name(of: valueType), parts)
    }
  }

  private static func dictionary(_ mirror: Mirror) -> ValueShape {
    var pairs: [(key: Any, value: Any)] = []
    pairs.reserveCapacity(mirror.children.count)
    for child in mirror.children {
      let parts = Array(Mirror(reflecting: child.value).children)
      guard parts.count == 2 else { return .sequence(mirror.children) }
      pairs.append((parts[0].value, parts[1].value))
    }
    return .dictionary(pairs)
  }

  private static func enumeration(_ value: Any, _ mirror: Mirror) -> ValueShape {
    guard let child = mirror.children.first else { return .enumeration(name: String(describing: value), []) }
    let payload = Mirror(reflecting: child.value)
    let parts = payload.displayStyle == .tuple ? parts(of: payload) : [(name: nil, value: child.value)]
    return .enumeration(name: child.label ?? String(describing: value), parts)
  }

  /// The stored properties, those of superclasses first; a tuple's unlabelled elements are named by their number.
  private static func parts(of mirror: Mirror) -> [Part] {
    var parts: [Part] = []
    if let parent = mirror.superclassMirror { parts = Self.parts(of: parent) }
    for (position, child) in mirror.children.enumerated() {
      let isNumbered = mirror.displayStyle == .tuple && (child.label ?? ".").hasPrefix(".")
      parts.append((isNumbered ? "\(position)" : child.label, child.value))
    }
    return parts
  }
}
