import ReeluxCore

/// Texts from outside that must stay on one line and must not steer a terminal.
enum LineText {
  /// `Module/File.swift:12 function() (info)`.
  static func of(_ source: ActionSource) -> String { escaped(source.description) }

  /// The text with control characters as `\u{…}`.
  static func escaped(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
    if isPlain { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
