@testable import MoviesApp

/// A grid as a picture that is readable on a light and on a dark page.
struct GridPicture {
  let grid: Grid
  let title: String

  private static let (cellWidth, cellHeight, margin) = (8.4, 17.0, 12.0)

  /// The picture as SVG. Each run of cells states its width, so that it fits with any font.
  var svg: String {
    let width = Double(grid.size.columns) * Self.cellWidth + 2 * Self.margin
    let height = Double(grid.size.rows) * Self.cellHeight + 2 * Self.margin
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" \
      viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img">
      <title>\(Self.escaped(title))</title>
      <style>
      \(Self.style)
      </style>
      <rect class="screen" x="0.5" y="0.5" width="\(Self.number(width - 1))" height="\(Self.number(height - 1))" rx="8"/>

      """
    for row in 0..<grid.size.rows { append(row, to: &text) }
    return text + "</svg>\n"
  }

  private struct Run {
    var column: Int
    var columns = 0
    var text = ""
    var look: Grid.Look
  }

  private func append(_ row: Int, to text: inout String) {
    let top = Self.margin + Double(row) * Self.cellHeight
    for run in runs(of: row, splitsText: false) where Self.isFilled(run.look) {
      text += "<rect class=\"\(run.look)-bar\" x=\"\(Self.x(run.column))\" y=\"\(Self.number(top))\" "
      text +=
        "width=\"\(Self.number(Double(run.columns) * Self.cellWidth))\" height=\"\(Self.number(Self.cellHeight))\"/>\n"
    }
    for run in runs(of: row, splitsText: true) where run.text != " " {
      text += "<text x=\"\(Self.x(run.column))\" y=\"\(Self.number(top + 13))\" "
      text += "textLength=\"\(Self.number(Double(run.columns) * Self.cellWidth))\""
      text += run.look == .plain ? ">" : " class=\"\(run.look)\">"
      text += Self.escaped(run.text) + "</text>\n"
    }
  }

  /// The runs of cells with the same look in a row. Text is split further. A character beyond ASCII is a run of its
  /// own, because a font may give it another width. So is a blank next to another one, because SVG would combine them.
  private func runs(of row: Int, splitsText: Bool) -> [Run] {
    var runs: [Run] = []
    for column in 0..<grid.size.columns {
      let cell = grid[column, row]
      let next = column + 1 < grid.size.columns ? grid[column + 1, row] : Grid.Cell()
      let isEdge = cell.text == " " && (next.text == " " || next.look != cell.look || !next.text.allSatisfy(\.isASCII))
      let isAlone = splitsText && (isEdge || !cell.text.allSatisfy(\.isASCII))
      if cell.text.isEmpty, var last = runs.popLast() {
        last.columns += 1
        runs.append(last)
      } else if var last = runs.last, last.look == cell.look, !isAlone,
        !splitsText || (last.text != " " && last.text.allSatisfy(\.isASCII))
      {
        last.text += cell.text
        last.columns += 1
        runs[runs.count - 1] = last
      } else {
        runs.append(Run(column: column, columns: 1, text: cell.text, look: cell.look))
      }
    }
    return runs
  }

  private static func isFilled(_ look: Grid.Look) -> Bool { [.selected, .bar, .past].contains(look) }

  private static func x(_ column: Int) -> String { number(margin + Double(column) * cellWidth) }

  private static func number(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// The dark style is for readers whose system is dark.
  private static let style = """
    text { font: 14px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
    .screen { fill: #ffffff; stroke: #d0d7de }
    .strong { font-weight: bold } .faint { fill: #59636e }
    .favorite { fill: #bf3989 } .good { fill: #1a7f37 } .bad { fill: #cf222e }
    .bar, .selected { fill: #ffffff } .past { fill: #1f2328 }
    .bar-bar { fill: #0a3069 } .selected-bar { fill: #0969da } .past-bar { fill: #eac54f }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 }
      .screen { fill: #0d1117; stroke: #30363d }
      .faint { fill: #9198a1 }
      .favorite { fill: #f778ba } .good { fill: #3fb950 } .bad { fill: #ff7b72 }
      .bar, .selected { fill: #ffffff } .past { fill: #0d1117 }
      .bar-bar { fill: #1b4b91 } .selected-bar { fill: #1f6feb } .past-bar { fill: #d29922 }
    }
    """
}

extension Grid {
  /// The cells of lines with the escape sequences of ``TextStyle``.
  init(styled text: String, columns: Int) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    self.init(size: ScreenSize(columns: columns, rows: lines.last == "" ? lines.count - 1 : lines.count))
    for (row, line) in lines.enumerated() where row < size.rows {
      var column = 0
      for (place, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
        let code = place == 0 ? "0" : part.prefix { $0 != "m" }
        let text = place == 0 ? part : part.dropFirst(code.count + 1)
        column += write(String(text), at: column, row, Self.look(of: code))
      }
    }
  }

  private static func look(of code: Substring) -> Look {
    let looks: [(TextStyle.Emphasis, Look)] = [
      (.strong, .strong), (.faint, .faint), (.bad, .bad), (.good, .good), (.favorite, .favorite),
    ]
    return looks.first { $0.0.code(.many) == code }?.1 ?? .plain
  }
}
