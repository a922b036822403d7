/// Texts of values that are not looked into.
enum LeafText {
  /// The text of a string in quotation marks, of anything else its description without control characters.
  static func describing(_ value: Any, limit: Int) -> String {
    let type = type(of: value)
    // The commonest types first, by identity: casts to other types are slow.
    if type == Int.self, let number = value as? Int { return String(number) }
    if type == String.self, let text = value as? String { return quoted(text, limit: limit) }
    if type == Double.self, let number = value as? Double { return "\(number)" }
    if type == Bool.self, let flag = value as? Bool { return flag ? "true" : "false" }
    if type == Substring.self, let text = value as? Substring { return quoted(text, limit: limit) }
    if type == Character.self, let character = value as? Character { return quoted(String(character), limit: limit) }
    return escaped(String(describing: value))
  }

  /// The text without quotation marks, for paths.
  static func name(_ value: Any, limit: Int) -> String {
    let text = value as? String ?? String(describing: value)
    let escapedText = escaped(String(text.prefix(limit)))
    return text.count > limit ? escapedText + "…" : escapedText
  }

  /// The text with control characters, line separators and invisible direction marks as `\u{…}`: a value cannot forge a
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
    case 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: return true
    default: return false
    }
  }
}
