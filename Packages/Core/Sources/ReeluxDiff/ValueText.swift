/// The text of a value of any type: `.toggle("metropolis-1927")`, `Movie(title: "M", year: 1931)`. It is the same in
/// every run.
///
/// The `customMirror` of a type determines its parts. A type whose mirror has neither children nor a display style is
/// shown by its `description`. Generic arguments, and labelled parts that are `nil`, are left out. Sets and
/// dictionaries are ordered by the texts of their elements or keys, after whole numbers in their order. Strings are
/// quoted, except in an `AnyHashable`, and control characters are escaped. Depth, length and the number of elements are
/// limited.
public enum ValueText {
  /// The text in place of a redacted value.
  public static let redacted = "<redacted>"

  /// Returns the text of a value.
  /// - Parameters:
  ///   - value: Any value. It is read by reflection.
  ///   - budget: The limits of the text. `…` marks omitted parts.
  ///   - hidden: The parts to redact. They are shown as ``redacted``.
  public static func describing(
    _ value: Any, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden)
    writer.write(value, depth: 0)
    return writer.finished()
  }

  /// Returns the names of nested enum cases without their payload: `favorites.toggle` for `.favorites(.toggle("x"))`.
  /// For a value that is not an enum, returns the name of its type.
  public static func caseName(of value: Any) -> String {
    caseName(of: value, types: TypeFacts())
  }

  /// The largest number of nested cases in a name.
  static let caseDepth = 8

  /// The names of nested cases, without those of redacted payloads.
  static func caseName(of value: Any, hiding hidden: [ValuePathPattern] = [], types: TypeFacts) -> String {
    func isHidden(_ value: Any, _ names: [String]) -> Bool {
      types.isHidden(value) || hidden.contains { $0.matches(ValuePath(names.map { .field($0) })) }
    }
    var names: [String] = []
    var value = value
    while names.count < caseDepth, !isHidden(value, names),
      case .enumeration(let name, let payload) = ValueShape(value, types: types)
    {
      names.append(name)
      guard payload.count == 1, payload[0].name == nil else { break }
      value = payload[0].value
    }
    return names.isEmpty ? String(describing: type(of: value)) : names.joined(separator: ".")
  }
}

/// A writer of a value's text with a limited length.
struct TextWriter {
  /// Sets and dictionaries with more elements are shown only as their count.
  private static let sortLimit = 1_000

  private let budget: InspectionBudget
  private let hidden: [ValuePathPattern]
  private let types: TypeFacts
  /// Whether values that normally show their description are shown by their parts.
  private let opensLeaves: Bool
  private var text = ""
  /// The number of characters so far. Counting them costs linear time, so each piece is counted once.
  private var length = 0
  private(set) var isFull = false
  /// The path of the current value. It is maintained only if parts are redacted.
  private var path: ValuePath
  /// The ids of elements in the path; see ``ValuePathPattern``.
  private var otherNames: [Int: [ValuePath.Component]]
  private var ancestors: [ObjectIdentifier] = []
  /// The names of the nested cases, starting at the outermost value; see ``ValueText/caseName(of:)``.
  private(set) var caseNames: [String] = []
  /// Whether ``caseNames`` can be incomplete, because the text was cut or a payload is redacted.
  private(set) var isNamingCases = true

  init(
    budget: InspectionBudget, hidden: [ValuePathPattern] = [], at path: ValuePath = .root,
    otherNames: [Int: [ValuePath.Component]] = [:], types: TypeFacts = TypeFacts(), opensLeaves: Bool = false
  ) {
    self.otherNames = otherNames
    self.opensLeaves = opensLeaves
    self.budget = budget
    self.hidden = hidden
    self.path = path
    self.types = types
  }

  func finished() -> String { isFull ? text + "…" : text }

  mutating func write(_ value: Any, depth: Int) {
    if isFull { return }
    if types.isHidden(value) { return append(ValueText.redacted) }
    if !hidden.isEmpty, hidden.contains(where: { $0.matches(path, otherNames: otherNames) }) {
      return append(ValueText.redacted)
    }
    guard depth <= budget.depth else { return append("…") }
    let fact = types.fact(of: value)
    let shape = ValueShape(value, fact, types: types)
    if isNamingCases { nameCase(shape) }
    switch shape {
    case .leaf: writeLeaf(value, depth: depth)
    case .absent: append("nil")
    case .present(let value) where isAbsent(value):
      append(".some(")
      write(value, depth: depth + 1)
      append(")")
    case .present(let value): write(value, depth: depth + 1)
    case .fields(let type, let parts): writeFields(of: value, fact, type: type, present(parts), depth: depth)
    case .enumeration(let name, let payload):
      append(".")
      append(LeafText.escaped(name))
      let payload = present(payload, of: name)
      if !payload.isEmpty {
        descend(.field(name)) { $0.list(payload, in: ("(", ")"), depth: depth) }
      }
    case .sequence(let children):
      list(children.lazy.map { ValueShape.Part(value: $0.value) }, in: ("[", "]"), depth: depth, limit: budget.elements)
    case .set(let elements) where elements.count > Self.sortLimit: append("[… \(elements.count) elements]")
    case .set(let elements): writeSorted(elements.map { ($0.value, nil) }, depth: depth)
    case .dictionary(let pairs) where pairs.count > Self.sortLimit: append("[… \(pairs.count) elements]")
    case .dictionary(let pairs):
      writeSorted(ValueShape.pairs(of: pairs).map { ($0.key, $0.value) }, isOrdered: fact.isListed, depth: depth)
    }
  }

