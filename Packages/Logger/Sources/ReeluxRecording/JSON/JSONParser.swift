/// A parser of JSON.
///
/// Numbers keep their text, and errors state the position. `JSONDecoder` and `JSONSerialization` do neither. A patch
/// applied to a state would otherwise round its decimal numbers.
struct JSONParser {
  /// An error in the text and its position in bytes.
  struct Problem: Error {
    var reason: String
    var offset: Int
  }

  /// The largest number of arrays and objects inside each other.
  static let deepest = 512

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  private var nodes: [ParsedJSON.Node] = []

  /// Returns the value. Only white space may precede and follow it.
  static func parse(_ text: some Sequence<UInt8>) throws -> ParsedJSON.Value {
    var parser = JSONParser(bytes: Array(text))
    try parser.value(in: -1)
    parser.skipSpace()
    guard parser.position == parser.bytes.count else { throw parser.problem("more text follows the end of the JSON") }
    return ParsedJSON(bytes: parser.bytes, nodes: parser.nodes).root
  }

  /// The text that these bytes with escapes stand for.
  static func unescaped(_ bytes: ArraySlice<UInt8>) throws -> String {
    var parser = JSONParser(bytes: Array(bytes))
    return try parser.unescaped()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    nodes.reserveCapacity(bytes.count / 12)
  }

  private func problem(_ reason: String) -> Problem { Problem(reason: reason, offset: position) }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }

  private mutating func value(in parent: Int) throws {
    skipSpace()
    guard position < bytes.count else { throw problem("the JSON ends too early") }
    let number = nodes.count
    nodes.append(ParsedJSON.Node(kind: .null, begin: position, parent: parent))
    switch bytes[position] {
    case 0x7b: try object(number)
    case 0x5b: try array(number)
    case 0x22:
      let text = try string()
      nodes[number].kind = text.isEscaped ? .escapedString : .string
      nodes[number].begin = text.begin
      nodes[number].end = text.end
      nodes[number].next = nodes.count
      return
    case 0x74: try word("true", .yes, number)
    case 0x66: try word("false", .no, number)
    case 0x6e: try word("null", .null, number)
    case 0x2d, 0x30...0x39: try readNumber(number)
    default: throw problem("a value is missing")
    }
    nodes[number].end = position
    nodes[number].next = nodes.count
  }

  private mutating func word(_ text: String, _ kind: ParsedJSON.Kind, _ number: Int) throws {
    guard bytes[position...].starts(with: text.utf8) else { throw problem("a value is missing") }
    position += text.utf8.count
    nodes[number].kind = kind
  }

  private mutating func readNumber(_ number: Int) throws {
    nodes[number].kind = .number
    skip { $0 == 0x2d }
    if !skip({ $0 == 0x30 }) { try digits() }
    if skip({ $0 == 0x2e }) { try digits() }
    if skip({ $0 == 0x45 || $0 == 0x65 }) {
      skip { $0 == 0x2b || $0 == 0x2d }
      try digits()
    }
  }

  private mutating func digits() throws {
    guard skip(Self.isDigit) else { throw problem("a digit of a number is missing") }
    while skip(Self.isDigit) {}
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Skips the next byte if it matches. Returns whether it does.
  @discardableResult private mutating func skip(_ matches: (UInt8) -> Bool) -> Bool {
    guard position < bytes.count, matches(bytes[position]) else { return false }
    position += 1
    return true
  }

  private mutating func enter() throws {
    position += 1
    depth += 1
    if depth > Self.deepest { throw problem("the JSON is nested more than \(Self.deepest) levels deep") }
  }

  private mutating func array(_ number: Int) throws {
    try enter()
    defer { depth -= 1 }
    nodes[number].kind = .array
    skipSpace()
    if take(0x5d) { return }
    while true {
      let (element, position) = (nodes.count, nodes[number].count)
      try value(in: number)
      (nodes[element].nameBegin, nodes[element].nameEnd) = (position, position)
      nodes[number].count += 1
      skipSpace()
      if take(0x5d) { return }
      guard take(0x2c) else { throw problem("a list lacks a comma or ']'") }
    }
  }

  private mutating func object(_ number: Int) throws {
    try enter()
    defer { depth -= 1 }
    nodes[number].kind = .object
    skipSpace()
    if take(0x7d) { return }
    while true {
      skipSpace()
      guard position < bytes.count, bytes[position] == 0x22 else { throw problem("a name is missing") }
      let name = try string()
      skipSpace()
      guard take(0x3a) else { throw problem("a colon is missing after a name") }
      let member = nodes.count
      try value(in: number)
      nodes[member].nameBegin = name.begin
      nodes[member].nameEnd = name.end
      nodes[member].hasEscapedName = name.isEscaped
      nodes[number].count += 1
      skipSpace()
      if take(0x7d) { return }
      guard take(0x2c) else { throw problem("an object lacks a comma or '}'") }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  // MARK: Texts

  /// The bytes of a text without its quotation marks.
  private mutating func string() throws -> (begin: Int, end: Int, isEscaped: Bool) {
    position += 1
    let begin = position
    var isPlain = true
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        if !isPlain, String(validating: bytes[begin..<position], as: UTF8.self) == nil {
          position += 1
          throw problem("a string is not UTF-8")
        }
        position += 1
        return (begin, position - 1, false)
      case 0x5c: return try escapedString(from: begin)
      case 0x00..<0x20: throw problem("a string contains a control character")
      case 0x80...0xff:
        isPlain = false
        position += 1
      default: position += 1
      }
    }
    throw problem("a string has no closing quote")
  }

  private mutating func escapedString(from begin: Int) throws -> (begin: Int, end: Int, isEscaped: Bool) {
    position = begin
    _ = try unescaped()
    guard take(0x22) else { throw problem("a string has no closing quote") }
    return (begin, position - 1, true)
  }

  /// The text from here up to a quotation mark, or to the end.
  private mutating func unescaped() throws -> String {
    var text: [UInt8] = []
    while position < bytes.count, bytes[position] != 0x22 {
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x5c: try escape(into: &text)
      case 0x00..<0x20: throw problem("a string contains a control character")
      default: text.append(byte)
      }
    }
    guard let text = String(validating: text, as: UTF8.self) else { throw problem("a string is not UTF-8") }
    return text
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    guard position < bytes.count else { throw problem("a string has no closing quote") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case 0x22, 0x5c, 0x2f: text.append(byte)
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0c)
    case 0x6e: text.append(0x0a)
    case 0x72: text.append(0x0d)
    case 0x74: text.append(0x09)
    case 0x75:
      var code = try hexadecimal()
      if (0xd800..<0xdc00).contains(code), position + 1 < bytes.count, bytes[position] == 0x5c,
        bytes[position + 1] == 0x75
      {
        position += 2
        let low = try hexadecimal()
        guard (0xdc00..<0xe000).contains(low) else { throw problem("a string contains half of a \\u pair") }
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw problem("a string contains half of a \\u pair") }
      text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    default: throw problem("a string contains an unknown escape")
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    // `UInt32` accepts a sign, whose byte is less than those of all digits.
    guard position + 4 <= bytes.count, bytes[position] >= 0x30,
      let code = UInt32(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
    else { throw problem("a \\u escape has fewer than four digits") }
    position += 4
    return code
  }
}
