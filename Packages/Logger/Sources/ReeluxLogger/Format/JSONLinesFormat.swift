import ReeluxCore
import ReeluxDiff
internal import Foundation

/// The format of a record as one JSON object on one line. Parts that the record does not have are left out, and so are
/// a `repeats` of 1 and the counts `suppressed` and `lost` if they are 0. An empty list of changes is written.
struct JSONLinesFormat {
  /// The record as UTF-8, including the line end.
  func bytes(of record: LogRecord) -> [UInt8] {
    var json = JSONWriter(capacity: 512)
    json.object {
      $0.member("schema", LogFormat.jsonLinesSchema)
      $0.member("number", record.number)
      $0.member("time", TimeText.iso8601(record.time))
      $0.member("name", record.name)
      $0.member("action", record.action)
      $0.member("source", object: { write(record.source, to: &$0) })
      if let duration = record.duration { $0.member("nanoseconds", Int(duration.inNanoseconds)) }
      if let difference = record.difference {
        $0.member("changes", array: difference.changes) { json, change in json.object { write(change, to: &$0) } }
        if difference.isTruncated { $0.member("truncated", true) }
      }
      if let before = record.before { $0.member("before", before) }
      if let after = record.after { $0.member("after", after) }
      if record.repeats > 1 { $0.member("repeats", record.repeats) }
      if record.suppressed > 0 { $0.member("suppressed", record.suppressed) }
      if record.lost > 0 { $0.member("lost", record.lost) }
    }
    var bytes = json.take()
    bytes.append(0x0a)
    return bytes
  }

  private func write(_ source: ActionSource, to json: inout JSONWriter) {
    json.member("file", source.file)
    json.member("function", source.function)
    json.member("line", Int(clamping: source.line))
    if let info = source.info { json.member("info", info) }
  }

  private func write(_ change: ValueChange, to json: inout JSONWriter) {
    json.member("path", change.path.description)
    json.member("kind", change.kind.rawValue)
    if let old = change.old { json.member("old", old) }
    if let new = change.new { json.member("new", new) }
  }
}
