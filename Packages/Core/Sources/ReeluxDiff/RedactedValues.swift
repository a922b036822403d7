/// A search for redacted values. The id of an element is a part of its path, so the id must not contain a
/// redacted value.
///
/// It reads up to 10,000 parts, and up to 32 levels of parts.
struct RedactedValues {
  private static let sizeLimit = 10_000

  private let hidden: [ValuePathPattern]
  private let types: TypeFacts
  private let depthLimit: Int
  /// The other names of elements in the path; see ``ValuePathPattern``.
  private let otherNames: [Int: [ValuePath.Component]]
  private var values: Set<AnyHashable> = []
  private var objects: Set<ObjectIdentifier> = []
  private var visits = 0
  private var isCutShort = false

  private init(
    _ hidden: [ValuePathPattern], _ types: TypeFacts, at place: ValuePath = .root,
    otherNames: [Int: [ValuePath.Component]] = [:]
  ) {
    self.hidden = hidden
    self.otherNames = otherNames
    self.types = types
    depthLimit = place.components.count + 32
  }

  /// Whether the id of an element is redacted, or contains a value that is redacted in the element.
  ///
  /// A value is recognized if it is the id, or a stored part of it. If the element is too large or too deep, the result
  /// is true. Costs time linear in the parts of the element.
  static func areIn(
    _ id: AnyHashable, of element: Any, at place: ValuePath, otherNames: [Int: [ValuePath.Component]],
    hiding hidden: [ValuePathPattern], types: TypeFacts
  ) -> Bool {
    if hidden.isEmpty, !types.isHiding { return false }
    var redacted = RedactedValues(hidden, types, at: place, otherNames: otherNames)
    redacted.collect(element, at: place.components, isRedacted: false)
    redacted.collect(id.base, at: place.components + [.field("id")], isRedacted: types.isHidden(element))
    if redacted.isCutShort { return true }
    if redacted.values.isEmpty { return false }
    var shown = RedactedValues([], types)
    shown.collect(id.base, at: [], isRedacted: true)
    return shown.isCutShort || !shown.values.isDisjoint(with: redacted.values)
  }

  /// Adds the hashable values that are redacted, and those inside of them.
  private mutating func collect(_ value: Any, at path: [ValuePath.Component], isRedacted: Bool) {
    if let object = Equality.identity(of: value), !objects.insert(object).inserted { return }
    visits += 1
    if visits > Self.sizeLimit || path.count > depthLimit { isCutShort = true }
    if isCutShort { return }
    let isRedacted =
      isRedacted || types.isHidden(value) || hidden.contains { $0.matches(ValuePath(path), otherNames: otherNames) }
    switch ValueShape(value, types: types) {
    case .absent: return
    case .present(let value): return collect(value, at: path, isRedacted: isRedacted)
    case .leaf: break
    case .fields(_, let parts): collect(parts, at: path, isRedacted)
    case .enumeration(let name, let parts): collect(parts, at: path + [.field(name)], isRedacted)
    case .sequence(let children):
      for (position, child) in children.prefix(Self.sizeLimit).enumerated() {
        collect(child.value, at: path + [.index(position)], isRedacted: isRedacted)
      }
    case .set(let children):
      for child in children { collect(child.value, at: path, isRedacted: isRedacted) }
    case .dictionary(let children):
      for (key, value) in ValueShape.pairs(of: children) {
        collect(key, at: path, isRedacted: isRedacted)
        collect(value, at: path + [.key(SortedKeys.name(of: key, types: types))], isRedacted: isRedacted)
      }
    }
    if isRedacted, let value = value as? AnyHashable { values.insert(value) }
  }

  private mutating func collect(_ parts: [ValueShape.Part], at path: [ValuePath.Component], _ isRedacted: Bool) {
    for part in parts {
      collect(part.value, at: path + (part.name.map { [.field($0)] } ?? []), isRedacted: isRedacted)
    }
  }
}
