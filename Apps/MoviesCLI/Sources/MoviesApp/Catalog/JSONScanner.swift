/// A strict JSON reader (RFC 8259) that knows the line of every value.
struct JSONScanner {
  /// How deep values may be nested.
  static let maximumDepth = 64

  private let bytes: [UInt8]
  private var position = 0
  private(set) var line = 1

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The next byte that is no blank; `nil` at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case 0x0A: line += 1
      case 0x20, 0x09, 0x0D: break
      default: return bytes[position]
      }
      position += 1
    }
    return nil
  }

  /// Takes this punctuation, or says what stands in its place.
  mutating func expect(_ character: Character) throws(CatalogFault) {
    guard let next = peek(), next == character.asciiValue else { throw unexpected("'\(character)'") }
    position += 1
  }

  /// Takes this punctuation if it comes next.
  mutating func take(_ character: Character) -> Bool {
    guard let next = peek(), next == character.asciiValue else { return false }
    position += 1
    return true
  }

  /// Reads any value.
  mutating func value(depth: Int = 0) throws(CatalogFault) -> JSONNode {
    guard depth < Self.maximumDepth else {
      throw CatalogFault(line: line, reason: "values are nested deeper than \(Self.maximumDepth)")
    }
    guard let next = peek() else { throw unexpected("a value") }
    let start = line
    switch next {
    case UInt8(ascii: "{"): return JSONNode(line: start, value: try object(depth: depth))
    case UInt8(ascii: "["): return JSONNode(line: start, value: try array(depth: depth))
    case UInt8(ascii: "\""): return JSONNode(line: start, value: .string(try string()))
    case UInt8(ascii: "t"): return JSONNode(line: start, value: try literal("true", .bool(true)))
    case UInt8(ascii: "f"): return JSONNode(line: start, value: try literal("false", .bool(false)))
    case UInt8(ascii: "n"): return JSONNode(line: start, value: try literal("null", .null))
    case UInt8(ascii: "-"), 0x30...0x39: return JSONNode(line: start, value: .number(try number()))
    default: throw unexpected("a value")
    }
  }

  /// Reads a string.
  mutating func string() throws(CatalogFault) -> String {
    try expect("\"")
    let start = line
    var text: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw CatalogFault(line: start, reason: "the text is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw CatalogFault(line: start, reason: "a string holds a control character or is never closed")
      default: text.append(byte)
      }
    }
    throw CatalogFault(line: start, reason: "the string is never closed: the file is cut off")
  }

  /// What stands at the current place instead of what was expected.
  mutating func unexpected(_ wanted: String) -> CatalogFault {
    guard let next = peek() else {
      return CatalogFault(line: line, reason: "expected \(wanted), found the end of the file")
    }
    let found = (0x21...0x7E).contains(next) ? "'\(Character(UnicodeScalar(next)))'" : "byte \(next)"
    return CatalogFault(line: line, reason: "expected \(wanted), found \(found)")
  }

  private mutating func object(depth: Int) throws(CatalogFault) -> JSONNode.Value {
    try expect("{")
    var members: [(key: String, value: JSONNode)] = []
    if take("}") { return .object(members) }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
      let key = try string()
      try expect(":")
      members.append((key, try value(depth: depth + 1)))
    } while take(",")
    try expect("}")
    return .object(members)
  }

  private mutating func array(depth: Int) throws(CatalogFault) -> JSONNode.Value {
    try expect("[")
    var elements: [JSONNode] = []
    if take("]") { return .array(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while take(",")
    try expect("]")
    return .array(elements)
  }

  private mutating func literal(_ word: String, _ value: JSONNode.Value) throws(CatalogFault) -> JSONNode.Value {
    guard bytes[position...].starts(with: word.utf8) else { throw unexpected("a value") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(CatalogFault) -> String {
    let start = position
    let allowed = Set("0123456789+-.eE".utf8)
    while position < bytes.count, allowed.contains(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard Double(text) != nil else { throw CatalogFault(line: line, reason: "'\(text)' is not a number") }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws(CatalogFault) {
    guard position < bytes.count else { throw unexpected("an escape") }
    let byte = bytes[position]
    position += 1
    let simple: [UInt8: UInt8] = [
      0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]
    if let character = simple[byte] {
      text.append(character)
      return
    }
    guard byte == UInt8(ascii: "u") else {
      throw CatalogFault(line: line, reason: "a backslash begins no known escape")
    }
    var unit = try hexadecimal()
    if (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { throw loneSurrogate }
      unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw loneSurrogate }
    text.append(contentsOf: String(Character(scalar)).utf8)
  }

  private var loneSurrogate: CatalogFault {
    CatalogFault(line: line, reason: "an escape names half a surrogate pair")
  }

  private mutating func hexadecimal() throws(CatalogFault) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw CatalogFault(line: line, reason: "\\u wants four hexadecimal digits") }
    position += 4
    return number
  }
}