  private mutating func writeLeaf(_ value: Any, depth: Int) {
    guard opensLeaves, case let mirror = Mirror(reflecting: value), !mirror.children.isEmpty else {
      return append(LeafText.describing(value, types, limit: budget.textLength))
    }
    append(types.fact(of: value).name)
    list(mirror.children.map { ValueShape.Part(name: $0.label, value: $0.value) }, in: ("(", ")"), depth: depth)
  }

  /// The parts without those that have a label and are `nil`. A redacted part is kept: whether it is `nil` is not
  /// shown.
  private func present(_ parts: [ValueShape.Part], of enumCase: String? = nil) -> [ValueShape.Part] {
    func isPresent(_ part: ValueShape.Part) -> Bool {
      guard let name = part.name, types.isNil(part.value), name.first?.isNumber != true else { return true }
      if hidden.isEmpty { return false }
      let place = ValuePath(path.components + [enumCase, name].compactMap { $0 }.map { .field($0) })
      return hidden.contains { $0.matches(place, otherNames: otherNames) }
    }
    return parts.allSatisfy(isPresent) ? parts : parts.filter(isPresent)
  }

  /// Whether the value is `nil`, or an optional that contains `nil`.
  private func isAbsent(_ value: Any) -> Bool {
    switch ValueShape(value, types: types) {
    case .absent: true
    case .present(let value): isAbsent(value)
    default: false
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

  private mutating func writeFields(
    of value: Any, _ fact: TypeFact, type: String?, _ parts: [ValueShape.Part], depth: Int
  ) {
    append(type ?? "")
    guard fact.canBeObject, let identity = Equality.identity(of: value) else {
      return list(parts, in: ("(", ")"), depth: depth)
    }
    guard !ancestors.contains(identity) else { return append("(↺)") }
    ancestors.append(identity)
    list(parts, in: ("(", ")"), depth: depth)
    ancestors.removeLast()
  }

  /// Writes the parts of a value or, with a limit, the elements of a sequence.
  private mutating func list(
    _ parts: some Collection<ValueShape.Part>, in brackets: (String, String), depth: Int, limit: Int? = nil
  ) {
    append(brackets.0)
    for (position, part) in parts.prefix(limit ?? .max).enumerated() where !isFull {
      if position > 0 { append(", ") }
      if let name = part.name, !Self.isNumber(name) {
        append(name)
        append(": ")
      }
      let component: ValuePath.Component? = limit == nil ? part.name.map { .field($0) } : .index(position)
      let id = limit == nil || hidden.isEmpty ? nil : ValuePath.Component.id(of: part.value)
      descend(component, otherName: id) { $0.write(part.value, depth: depth + 1) }
    }
    if let limit, parts.count > limit { append(", … \(parts.count - limit) more") }
    append(brackets.1)
  }

  /// Whether a name is the number of a part without a label.
  private static func isNumber(_ name: String) -> Bool {
    // Most names begin with a letter of ASCII. Reading their characters would take longer.
    if let first = name.utf8.first, first > UInt8(ascii: "9"), first < 0x80 { return false }
    return name.allSatisfy(\.isNumber)
  }

  /// Writes a set (its values are `nil`) or a dictionary in the order of ``SortedKeys``, or in its own order.
  private mutating func writeSorted(_ pairs: [(key: Any, value: Any?)], isOrdered: Bool = false, depth: Int) {
    let keyed = SortedKeys.sorted(
      pairs, isOrdered: isOrdered, budget: budget, hidden: hidden, path: path, types: types)
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

  private mutating func descend(
    _ component: ValuePath.Component?, otherName: ValuePath.Component? = nil, _ body: (inout TextWriter) -> Void
  ) {
    guard !hidden.isEmpty, let component else { return body(&self) }
    if let otherName { otherNames[path.components.count] = [otherName] }
    path.components.append(component)
    body(&self)
    path.components.removeLast()
    if otherName != nil { otherNames[path.components.count] = nil }
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

/// The texts of two different values. The texts differ even if the descriptions are equal.
struct TextPair {
  private(set) var old: String
  private(set) var new: String

  /// - Parameter write: Writes a value within a budget, with leaves opened or not.
  init(_ oldValue: Any, _ newValue: Any, budget: InspectionBudget, write: (Any, InspectionBudget, Bool) -> String) {
    (old, new) = (write(oldValue, budget, false), write(newValue, budget, false))
    if old != new { return }
    nameTypes(type(of: oldValue), type(of: newValue))
    if old != new { return }
    var larger = budget
    larger.textLength = 1_000_000
    larger.elements = .max
    for opensLeaves in [false, true] {
      let (wholeOld, wholeNew) = (write(oldValue, larger, opensLeaves), write(newValue, larger, opensLeaves))
      guard wholeOld == wholeNew else {
        cut(wholeOld, wholeNew, limit: budget.textLength)
        return
      }
    }
    new += " (not equal)"
  }

  /// Adds the types to the texts, with their modules if the names are equal.
  private mutating func nameTypes(_ oldType: Any.Type, _ newType: Any.Type) {
    guard oldType != newType else { return }
    var names = (String(describing: oldType), String(describing: newType))
    if names.0 == names.1 { names = (String(reflecting: oldType), String(reflecting: newType)) }
    if names.0 == names.1 { return }
    old = "\(names.0)(\(old))"
    new = "\(names.1)(\(new))"
  }

  /// Cuts two long texts around the first different character.
  private mutating func cut(_ wholeOld: String, _ wholeNew: String, limit: Int) {
    let common = zip(wholeOld, wholeNew).prefix { $0 == $1 }.count
    let start = max(0, common - limit / 2)
    func part(_ text: String) -> String {
      let rest = text.dropFirst(start)
      let shown = rest.prefix(max(limit, 1))
      return (start > 0 ? "…" : "") + shown + (shown.endIndex < rest.endIndex ? "…" : "")
    }
    (old, new) = (part(wholeOld), part(wholeNew))
  }
}

/// The texts of values without parts.
package enum LeafText {
  /// The text of a string is quoted. Any other text is the description without control characters. For data the bytes
  /// are added, and for a date the fraction of a second.
  static func describing(_ value: Any, _ types: TypeFacts, limit: Int) -> String {
    let type = type(of: value)
    // The most common types are checked first, by identity, because casts to other types are slow.
    if type == Int.self, let number = value as? Int { return String(number) }
    if type == String.self, let text = value as? String { return quoted(text, limit: limit) }
    if type == Double.self, let number = value as? Double { return "\(number)" }
    if type == Bool.self, let flag = value as? Bool { return flag ? "true" : "false" }
    if type == Substring.self, let text = value as? Substring { return quoted(text, limit: limit) }
    if type == Character.self, let character = value as? Character { return quoted(String(character), limit: limit) }
    let text = escaped(types.description(of: value))
    // The end of the text is checked before the type, because the type check needs casts and a mirror.
    if text.hasSuffix(" bytes"), let bytes = value as? any RandomAccessCollection<UInt8> {
      return "\(text)\(hexadecimal(bytes, limit: limit / 3))"
    }
    if text.hasSuffix(" +0000"), let fraction = fraction(ofDate: value) {
      return "\(text.dropLast(" +0000".count)).\(fraction) +0000"
    }
    return text
  }

  /// Up to `limit` bytes as text: `: 01 02 ff`.
  private static func hexadecimal(_ bytes: some RandomAccessCollection<UInt8>, limit: Int) -> String {
    if bytes.isEmpty { return "" }
    let shown = bytes.prefix(limit).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return ": \(shown.joined(separator: " "))\(shown.count < bytes.count ? "…" : "")"
  }

  /// The fractional digits of a date's seconds; `nil` for a whole second and for other values.
  private static func fraction(ofDate value: Any) -> Substring? {
    guard let child = Mirror(reflecting: value).children.first, child.label == "timeIntervalSinceReferenceDate",
      let seconds = child.value as? Double, seconds.magnitude < 0x1p53
    else { return nil }
    // `rounded` would need the mathematical library, which a program with this module alone does not link.
    let whole = Double(Int64(seconds))
    // Before the reference date, the description rounds down too.
    let isNegative = seconds < 0 && seconds != whole
    let digits = "\(isNegative ? seconds - (whole - 1) : seconds)".split(separator: ".").last ?? ""
    return digits == "0" || !digits.allSatisfy(\.isNumber) ? nil : digits
  }

  /// The text without quotation marks for paths. It is neither cut nor escaped.
  static func name(_ value: Any) -> String { value as? String ?? String(describing: value) }

  /// The text with control characters, line separators and most invisible characters as `\u{…}`. So a value cannot
  /// forge a line of a log or control a terminal. With `quotes`, quotation marks and backslashes are escaped too.
  package static func escaped(_ text: some StringProtocol, quotes: Bool = false) -> String {
    guard quotes || text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        result += escape(scalar)
        continue
      }
      if quotes, scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static func quoted(_ text: some StringProtocol, limit: Int) -> String {
    let head = text.prefix(limit)
    return "\"" + escaped(head, quotes: true) + (head.endIndex < text.endIndex ? "…\"" : "\"")
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7f { return scalar.value < 0x20 }
    switch scalar.value {
    case 0x7f...0x9f, 0xad, 0x061c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0x3164, 0xfeff,
      0xfff9...0xfffb:
      return true
    default: return false
    }
  }
}
