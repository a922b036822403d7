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

/// Text on one line without characters that control a terminal.
enum LineText {
  /// `Module/File.swift:12 function() (info)`.
  static func of(_ source: ActionSource) -> String { escaped(source.description) }

  /// The text with control characters, line separators and direction marks as `\u{…}`.
  static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isSpecial) else { return text }
    return text.unicodeScalars.map { isSpecial($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0) }.joined()
  }

  private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
