/// The text of a value of any type, the same in every run: `.toggle("metropolis-1927")`, `Movie(title: "M", year: 1931)`.
///
/// A type's `customMirror` decides which parts are shown. Sets and dictionaries are in the order of their texts, strings
/// are quoted and escaped, control characters never reach the output, and depth, length and number of elements are
/// bounded.
public enum ValueText {
  /// The text in place of a redacted value.
  public static let redacted = "<redacted>"

  /// Returns the text of a value.
  /// - Parameters:
  ///   - value: Any value; it is read by reflection.
  ///   - budget: Where to stop; what is left out is shown as `…`.
  ///   - hidden: Parts to redact; they are shown as ``redacted``.
  public static func describing(
    _ value: Any, budget: InspectionBudget = .standard, hiding hidden: [ValuePathPattern] = []
  ) -> String {
    var writer = TextWriter(budget: budget, hidden: hidden)
    writer.write(value, depth: 0)
    return writer.finished()
  }

  /// Returns the names of nested enum cases without their payload: `favorites.toggle` for `.favorites(.toggle("x"))`, and
  /// the type's name for what is no enum.
  public static func caseName(of value: Any) -> String {
    caseName(of: value, types: TypeFacts())
  }

  /// How many nested cases a name has at most.
  static let caseDepth = 8

  static func caseName(of value: Any, types: TypeFacts) -> String {
    var names: [String] = []
    var value = value
    while names.count < caseDepth, case .enumeration(let name, let payload) = ValueShape(value, types: types) {
      names.append(name)
      guard payload.count == 1, payload[0].name == nil else { break }
      value = payload[0].value
    }
    return names.isEmpty ? String(describing: type(of: value)) : names.joined(separator: ".")
  }
}

/// Writes the text of a value into a bounded string.
struct TextWriter {
  /// Sets and dictionaries with more elements are shown by their number.
  private static let sortLimit = 1_000

