/// Facts about types from reflection, cached for each type because names, mirrors and casts to protocols are expensive.
///
/// Only one thread at a time may use it.
final class TypeFacts {
  private var facts: [ObjectIdentifier: TypeFact] = [:]
  /// The types whose values are redacted.
  private let hidden: Set<ObjectIdentifier>

  /// - Parameter hidden: The types whose values are redacted.
  init(hiding hidden: [Any.Type] = []) {
    self.hidden = Set(hidden.map { ObjectIdentifier($0) })
  }

  /// The facts about the type of a value.
  func fact(of value: Any) -> TypeFact {
    let key = ObjectIdentifier(type(of: value))
    if let known = facts[key] { return known }
    let fact = TypeFact(value)
    facts[key] = fact
    return fact
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

  /// Whether a value is `nil`.
  func isNil(_ value: Any) -> Bool {
    let fact = fact(of: value)
    if !fact.isOptional { return false }
    if case .optional = fact.layout { return RuntimeReflection.childCount(of: value) == 0 }
    return Mirror(reflecting: value).children.isEmpty
  }

  /// Whether the mirror of a value hides no stored part. A number or a date has only its value.
  func isShownByItsText(_ value: Any) -> Bool { isFloatingPoint(value) || !(value is any CustomReflectable) }

  /// Whether a value is a floating-point number or a date, which contains one, also inside an `AnyHashable`.
  private func isFloatingPoint(_ value: Any) -> Bool {
    let fact = fact(of: value)
    if case .erased = fact.layout, let hashable = value as? AnyHashable { return isFloatingPoint(hashable.base) }
    return fact.isFloatingPoint
  }

  /// The description of a value. On Linux, the description of a date traps if its seconds are not a number.
  func description(of value: Any) -> String {
    let fact = fact(of: value)
    if case .erased = fact.layout, let hashable = value as? AnyHashable { return description(of: hashable.base) }
    // The description of a NaN has its sign and payload, and all NaN values count as equal.
    if let number = value as? any FloatingPoint, number.isNaN { return "nan" }
    if fact.isDate, let seconds = Mirror(reflecting: value).children.first?.value as? Double, seconds.isNaN {
      return "nan"
    }
    return String(describing: value)
  }

  /// Whether the values are equal by `==`; `nil` if the type is not `Equatable` or the types differ.
  func isEqual(_ left: Any, _ right: Any) -> Bool? { fact(of: left).isEqual(left, right) }

  /// A value that can be hashed. `nil` if its type is not `Hashable`, and for an error of Foundation and a value that
  /// contains one: on Linux, hashing such an error traps.
  func hashable(_ value: Any) -> AnyHashable? { canBeHashed(value, depth: 32) ? value as? AnyHashable : nil }

  /// - Parameter depth: The number of levels that are searched. A deeper value counts as one that cannot be hashed.
  private func canBeHashed(_ value: Any, depth: Int) -> Bool {
    let fact = fact(of: value)
    if depth == 0 || fact.isFoundationError { return false }
    // Most classes hash their identity.
    if fact.isObject { return true }
    if case .erased = fact.layout, let hashable = value as? AnyHashable {
      return canBeHashed(hashable.base, depth: depth - 1)
    }
    return switch ValueShape(value, fact, types: self) {
    case .leaf, .absent: true
    case .present(let content): canBeHashed(content, depth: depth - 1)
    case .fields(_, let parts), .enumeration(_, let parts):
      parts.allSatisfy { canBeHashed($0.value, depth: depth - 1) }
    case .sequence(let children), .set(let children), .dictionary(let children):
      children.allSatisfy { canBeHashed($0.value, depth: depth - 1) }
    }
  }

  /// The name of an enum value's case. It uses the type's `description` only for an enum imported from C.
  func caseName(of value: Any) -> String { RuntimeReflection.caseName(of: value) ?? String(describing: value) }
}

/// The facts about one type.
final class TypeFact {
  /// The way to read the parts of a value.
  enum Layout {
    /// The value has no parts and is shown by its description. This applies to types of the standard library and of
    /// Foundation that contain no values of other types (numbers, strings, dates, data, URLs, UUIDs), and to ranges of
    /// such values.
    case leaf
    /// The value is an `AnyHashable`. Its base has the parts.
    case erased
    case optional
    /// A struct: its stored properties and their names.
    case properties(StoredProperties, [String?])
    /// A tuple: the names of its elements.
    case elements([String?])
    case enumeration
    /// A collection whose mirror does not show its elements.
    case listed
    /// Each value needs its mirror: a class, a collection, or a type with a `customMirror`.
    case mirrored
  }

  /// The way to compare two values by `==`.
  private enum Comparison {
    /// The type is not `Equatable`.
    case missing
    case typed((Any, Any) -> Bool?)
    /// The type of the content determines how values are compared.
    case ofContent
  }

