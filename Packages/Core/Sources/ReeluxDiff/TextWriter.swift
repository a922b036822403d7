/// Writes the text of a value into a bounded string.
struct TextWriter {
  /// Sets and dictionaries with more elements are told by their number.
  private static let sortLimit = 1_000

  private let budget: InspectionBudget
  private let hidden: [ValuePathPattern]
  private let types: TypeFacts
  private var text = ""
  /// Characters written so far: counting a string's characters is linear, so it is done once a piece.
  private var length = 0
  private var isFull = false
  /// The place of the value being written; kept only if something is hidden.
  private var path: ValuePath
  private var ancestors: [ObjectIdentifier] = []
  /// The names of the nested cases from the outermost value on; see ``ValueText/caseName(of:)``.
  private(set) var caseNames: [String] = []
  private var isNamingCases = true

  init(
    budget: InspectionBudget, hidden: [ValuePathPattern] = [], at path: ValuePath = .root,
    types: TypeFacts = TypeFacts()
  ) {
    self.budget = budget
    self.hidden = hidden
    self.path = path
    self.types = types
  }

  func finished() -> String { isFull ? text + "…" : text }

  mutating func write(_ value: Any, depth: Int) {
    if isFull { return }
    if !hidden.isEmpty, hidden.contains(where: { $0.matches(path) }) { return append(ValueText.redacted) }
    guard depth <= budget.depth else { return append("…") }
    let shape = ValueShape(value, types: types)
    if isNamingCases { nameCase(shape) }
    switch shape {
    case .leaf: append(LeafText.describing(value, limit: budget.textLength))
    case .absent: append("nil")
    case .present(let value): write(value, depth: depth + 1)
    case .fields(let type, let parts): writeFields(of: value, type: type, parts, depth: depth)
    case .enumeration(let name, let payload):
      append(".\(LeafText.escaped(name))")
      if !payload.isEmpty {
        descend(.field(name)) { $0.list(payload, in: ("(", ")"), depth: depth) }
      }
    case .sequence(let children):
      list(children.lazy.map { (nil, $0.value) }, in: ("[", "]"), depth: depth, limit: budget.elements)
    case .set(let elements) where elements.count > Self.sortLimit: append("[… \(elements.count) elements]")
    case .set(let elements): writeSorted(elements.map { ($0.value, nil) }, depth: depth)
    case .dictionary(let pairs) where pairs.count > Self.sortLimit: append("[… \(pairs.count) elements]")
    case .dictionary(let pairs): writeSorted(ValueShape.pairs(of: pairs).map { ($0.key, $0.value) }, depth: depth)
    }
  }

  private mutating func nameCase(_ shape: ValueShape) {
    guard case .enumeration(let name, let payload) = shape, caseNames.count < ValueText.caseDepth else {
      isNamingCases = false
      return
    }
    caseNames.append(name)
    if payload.count != 1 || payload[0].name != nil { isNamingCases = false }
  }

  private mutating func writeFields(of value: Any, type: String?, _ parts: [ValueShape.Part], depth: Int) {
    append(type ?? "")
    guard Swift.type(of: value) is AnyClass else { return list(parts, in: ("(", ")"), depth: depth) }
    let identity = ObjectIdentifier(value as AnyObject)
    guard !ancestors.contains(identity) else { return append("(↺)") }
    ancestors.append(identity)
    list(parts, in: ("(", ")"), depth: depth)
    ancestors.removeLast()
  }

  private mutating func list(
    _ parts: some Collection<ValueShape.Part>, in brackets: (String, String), depth: Int, limit: Int = .max
  ) {
    append(brackets.0)
    for (position, part) in parts.prefix(limit).enumerated() where !isFull {
      if position > 0 { append(", ") }
      let isNumber = part.name.map { $0.allSatisfy(\.isNumber) } ?? true
      if let name = part.name, !isNumber { append("\(name): ") }
      let component: ValuePath.Component? = limit < .max ? .index(position) : part.name.map { .field($0) }
      descend(component) { $0.write(part.value, depth: depth + 1) }
    }
    if parts.count > limit { append(", … \(parts.count - limit) more") }
    append(brackets.1)
  }

  /// Writes a set (values are `nil`) or a dictionary in the order of the keys' texts.
  private mutating func writeSorted(_ pairs: [(key: Any, value: Any?)], depth: Int) {
    let keyed = SortedKeys.sorted(pairs, budget: budget, hidden: hidden, path: path, types: types)
    append("[")
    for (position, pair) in keyed.prefix(budget.elements).enumerated() where !isFull {
      if position > 0 { append(", ") }
      append(pair.text)
      guard let value = pair.value else { continue }
      append(": ")
      descend(.key(pair.name)) { $0.write(value, depth: depth + 1) }
    }
    if pairs.count > budget.elements { append(", … \(pairs.count - budget.elements) more") }
    append("]")
  }

  private mutating func descend(_ component: ValuePath.Component?, _ body: (inout TextWriter) -> Void) {
    guard !hidden.isEmpty, let component else { return body(&self) }
    path.components.append(component)
    body(&self)
    path.components.removeLast()
  }

  private mutating func append(_ piece: String) {
    if isFull { return }
    let room = budget.textLength - length
    if piece.utf8.count > room, piece.count > room {
      text += piece.prefix(room)
      isFull = true
    } else {
      text += piece
      length += piece.count
    }
  }
}
