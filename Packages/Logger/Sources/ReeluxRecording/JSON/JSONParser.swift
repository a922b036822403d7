/// Reads JSON from bytes, into values without a digest: they are decoded, not compared.
///
/// Numbers keep their text and errors say at which byte they are. `JSONDecoder` and `JSONSerialization` offer neither: a patch
/// that is applied to a state would round its decimal numbers.
struct JSONParser {
  /// What is wrong with a text that is not JSON, and at which byte.
  struct Problem: Error {
    var reason: String
    var offset: Int
  }

  private static let deepest = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  /// Returns the value; nothing but white space may stand around it.
  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws -> JSONTree {
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value()
    parser.skipSpace()
    guard parser.position == bytes.count else { throw parser.problem("there is more after its end") }
    return value
  }

  static func parse(_ text: some Collection<UInt8>) throws -> JSONTree {
    try Array(text).withUnsafeBufferPointer { try parse($0) }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private func problem(_ reason: String) -> Problem { Problem(reason: reason, offset: position) }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0a, 0x0d: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws -> JSONTree {
    skipSpace()
    guard position < bytes.count else { throw problem("it ends in the middle") }
    switch bytes[position] {
    case 0x7b: return try object()
    case 0x5b: return try array()
    case 0x22: return JSONTree(read: .string(try string()))
    case 0x74: return try word("true", .yes)
    case 0x66: return try word("false", .no)
    case 0x6e: return try word("null", .null)
    case 0x2d, 0x30...0x39: return try number()
    default: throw problem("there is no value")
    }
  }

  private mutating func word(_ text: StaticString, _ value: JSONTree) throws -> JSONTree {
    guard position + text.utf8CodeUnitCount <= bytes.count,
      text.withUTF8Buffer({ $0.elementsEqual(bytes[position..<(position + text.utf8CodeUnitCount)]) })
    else { throw problem("there is no value") }
    position += text.utf8CodeUnitCount
    return value
  }

  private mutating func number() throws -> JSONTree {
    let begin = position
    var hasDigit = false
    while position < bytes.count {
      switch bytes[position] {
      case 0x30...0x39: hasDigit = true
      case 0x2b, 0x2d, 0x2e, 0x45, 0x65: break
      default:
        guard hasDigit else { throw problem("there is no number") }
        return JSONTree(read: .number(String(decoding: bytes[begin..<position], as: UTF8.self)))
      }
      position += 1
    }
    guard hasDigit else { throw problem("there is no number") }
    return JSONTree(read: .number(String(decoding: bytes[begin..<position], as: UTF8.self)))
  }

  private mutating func enter() throws {
    position += 1
    depth += 1
    if depth > Self.deepest { throw problem("it is nested more than \(Self.deepest) levels deep") }
  }

  private mutating func array() throws -> JSONTree {
    try enter()
    defer { depth -= 1 }
    var elements: [JSONTree] = []
    skipSpace()
    if take(0x5d) { return JSONTree(read: .array([])) }
    while true {
      elements.append(try value())
      skipSpace()
      if take(0x5d) { return JSONTree(read: .array(elements)) }
      guard take(0x2c) else { throw problem("a list has no comma or end") }
    }
  }

  private mutating func object() throws -> JSONTree {
    try enter()
    defer { depth -= 1 }
    var members: [JSONTree.Member] = []
    skipSpace()
    if take(0x7d) { return JSONTree(read: .object([])) }
    while true {
      skipSpace()
      guard position < bytes.count, bytes[position] == 0x22 else { throw problem("a name is missing") }
      let name = try string()
      skipSpace()
      guard take(0x3a) else { throw problem("a name has no colon") }
      members.append(JSONTree.Member(name: name, value: try value()))
      skipSpace()
      if take(0x7d) { return JSONTree(read: .object(members)) }
      guard take(0x2c) else { throw problem("an object has no comma or end") }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func string() throws -> String {
    position += 1
    let begin = position
    while position < bytes.count {
      switch bytes[position] {
      case 0x22:
        position += 1
        guard let text = String(validating: bytes[begin..<(position - 1)], as: UTF8.self) else {
          throw problem("a text is not UTF-8")
        }
        return text
      case 0x5c: return try escapedString(from: begin)
      case 0x00..<0x20: throw problem("a text holds a control character")
      default: position += 1
      }
    }
    throw problem("a text does not end")
  }

  private mutating func escapedString(from begin: Int) throws -> String {
    var text = Array(bytes[begin..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x22:
        guard let text = String(validating: text, as: UTF8.self) else { throw problem("a text is not UTF-8") }
        return text
      case 0x5c: try escape(into: &text)
      case 0x00..<0x20: throw problem("a text holds a control character")
      default: text.append(byte)
      }
    }
    throw problem("a text does not end")
  }

  private mutating func escape(into text: inout [UInt8]) throws {
    guard position < bytes.count else { throw problem("a text does not end") }
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
        guard (0xdc00..<0xe000).contains(low) else { throw problem("a text has half a character") }
        code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw problem("a text has half a character") }
      text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    default: throw problem("a text has an unknown escape")
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    guard position + 4 <= bytes.count,
      let code = UInt32(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
    else { throw problem("an escape has no four digits") }
    position += 4
    return code
  }
}
