/// A table of text: a heading, and rows with two blanks between columns.
///
/// If the table is wider than the style allows, columns with a higher `shrinkOrder` are reduced first. A column is
/// first shortened down to its `minimum`, where `…` marks cut text, and then left out. A column with the order 0 is not
/// reduced, and the column that is reduced last is not left out.
///
/// Without a largest width, all cells are complete. A cell of more than 80 columns then moves the rest of its line to
/// the right.
struct TextTable {
  /// A column.
  struct Column {
    var heading: String
    /// Whether the cells are aligned to the right.
    var alignsRight = false
    /// The order in which columns are reduced; a higher number comes first. A column with 0 is never reduced.
    var shrinkOrder = 0
    /// The width below which the column is left out; `Int.max` for a column that is never shortened.
    var minimum = 8
    /// The emphasis of the cells.
    var emphasis: TextStyle.Emphasis?
  }

  var columns: [Column]

  /// Writes the lines of the table in parts, until `write` returns that there is no reader.
  func write(_ rows: some Collection<[String]>, _ style: TextStyle, to write: (String) -> Bool) {
    var widths = columns.map { TextWidth.columns($0.heading) }
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], TextWidth.columns(TextStyle.harmless(cell)))
      }
    }
    if style.width == nil { widths = widths.map { min($0, 80) } }
    let shown = fit(&widths, to: style.width)
    var text = line(columns.map(\.heading), widths, shown, style) { _ in .strong }
    for row in rows {
      text += line(row.map(TextStyle.harmless), widths, shown, style) { columns[$0].emphasis }
      guard text.utf8.count >= 1 << 15 else { continue }
      guard write(text) else { return }
      text = ""
    }
    _ = write(text)
  }

  /// Reduces the widths of columns. Returns the columns that are shown.
  private func fit(_ widths: inout [Int], to width: Int?) -> [Int] {
    var shown = Array(columns.indices)
    guard let width else { return shown }
    let natural = widths
    while true {
      widths = natural
      let reducible = shown.filter { columns[$0].shrinkOrder > 0 }
        .sorted { columns[$0].shrinkOrder > columns[$1].shrinkOrder }
      var excess = shown.reduce(0) { $0 + widths[$1] } + 2 * (shown.count - 1) - width
      for column in reducible where excess > 0 {
        let given = min(excess, max(0, widths[column] - columns[column].minimum))
        widths[column] -= given
        excess -= given
      }
      guard excess > 0, reducible.count > 1, let least = reducible.first else { return shown }
      shown.removeAll { $0 == least }
    }
  }

  private func line(
    _ cells: [String], _ widths: [Int], _ shown: [Int], _ style: TextStyle, emphasis: (Int) -> TextStyle.Emphasis?
  ) -> String {
    var line = ""
    // Columns that are never reduced may still be wider than the terminal.
    var left = style.width ?? .max
    for column in shown {
      let isLast = column == shown.last
      let width = min(widths[column], left)
      let short = style.width == nil ? cells[column] : TextWidth.shortened(cells[column], to: width)
      let blanks = String(repeating: " ", count: max(0, width - TextWidth.columns(short)))
      let styled = emphasis(column).map { style.emphasized(short, $0) } ?? short
      line += columns[column].alignsRight ? blanks + styled : isLast ? styled : styled + blanks
      left -= width
      if !isLast, left > 2 {
        line += "  "
        left -= 2
      } else if !isLast {
        break
      }
    }
    return Self.withoutTrailingBlanks(line) + "\n"
  }

  private static func withoutTrailingBlanks(_ line: String) -> Substring {
    line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)]
  }
}