  let layout: Layout
  /// The type's name without its module and its generic arguments.
  let name: String
  let isTuple: Bool
  /// Whether the values are optionals, or have the mirror of an optional.
  let isOptional: Bool
  /// Whether the values are sets of the standard library.
  let isSet: Bool
  /// Whether the values are instances of a class.
  let isObject: Bool
  /// Whether the values are instances of a class, or can contain one without a place of its own.
  let canBeObject: Bool
  /// Whether the values are collections whose mirror does not show their elements. The pairs of such a dictionary,
  /// `KeyValuePairs`, have an order.
  let isListed: Bool
  fileprivate let isFloatingPoint: Bool
  /// Whether the values are errors of Foundation: `NSError`, one of its subclasses, or a struct with such an error.
  fileprivate let isFoundationError: Bool
  /// Whether the values are dates of Foundation.
  fileprivate let isDate: Bool
  private let comparison: Comparison

  fileprivate init(_ value: Any) {
    let mirror = Mirror(reflecting: value)
    let name = String(describing: type(of: value))
    self.name = name.firstIndex(of: "<").map { String(name[..<$0]) } ?? name
    layout = Self.layout(of: value, mirror)
    isListed = value is any ListedCollection
    isTuple = mirror.displayStyle == .tuple
    isOptional = mirror.displayStyle == .optional
    isSet = String(reflecting: type(of: value)).hasPrefix("Swift.Set<")
    isObject = type(of: value) is AnyClass
    canBeObject = isObject || type(of: value) == AnyHashable.self
    isDate = mirror.children.first?.label == "timeIntervalSinceReferenceDate"
    isFloatingPoint = isDate || value is any FloatingPoint
    isFoundationError = value is any Error && (isObject || Self.isOfFoundation(value))
    comparison = Self.comparison(of: value, layout)
  }

  func isEqual(_ left: Any, _ right: Any) -> Bool? {
    // A cast converts `nil` to an optional of any type, and a value to an optional that contains it.
    guard type(of: left) == type(of: right) else { return isObject ? Equality.ofValues(left, right) : nil }
    return switch comparison {
    case .missing: nil
    case .typed(let isEqual): isEqual(left, right)
    case .ofContent: Equality.ofValues(left, right)
    }
  }

  private static func layout(of value: Any, _ mirror: Mirror) -> Layout {
    if type(of: value) == AnyHashable.self { return .erased }
    if value is any ListedCollection { return .listed }
    if isLeaf(value, mirror) { return .leaf }
    // An optional has a mirror of its own, but it shows the same as the runtime.
    if String(reflecting: type(of: value)).hasPrefix("Swift.Optional<") { return .optional }
    if value is any CustomReflectable { return .mirrored }
    switch mirror.displayStyle {
    case .struct:
      let names = ValueShape.parts(of: mirror).map(\.name)
      return StoredProperties(of: type(of: value), count: names.count).map { .properties($0, names) } ?? .mirrored
    case .tuple: return .elements(ValueShape.parts(of: mirror).map(\.name))
    case .enum: return .enumeration
    default: return .mirrored
    }
  }

  private static let foundation: Set<Substring> = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
  ]
  private static let ranges: Set<Substring> = [
    "Swift.Range", "Swift.ClosedRange", "Swift.PartialRangeFrom", "Swift.PartialRangeUpTo", "Swift.PartialRangeThrough",
  ]

  private static func isOfFoundation(_ value: Any) -> Bool {
    foundation.contains(String(reflecting: type(of: value)).prefix { $0 != "." })
  }

  private static func isLeaf(_ value: Any, _ mirror: Mirror) -> Bool {
    let qualified = String(reflecting: type(of: value))
    let isFoundation = isOfFoundation(value)
    guard isFoundation || qualified.hasPrefix("Swift.") else { return false }
    switch mirror.displayStyle {
    case .optional, .tuple, .set, .dictionary: return false
    case .collection: return isFoundation
    default: break
    }
    // The description of an `IndexSet` contains only the number of its indexes, but its mirror has their ranges.
    if isFoundation { return !(value is any SetAlgebra && value is any Collection) }
    let generic = qualified.prefix { $0 != "<" }
    if generic.endIndex == qualified.endIndex { return true }
    if ranges.contains(generic) { return mirror.children.allSatisfy { isLeaf($0.value, Mirror(reflecting: $0.value)) } }
    // The parts of a sequence, a result or an object can be of any type.
    if value is any Sequence || generic == "Swift.Result" { return false }
    return mirror.displayStyle != .class || value is AnyKeyPath
  }

  private static func comparison(of value: Any, _ layout: Layout) -> Comparison {
    func typed<Value: Equatable>(_: Value) -> Comparison {
      // A cast to a protocol can remove an optional. Then another value of the type can have another content.
      guard Value.self == type(of: value) else { return .ofContent }
      return .typed { left, right in
        guard let left = left as? Value, let right = right as? Value else { return nil }
        return left == right
      }
    }
    func bytes<Value>(_: Value) -> Comparison {
      .typed { left, right in
        guard let left = left as? Value, let right = right as? Value else { return nil }
        return StoredProperties.haveEqualBytes(left, right)
      }
    }
    if let value = value as? any Equatable { return typed(value) }
    if case .properties(_, let names) = layout, names.isEmpty, String(reflecting: type(of: value)).hasPrefix("__C.") {
      return _openExistential(value, do: bytes)
    }
    switch layout {
    case .optional, .erased: return .ofContent
    default: return .missing
    }
  }
}
