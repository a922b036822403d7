import ReeluxCore
import ReeluxDiff
internal import Foundation

/// The format of a record on one line.
struct CompactFormat {
  func text(of record: LogRecord) -> String {
    var text = "\(record.number) \(TimeText.clock(record.time)) \(record.action)"
    if record.repeats > 1 { text += " ×\(record.repeats)" }
    text += " \(LineText.escaped(record.source.file)):\(record.source.line)"
    if let duration = record.duration { text += " \(TimeText.milliseconds(duration))" }
    if let difference = record.difference, !difference.isEmpty {
      let changes = difference.changes.map(\.description) + (difference.isTruncated ? ["…"] : [])
      text += " [\(changes.joined(separator: "; "))]"
    }
    if let before = record.before { text += " before \(before)" }
    if let after = record.after { text += " after \(after)" }
    if record.suppressed > 0 { text += " (\(record.suppressed) over the rate limit)" }
    if record.lost > 0 { text += " (\(record.lost) lost)" }
    return text + "\n"
  }
}

/// Text on one line without control characters, so that text from outside cannot control a terminal.
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
