/// The text format of records.
public enum LogFormat: Sendable {
  /// For people: time, action, source, and a line for each change.
  case pretty(color: LogColor = .automatic)
  /// One line for each record.
  case compact
  /// One JSON object on each line, with a schema number; see
  /// ``jsonLinesSchema``.
  case jsonLines
  /// Any other text; a line end is added to it.
  case custom(@Sendable (LogRecord) -> String)

  /// The number in the field `schema` of each JSON line. It grows when a field is renamed, removed or changes its meaning.
  public static let jsonLinesSchema = 1
}

extension LogFormat {
  /// The record as text, line end included.
  func text(of record: LogRecord, isTerminal: Bool) -> String {
    switch self {
    case .pretty(let color): PrettyFormat(usesColor: color.isOn(isTerminal: isTerminal)).text(of: record)
    case .compact: CompactFormat().text(of: record)
    case .jsonLines: JSONLinesFormat().text(of: record)
    case .custom(let render): render(record) + "\n"
    }
  }
}
