/// Writes JSON without spaces. It sets the commas itself: one goes before each value or name that follows another one.
///
/// ```swift
/// var json = JSONWriter()
/// json.object {
///   $0.member("id", "metropolis-1927")
///   $0.member("years", array: [1927, 2010]) { $0.number($1) }
/// }
/// ```
package struct JSONWriter {
  /// What is written so far.
  package private(set) var bytes: [UInt8]
  private let isForPage: Bool

  /// - Parameters:
  ///   - bytes: What stands before the first value.
  ///   - isForPage: Whether `<`, `>` and `&` are escaped too, so that the text can stand inside a web page.
  package init(after bytes: [UInt8] = [], isForPage: Bool = true) {
    self.bytes = bytes
    self.isForPage = isForPage
  }

  /// What is written so far, as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Takes out what is written so far; the writer is empty then.
  package mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  // MARK: Structure

  /// Writes an object; the closure writes its members.
  package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
    beginObject()
    try members(&self)
    bytes.append(0x7d)
  }

  /// Begins an object that the caller ends.
  package mutating func beginObject() {
    separate()
    bytes.append(0x7b)
  }

  /// Writes a list; the closure writes one element.
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ element: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    separate()
    bytes.append(0x5b)
    for value in elements { try element(&self, value) }
    bytes.append(0x5d)
  }

  /// Writes the name of the member whose value comes next.
  package mutating func name(_ name: String) {
    string(name)
    bytes.append(0x3a)
  }

  /// A comma, unless something was just opened.
  private mutating func separate() {
    switch bytes.last {
    case nil, 0x5b, 0x7b, 0x3a, 0x2c: break
    default: bytes.append(0x2c)
    }
  }

  // MARK: Values

  /// Writes what is JSON already: a number's text, a word, or a value that was written before.
  package mutating func verbatim(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  package mutating func null() { verbatim("null".utf8) }

  package mutating func flag(_ flag: Bool) { verbatim((flag ? "true" : "false").utf8) }

  package mutating func number(_ number: Int) { verbatim(String(number).utf8) }

  /// Writes a string. Control characters and the line separators of JavaScript are escaped, so that a terminal shows them and
  /// does not obey.
  package mutating func string(_ text: String) {
    separate()
    bytes.append(0x22)
    var text = text
    text.withUTF8 { utf8 in
      if !utf8.contains(where: Self.isSpecial) {
        bytes.append(contentsOf: utf8)
        return
      }
      var plain = 0
      for (position, byte) in utf8.enumerated() {
        guard let escape = Self.escape(byte, utf8, position, isForPage) else { continue }
        bytes.append(contentsOf: utf8[plain..<position])
        bytes.append(contentsOf: escape.text.utf8)
        plain = position + escape.length
      }
      if plain < utf8.count { bytes.append(contentsOf: utf8[plain...]) }
    }
    bytes.append(0x22)
  }

  /// Whether the byte is escaped, or may begin what is.
  private static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00..<0x20, 0x22, 0x26, 0x3c, 0x3e, 0x5c, 0x7f, 0xc2, 0xe2: true
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
    case 0xc2 where position + 1 < utf8.count && (0x80...0x9f).contains(utf8[position + 1]):
      return ("\\u00" + String(utf8[position + 1], radix: 16), 2)
    case 0xe2 where position + 2 < utf8.count && utf8[position + 1] == 0x80 && utf8[position + 2] & 0xfe == 0xa8:
      return (utf8[position + 2] == 0xa8 ? "\\u2028" : "\\u2029", 3)
    default: return nil
    }
  }
}

// Members of an object: a name and a value.
extension JSONWriter {
  package mutating func member(_ name: String, _ text: String) {
    self.name(name)
    string(text)
  }

  package mutating func member(_ name: String, _ number: Int) {
    self.name(name)
    self.number(number)
  }

  package mutating func member(_ name: String, _ flag: Bool) {
    self.name(name)
    self.flag(flag)
  }

  package mutating func member(_ name: String, json: [UInt8]) {
    self.name(name)
    verbatim(json)
  }

  package mutating func member(_ name: String, object members: (inout JSONWriter) throws -> Void) rethrows {
    self.name(name)
    try object(members)
  }

  package mutating func member<Element>(
    _ name: String, array elements: some Sequence<Element>, _ element: (inout JSONWriter, Element) throws -> Void
  ) rethrows {
    self.name(name)
    try array(elements, element)
  }
}
