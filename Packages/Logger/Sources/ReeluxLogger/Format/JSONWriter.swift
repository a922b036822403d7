/// A writer of JSON without spaces. It adds the commas: one before each value or name that follows another one.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///   $0.member("id", "metropolis-1927")
///   $0.member("years", array: [1927, 2010]) { $0.number($1) }
/// }
/// ```
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8]
  private let isForPage: Bool

  /// - Parameters:
  ///   - bytes: The bytes before the first value.
  ///   - capacity: The number of bytes to reserve memory for.
  ///   - isForPage: Whether `<`, `>` and `&` are escaped too, so that the text can be part of a web page.
  package init(after bytes: [UInt8] = [], capacity: Int = 0, isForPage: Bool = true) {
    self.bytes = bytes
    self.bytes.reserveCapacity(capacity)
    self.isForPage = isForPage
  }

  /// The text written so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the bytes written so far and removes them from the writer.
  package mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  // MARK: Structure

  /// Writes an object. The closure writes the members.
  package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
    beginObject()
    try members(&self)
    bytes.append(0x7d)
  }

  /// Begins an object. The caller writes its end.
  package mutating func beginObject() {
    separate()
    bytes.append(0x7b)
  }

  /// Writes an array. The closure writes one element.
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ element: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    separate()
    bytes.append(0x5b)
    for value in elements { try element(&self, value) }
    bytes.append(0x5d)
  }

  /// Writes the name of a member. Its value follows.
  package mutating func name(_ name: String) {
    string(name)
    bytes.append(0x3a)
  }

  /// Writes a comma, unless nothing was written yet, or the last byte begins an object or an array, ends a name, or is
  /// a comma.
  private mutating func separate() {
    switch bytes.last {
    case nil, 0x5b, 0x7b, 0x3a, 0x2c: break
    default: bytes.append(0x2c)
    }
  }

  // MARK: Values

  /// Writes text that is already JSON.
  package mutating func verbatim(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  package mutating func null() { verbatim("null".utf8) }

  package mutating func flag(_ flag: Bool) { verbatim((flag ? "true" : "false").utf8) }

  package mutating func number(_ number: Int) { verbatim(String(number).utf8) }

  /// Writes a string. Control characters, line separators and direction marks are escaped, so that a terminal does not
  /// interpret them.
  ///
  /// This is correct, because the bytes of the text are used only while `withUTF8` runs, and each index is less than
  /// their count.
  package mutating func string(_ text: String) {
    separate()
    bytes.append(0x22)
    var text = text
    text.withUTF8 { utf8 in
      if unsafe !utf8.contains(where: Self.isSpecial) {
        unsafe bytes.append(contentsOf: utf8)
        return
      }
      var plain = 0
      for unsafe(position, byte) in unsafe utf8.enumerated() {
        guard let escape = unsafe Self.escape(byte, utf8, position, isForPage) else { continue }
        unsafe bytes.append(contentsOf: utf8[plain..<position])
        bytes.append(contentsOf: escape.text.utf8)
        plain = position + escape.length
      }
      if plain < utf8.count { unsafe bytes.append(contentsOf: utf8[plain...]) }
    }
    bytes.append(0x22)
  }

  /// Whether the byte is escaped, or may begin a sequence that is.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00..<0x20, 0x22, 0x26, 0x3c, 0x3e, 0x5c, 0x7f, 0xc2, 0xd8, 0xe2: true
    default: false
    }
  }

  private static func escape(
    _ byte: UInt8, _ utf8: UnsafeBufferPointer<UInt8>, _ position: Int, _ isForPage: Bool
  ) -> (text: String, length: Int)? {
    switch byte {
    case 0x22: return ("\\\"", 1)
    case 0x5c: return ("\\\\", 1)
    case 0x0a: return ("\\n", 1)
    case 0x0d: return ("\\r", 1)
    case 0x09: return ("\\t", 1)
    case 0x3c where !isForPage, 0x3e where !isForPage, 0x26 where !isForPage: return nil
    case 0x00..<0x20, 0x7f, 0x3c, 0x3e, 0x26:
      let digits = String(byte, radix: 16)
      return ("\\u00" + (digits.count < 2 ? "0" : "") + digits, 1)
    case 0xc2 where unsafe position + 1 < utf8.count && (0x80...0x9f).contains(utf8[position + 1]):
      return unsafe ("\\u00" + String(utf8[position + 1], radix: 16), 2)
    // Marks that change the direction of the following text, and separators of lines.
    case 0xd8 where unsafe position + 1 < utf8.count && utf8[position + 1] == 0x9c: return ("\\u061c", 2)
    case 0xe2 where position + 2 < utf8.count:
      let scalar = unsafe 0x2000 | UInt32(utf8[position + 1] & 0x3f) << 6 | UInt32(utf8[position + 2] & 0x3f)
      switch scalar {
      case 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: return ("\\u" + String(scalar, radix: 16), 3)
      default: return nil
      }
    default: return nil
    }
  }
}

// Members of an object: a name and a value. The name is a literal that needs no escapes.
extension JSONWriter {
  private mutating func name(literal name: StaticString) {
    separate()
    bytes.append(0x22)
    name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    bytes.append(0x22)
    bytes.append(0x3a)
  }

  package mutating func member(_ name: StaticString, _ text: String) {
    self.name(literal: name)
    string(text)
  }

  package mutating func member(_ name: StaticString, _ number: Int) {
    self.name(literal: name)
    self.number(number)
  }

  package mutating func member(_ name: StaticString, _ flag: Bool) {
    self.name(literal: name)
    self.flag(flag)
  }

  package mutating func member(_ name: StaticString, json: [UInt8]) {
    self.name(literal: name)
    verbatim(json)
  }

  package mutating func member(_ name: StaticString, object members: (inout JSONWriter) throws -> Void) rethrows {
    self.name(literal: name)
    try object(members)
  }

  package mutating func member<Element>(
    _ name: StaticString, array elements: some Sequence<Element>, _ element: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    self.name(literal: name)
    try array(elements, element)
  }
}
