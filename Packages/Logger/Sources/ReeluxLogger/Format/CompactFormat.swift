import ReeluxCore
import ReeluxDiff
internal import Foundation

/// The format of a record on one line.
struct CompactFormat {
  func text(of record: LogRecord) -> String {
    var text = "\(record.number) \(TimeText.clock(record.time)) \(record.action)"
    if record.repeats > 1 { text += " ×\(record.repeats)" }
    text += " \(LeafText.escaped(record.source.file)):\(record.source.line)"
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
