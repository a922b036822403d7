/// A table of text: a heading, rows, two blanks between columns.
///
/// Where it would be wider than the style allows, columns give way in the order of their `yields`, down to a minimum, and text that
/// does not fit ends with `…`.
struct TextTable {
  /// A column.
  struct Column {
    var heading: String
    /// Whether cells stand at the right.
    var alignsRight = false
    /// Columns with a higher number give way first; zero never does.
    var yields = 0
    /// How the cells are set apart.
    var emphasis: TextStyle.Emphasis?
  }

  /// The width below which no column is shortened.
  static let minimumWidth = 8

  var columns: [Column]
  var rows: [[String]] = []

  /// The lines of the table, each with its newline.
  func text(_ style: TextStyle) -> String {
    let cells = rows.map { $0.map(TextStyle.harmless) }
    var widths = columns.map { TextWidth.columns($0.heading) }
    for row in cells {
      for (column, cell) in row.enumerated() { widths[column] = max(widths[column], TextWidth.columns(cell)) }
    }
    shrink(&widths, to: style.width)
    var text = line(columns.map(\.heading), widths, style) { _ in .strong }
    for row in cells { text += line(row, widths, style) { columns[$0].emphasis } }
    return text
  }

  private func shrink(_ widths: inout [Int], to width: Int?) {
    guard let width else { return }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    for column in columns.indices.sorted(by: { columns[$0].yields > columns[$1].yields })
    where excess > 0 && columns[column].yields > 0 {
      let given = min(excess, max(0, widths[column] - Self.minimumWidth))
      widths[column] -= given
      excess -= given
    }
  }

  private func line(
    _ cells: [String], _ widths: [Int], _ style: TextStyle, emphasis: (Int) -> TextStyle.Emphasis?
  ) -> String {
    var line = ""
    var left = style.width ?? .max
    for (column, cell) in cells.enumerated() {
      let isLast = column == cells.count - 1
      let width = min(widths[column], left)
      let short = TextWidth.shortened(cell, to: width)
      let blanks = String(repeating: " ", count: max(0, width - TextWidth.columns(short)))
      let shown = emphasis(column).map { style.emphasized(short, $0) } ?? short
      line += columns[column].alignsRight ? blanks + shown : isLast ? shown : shown + blanks
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
    line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]
  }
}
