/// Strings of JSON.
package enum JSONText {
  /// The text as a JSON string with quotation marks. `<`, `>`, `&` and the line separators of JavaScript are escaped too,
  /// so that it can stand inside a web page.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text as a JSON string. Control characters are escaped, so that a terminal shows them and does not obey.
  ///
  /// - Parameter isForPage: Whether `<`, `>` and `&` are escaped too.
  package static func append(_ text: String, to bytes: inout [UInt8], isForPage: Bool = true) {
    bytes.append(0x22)
    var text = text
    text.withUTF8 { utf8 in
      if !utf8.contains(where: isSpecial) {
        bytes.append(contentsOf: utf8)
        return
      }
      var plain = 0
      for (position, byte) in utf8.enumerated() {
        guard let escape = escape(byte, utf8, position, isForPage) else { continue }
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

/// Writes one JSON object, fields in the order of their addition.
package struct JSONObjectWriter {
  private var open: [UInt8] = [0x7b]

  package init() {}

  private mutating func begin(_ name: StaticString) {
    if open.count > 1 { open.append(0x2c) }
    open.append(0x22)
    name.withUTF8Buffer { open.append(contentsOf: $0) }
    open.append(0x22)
    open.append(0x3a)
  }

  package mutating func add(_ name: StaticString, _ text: String) {
    begin(name)
    JSONText.append(text, to: &open)
  }

  package mutating func add(_ name: StaticString, _ number: Int) {
    begin(name)
    open.append(contentsOf: String(number).utf8)
  }

  package mutating func add(_ name: StaticString, _ flag: Bool) {
    begin(name)
    open.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  package mutating func add(_ name: StaticString, object: JSONObjectWriter) {
    begin(name)
    open.append(contentsOf: object.open)
    open.append(0x7d)
  }

  package mutating func add(_ name: StaticString, array: [JSONObjectWriter]) {
    begin(name)
    open.append(0x5b)
    for (position, object) in array.enumerated() {
      if position > 0 { open.append(0x2c) }
      open.append(contentsOf: object.open)
      open.append(0x7d)
    }
    open.append(0x5d)
  }

  /// Adds a field whose value is JSON already.
  package mutating func add(_ name: StaticString, json: [UInt8]) {
    begin(name)
    open.append(contentsOf: json)
  }

  /// The object as text.
  package var bytes: [UInt8] { open + [0x7d] }

  package func finished() -> String { String(decoding: bytes, as: UTF8.self) }
}
