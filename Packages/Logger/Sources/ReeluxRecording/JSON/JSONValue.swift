import ReeluxLogger

/// A JSON value. Numbers keep their text, so that nothing is lost on the way.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// The value as text: no spaces, members in the order of their names' bytes. Equal values have equal texts.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let elements):
      bytes.append(0x5b)
      for (position, element) in elements.enumerated() {
        if position > 0 { bytes.append(0x2c) }
        element.write(to: &bytes)
      }
      bytes.append(0x5d)
    case .object(let members):
      bytes.append(0x7b)
      for (position, member) in Self.sorted(members).enumerated() {
        if position > 0 { bytes.append(0x2c) }
        JSONText.append(member.key, to: &bytes)
        bytes.append(0x3a)
        member.value.write(to: &bytes)
      }
      bytes.append(0x7d)
    }
  }

  /// The text as bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  static func sorted(_ members: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