  private let budget: InspectionBudget
  private let hidden: [ValuePathPattern]
  private let types: TypeFacts
  /// Whether values that are otherwise shown by their description are shown by their parts.
  private let opensLeaves: Bool
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
    types: TypeFacts = TypeFacts(), opensLeaves: Bool = false
  ) {
    self.opensLeaves = opensLeaves
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
    case .leaf: writeLeaf(value, depth: depth)
    case .absent: append("nil")
    case .present(let value) where isAbsent(value):
      append(".some(")
      write(value, depth: depth + 1)
      append(")")
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

  private mutating func writeLeaf(_ value: Any, depth: Int) {
    let mirror = Mirror(reflecting: value)
    guard opensLeaves, !mirror.children.isEmpty else {
      return append(LeafText.describing(value, limit: budget.textLength))
    }
    append(types.name(of: type(of: value)))
    list(mirror.children.map { ($0.label, $0.value) }, in: ("(", ")"), depth: depth)
  }

  /// Whether the value is `nil`, or an optional around it.
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

/// The texts of two values that differ; they differ too, however alike the descriptions are.
struct TextPair {
  private(set) var old: String
  private(set) var new: String

  /// - Parameter write: Writes a value within a budget, and with leaves opened or not.
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

  /// Puts the types before the texts, with their modules if their names are the same.
  private mutating func nameTypes(_ oldType: Any.Type, _ newType: Any.Type) {
    guard oldType != newType else { return }
    var names = (String(describing: oldType), String(describing: newType))
    if names.0 == names.1 { names = (String(reflecting: oldType), String(reflecting: newType)) }
    if names.0 == names.1 { return }
    old = "\(names.0)(\(old))"
    new = "\(names.1)(\(new))"
  }

  /// Takes the parts of two long texts around the first character that differs.
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

/// Elements of a set, or pairs of a dictionary, in an order that does not depend on hashing.
struct SortedKeys {
  /// The key as it is shown.
  var text: String
  /// The key as it stands in a path.
  var name: String
  var key: Any
  /// The value; `nil` for an element of a set.
  var value: Any?

  /// Sorts by the keys' texts; whole numbers by their value.
  static func sorted(
    _ pairs: [(key: Any, value: Any?)], budget: InspectionBudget, hidden: [ValuePathPattern], path: ValuePath,
    types: TypeFacts
  ) -> [SortedKeys] {
    let keyed = pairs.map { pair in
      var writer = TextWriter(budget: budget, hidden: hidden, at: path, types: types)
      writer.write(pair.key, depth: 0)
      let text = writer.finished()
      let name = pair.key is String ? LeafText.name(pair.key, limit: 80) : text
      return (entry: SortedKeys(text: text, name: name, key: pair.key, value: pair.value), number: Int(text))
    }
    return keyed.sorted { left, right in
      if let first = left.number, let second = right.number { return first < second }
      return left.entry.text < right.entry.text
    }.map(\.entry)
  }
}

/// Texts of values without parts.
enum LeafText {
  /// The text of a string in quotation marks; of anything else its description without control characters, completed by
  /// the bytes of data and the fraction of a second of a date.
  static func describing(_ value: Any, limit: Int) -> String {
    let type = type(of: value)
    // The commonest types first, by identity: casts to other types are slow.
    if type == Int.self, let number = value as? Int { return String(number) }
    if type == String.self, let text = value as? String { return quoted(text, limit: limit) }
    if type == Double.self, let number = value as? Double { return "\(number)" }
    if type == Bool.self, let flag = value as? Bool { return flag ? "true" : "false" }
    if type == Substring.self, let text = value as? Substring { return quoted(text, limit: limit) }
    if type == Character.self, let character = value as? Character { return quoted(String(character), limit: limit) }
    let text = escaped(String(describing: value))
    // The rest is asked by the end of the text first, since it costs casts and a mirror.
    if text.hasSuffix(" bytes"), let bytes = value as? any RandomAccessCollection<UInt8> {
      return "\(text)\(hexadecimal(bytes, limit: limit / 3))"
    }
    if text.hasSuffix(" +0000"), let fraction = fraction(ofDate: value) {
      return "\(text.dropLast(" +0000".count)).\(fraction) +0000"
    }
    return text
  }

  /// Up to `limit` bytes: `: 01 02 ff`.
  private static func hexadecimal(_ bytes: some RandomAccessCollection<UInt8>, limit: Int) -> String {
    if bytes.isEmpty { return "" }
    let shown = bytes.prefix(limit).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return ": \(shown.joined(separator: " "))\(shown.count < bytes.count ? "…" : "")"
  }

  /// The digits after the point of a date's seconds; `nil` for a whole second and for other values.
  private static func fraction(ofDate value: Any) -> Substring? {
    guard let child = Mirror(reflecting: value).children.first, child.label == "timeIntervalSinceReferenceDate",
      let seconds = child.value as? Double, seconds.isFinite
    else { return nil }
    // Before the reference date the description rounds down as well.
    let isNegative = seconds < 0 && seconds != seconds.rounded(.down)
    let digits = "\(isNegative ? seconds - seconds.rounded(.down) : seconds)".split(separator: ".").last ?? ""
    return digits == "0" || !digits.allSatisfy(\.isNumber) ? nil : digits
  }

  /// The text without quotation marks, for paths.
  static func name(_ value: Any, limit: Int) -> String {
    let text = value as? String ?? String(describing: value)
    let escapedText = escaped(String(text.prefix(limit)))
    return text.count > limit ? escapedText + "…" : escapedText
  }

  /// The text with control characters, line separators and invisible marks as `\u{…}`: a value cannot forge a
  /// line of a log or steer a terminal.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnsafe(scalar) {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func quoted(_ text: some StringProtocol, limit: Int) -> String {
    let head = text.prefix(limit)
    var result = "\""
    for scalar in head.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        result += "\\"
        result.unicodeScalars.append(scalar)
      } else if isUnsafe(scalar) {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return head.endIndex < text.endIndex ? result + "…\"" : result + "\""
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
    case 0x7f...0x9f, 0xad, 0x061c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060, 0x2066...0x2069, 0xfeff:
      return true
    default: return false
    }
  }
}
