import ReeluxLogger

/// The output formats of lists.
package enum OutputFormat: String, CaseIterable, Hashable, Sendable {
  /// A table for reading.
  case table
  /// A JSON array.
  case json
  /// JSON Lines: one object on each line.
  case jsonl
  /// Comma-separated values (RFC 4180, but with LF line ends) with a header. Values are unchanged; for a terminal,
  /// control characters are replaced.
  case csv
  /// Tab-separated values with a header. Tabs, newlines and backslashes are escaped; for a terminal, control
  /// characters are replaced.
  case tsv
}

/// The columns of a list, and functions that write its rows in any format.
///
/// Rows are created one at a time, also for a table. A list of a million rows therefore needs no additional memory.
struct Listing<Element> {
  /// A column: one fact of each row.
  struct Column {
    /// The JSON key, and the header in CSV and TSV.
    var key: String
    /// The fact as JSON.
    var json: (Element) -> JSONOutput.Value
    /// The fact as text, for every other format.
    var text: (Element) -> String
    /// The column of a table; `nil` if tables do not show it.
    var table: TextTable.Column?
    /// The text of the fact in a table, if it differs from `text`.
    var cell: ((Element) -> String)?
  }

  var columns: [Column]

  /// Writes the rows.
  ///
  /// - Parameter write: Writes a part of the output, and returns whether there is still a reader.
  func write(
    _ rows: some Collection<Element>, as format: OutputFormat, style: TextStyle, to write: (String) -> Bool
  ) {
    switch format {
    case .table: writeTable(rows, style, write)
    case .json:
      if rows.isEmpty { return _ = write("[]\n") }
      let count = rows.count
      writePieces(rows, start: "[\n", end: "]\n", write) { row, place, text in
        text += "  \(json(row))\(place == count - 1 ? "\n" : ",\n")"
      }
    case .jsonl:
      writePieces(rows, write) { row, _, text in text += "\(json(row))\n" }
    case .csv: writeSeparated(rows, ",", style, write, Self.quoted)
    case .tsv: writeSeparated(rows, "\t", style, write, Self.escaped)
    }
  }

  /// One row as a JSON object.
  func json(_ row: Element) -> String {
    var json = JSONWriter(isForPage: false)
    json.object { json in
      for column in columns {
        json.name(column.key)
        JSONOutput.write(column.json(row), to: &json)
      }
    }
    return json.text
  }

  private func writeTable(_ rows: some Collection<Element>, _ style: TextStyle, _ write: (String) -> Bool) {
    if rows.isEmpty { return }
    let shown = columns.filter { $0.table != nil }
    let table = TextTable(columns: shown.compactMap(\.table))
    table.write(
      rows.lazy.map { row in shown.map { column in (column.cell ?? column.text)(row) } }, style, to: write)
  }

  private func writeSeparated(
    _ rows: some Collection<Element>, _ separator: String, _ style: TextStyle, _ write: (String) -> Bool,
    _ escape: (String) -> String
  ) {
    let heading = columns.map(\.key).joined(separator: separator) + "\n"
    writePieces(rows, start: heading, write) { row, _, text in
      for (place, column) in columns.enumerated() {
        if place > 0 { text += separator }
        let value = column.text(row)
        text += escape(style.isForTerminal ? TextStyle.harmless(value) : value)
      }
      text += "\n"
    }
  }

  private func writePieces(
    _ rows: some Collection<Element>, start: String = "", end: String = "", _ write: (String) -> Bool,
    append: (Element, Int, inout String) -> Void
  ) {
    var text = start
    for (place, row) in rows.enumerated() {
      append(row, place, &text)
      guard text.utf8.count >= 1 << 15 else { continue }
      guard write(text) else { return }
      text = ""
    }
    _ = write(text + end)
  }

  /// A CSV field. It is quoted if it contains a comma, a quote or a line end.
  private static func quoted(_ text: String) -> String {
    text.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
      ? "\"" + text.replacing("\"", by: "\"\"") + "\"" : text
  }

  /// A TSV field with escapes.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0A || $0 == 0x0D || $0 == 0x5C }) else { return text }
    return text.replacing("\\", by: "\\\\").replacing("\t", by: "\\t").replacing("\n", by: "\\n")
      .replacing("\r", by: "\\r")
  }
}

extension String {
  /// Replaces a scalar. CR LF, and a quote before a combining mark, are single characters, so a search for characters
  /// does not find their parts.
  fileprivate func replacing(_ scalar: Unicode.Scalar, by text: String) -> String {
    String(unicodeScalars.replacing(CollectionOfOne(scalar), with: text.unicodeScalars))
  }
}
