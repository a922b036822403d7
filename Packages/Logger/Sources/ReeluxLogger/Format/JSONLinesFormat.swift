import ReeluxCore
import ReeluxDiff
internal import Foundation

/// A record as one JSON object on one line. Absent fields are left out.
struct JSONLinesFormat {
  func text(of record: LogRecord) -> String {
    var json = JSONObjectWriter()
    json.add("schema", LogFormat.jsonLinesSchema)
    json.add("number", record.number)
    json.add("time", TimeText.iso8601(record.time))
    json.add("name", record.name)
    json.add("action", record.action)
    json.add("source", object: source(record.source))
    if let duration = record.duration { json.add("nanoseconds", Int(duration.inNanoseconds)) }
    if let difference = record.difference {
      json.add("changes", array: difference.changes.map(change))
      if difference.isTruncated { json.add("truncated", true) }
    }
    if let before = record.before { json.add("before", before) }
    if let after = record.after { json.add("after", after) }
    if record.repeats > 1 { json.add("repeats", record.repeats) }
    if record.suppressed > 0 { json.add("suppressed", record.suppressed) }
    if record.lost > 0 { json.add("lost", record.lost) }
    return json.finished() + "\n"
  }

  private func source(_ source: ActionSource) -> JSONObjectWriter {
    var json = JSONObjectWriter()
    json.add("file", source.file)
    json.add("function", source.function)
    json.add("line", Int(clamping: source.line))
    if let info = source.info { json.add("info", info) }
    return json
  }

  private func change(_ change: ValueChange) -> JSONObjectWriter {
    var json = JSONObjectWriter()
    json.add("path", change.path.description)
    json.add("kind", change.kind.rawValue)
    if let old = change.old { json.add("old", old) }
    if let new = change.new { json.add("new", new) }
    return json
  }
}
