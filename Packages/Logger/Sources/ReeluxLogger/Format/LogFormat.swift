/// The text format of records.
public enum LogFormat: Sendable {
  /// A readable format: the time, the action, the source, and a line for each change.
  case pretty(color: LogColor = .automatic)
  /// One line for each record.
  case compact
  /// One JSON object on each line, with a schema number; see ``jsonLinesSchema``.
  case jsonLines
  /// Any other text. The logger adds a line end to it.
  case custom(@Sendable (LogRecord) -> String)

  /// The number in the field `schema` of each JSON line. It increases when a field is renamed or removed, or changes
  /// its meaning.
  public static let jsonLinesSchema = 1
}

extension LogFormat {
  /// The record as UTF-8, including the line end.
  func bytes(of record: LogRecord, isTerminal: Bool) -> [UInt8] {
    if case .jsonLines = self { return JSONLinesFormat().bytes(of: record) }
    return Array(text(of: record, isTerminal: isTerminal).utf8)
  }

  /// The record as text, including the line end.
  func text(of record: LogRecord, isTerminal: Bool) -> String {
    switch self {
    case .pretty(let color): PrettyFormat(usesColor: color.isOn(isTerminal: isTerminal)).text(of: record)
    case .compact: CompactFormat().text(of: record)
    case .jsonLines: String(decoding: JSONLinesFormat().bytes(of: record), as: UTF8.self)
    case .custom(let render): render(record) + "\n"
    }
  }
}
