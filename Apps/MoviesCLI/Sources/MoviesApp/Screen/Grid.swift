/// A rectangle of cells for a terminal.
package struct Grid: Hashable, Sendable {
  /// One cell: a character and its look.
  package struct Cell: Hashable, Sendable {
    /// The character; empty in each further column of a wide one.
    package var text = " "
    package var look = Look.plain

    /// Whether terminals disagree about the number of columns: an emoji of several scalars, such as a flag, or letters
    /// with a spacing mark. They agree about marks that take no column, such as accents.
    fileprivate var isUncertain: Bool {
      text.unicodeScalars.dropFirst().contains {
        $0.properties.generalCategory != .nonspacingMark || $0.properties.isVariationSelector
      }
    }
  }

  /// The look of a cell. It never carries a meaning that the text does not.
  package enum Look: UInt8, CaseIterable, Sendable {
    /// Without colour.
    case plain
    /// Headings.
    case strong
    /// Less important text.
    case faint
    /// The selected row.
    case selected
    /// A favourite.
    case favorite
    /// A success.
    case good
    /// A failure.
    case bad
    /// A bar at an edge.
    case bar
    /// The bar while the past is shown.
    case past
  }

  package let size: ScreenSize

  private var cells: [Cell]

  /// Creates a grid of blank cells.
  package init(size: ScreenSize) {
    self.size = ScreenSize(columns: max(0, size.columns), rows: max(0, size.rows))
    cells = Array(repeating: Cell(), count: self.size.columns * self.size.rows)
  }

  /// The cell at a place.
  package subscript(column: Int, row: Int) -> Cell {
    get { cells[row * size.columns + column] }
    set { cells[row * size.columns + column] = newValue }
  }

  /// Writes text from a place to the right in at most `width` columns. Text that is too wide is cut and ends with `…`.
  ///
  /// - Returns: The number of columns written.
  @discardableResult
  mutating func write(_ text: String, at column: Int, _ row: Int, width: Int? = nil, _ look: Look = .plain) -> Int {
    guard (0..<size.rows).contains(row), column >= 0 else { return 0 }
    let room = min(width ?? .max, size.columns - column)
    guard room > 0 else { return 0 }
    var place = column
    var last: Int?
    for character in TextWidth.shortened(TextStyle.harmless(text), to: room) {
      let columns = TextWidth.columns(character)
      if columns == 0 {
        if let last { self[last, row].text.append(character) }
        continue
      }
      if place + columns > column + room { break }
      put(Cell(text: String(character), look: look), at: place, row)
      for next in 1..<columns { put(Cell(text: "", look: look), at: place + next, row, continues: true) }
      last = place
      place += columns
    }
    return place - column
  }

  /// Replaces a cell. If this overwrites a part of a wide character, its other columns become blank.
  private mutating func put(_ cell: Cell, at column: Int, _ row: Int, continues: Bool = false) {
    var left = column
    while self[left, row].text.isEmpty, !continues {
      self[left, row].text = " "
      left -= 1
    }
    if left < column { self[left, row].text = " " }
    var right = column + 1
    while right < size.columns, self[right, row].text.isEmpty {
      self[right, row].text = " "
      right += 1
    }
    self[column, row] = cell
  }

  /// Sets the look of a part of a row.
  mutating func paint(_ row: Int, from column: Int, width: Int, _ look: Look) {
    guard (0..<size.rows).contains(row) else { return }
    for place in max(0, column)..<max(max(0, column), min(size.columns, column + width)) {
      self[place, row].look = look
    }
  }

  /// The rows as text without colour and without trailing blanks, for tests.
  package var text: String {
    (0..<size.rows).map { row in
      var line = (0..<size.columns).map { self[$0, row].text }.joined()
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  /// The escape sequences that make a terminal that shows `old` show this grid.
  ///
  /// - Parameters:
  ///   - old: The grid that the terminal shows; `nil` if it is unknown, or if the size has changed.
  ///   - colors: The available colours. Without colours, the selected row and the bars are inverted. With 16 colours,
  ///     they are inverted too, except for the bar of the past.
  package func update(from old: Grid?, colors: ColorDepth) -> String {
    let old = old?.size == size ? old : nil
    var text = old == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for row in 0..<size.rows {
      let shown = old.flatMap { isUncertain(row, over: $0) ? nil : $0 }
      // Whether the cursor may be elsewhere, and the rest of the row from this column on may show anything.
      var mustErase = old != nil && shown == nil
      var column = 0
      while column < size.columns {
        if mustErase { text += Self.place(column, row) + "\u{1B}[K" }
        mustErase = false
        guard differs(column, row, from: shown) else {
          column += 1
          continue
        }
        text += Self.place(column, row)
        var look: Look?
        while column < size.columns, !mustErase, differs(near: column, row, from: shown) {
          let (cell, start) = (self[column, row], column)
          if cell.look != look {
            text += Self.sequence(cell.look, colors)
            look = cell.look
          }
          column += 1
          // All columns of a wide character are written together.
          while column < size.columns, self[column, row].text.isEmpty { column += 1 }
          mustErase = cell.isUncertain
          // The blanks give all columns their look, even if the terminal shows the character in fewer columns.
          if mustErase { text += String(repeating: " ", count: column - start) + Self.place(start, row) }
          text += cell.text
        }
        text += "\u{1B}[0m"
      }
    }
    return text
  }

  /// The escape sequence that moves the cursor.
  private static func place(_ column: Int, _ row: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

  /// Whether the row has changed, and a terminal may show it in other columns: it has or had an uncertain character.
  private func isUncertain(_ row: Int, over old: Grid) -> Bool {
    let columns = 0..<size.columns
    return columns.contains { self[$0, row] != old[$0, row] }
      && columns.contains { self[$0, row].isUncertain || old[$0, row].isUncertain }
  }

  /// Whether a cell or one of the next must be written. Writing a few equal cells is cheaper than moving the cursor.
  private func differs(near column: Int, _ row: Int, from old: Grid?) -> Bool {
    (column..<min(size.columns, column + 6)).contains { differs($0, row, from: old) }
  }

  /// Whether a cell, or a further column of its wide character, must be written.
  private func differs(_ column: Int, _ row: Int, from old: Grid?) -> Bool {
    let cell = self[column, row]
    guard let old else { return cell != Cell() && !cell.text.isEmpty }
    if cell.text.isEmpty { return false }
    if cell != old[column, row] { return true }
    return (column + 1..<size.columns).prefix { self[$0, row].text.isEmpty }
      .contains { self[$0, row] != old[$0, row] }
  }

  /// The escape sequence of a look. Inverted and bold looks keep their emphasis without colours.
  private static func sequence(_ look: Look, _ colors: ColorDepth) -> String {
    let code =
      switch (look, colors) {
      case (.plain, _): "0"
      case (.strong, _): "0;1"
      case (.faint, .many): "0;38;5;244"
      case (.faint, .sixteen): "0;2"
      case (.selected, .many): "0;38;5;231;48;5;31"
      case (.bar, .many): "0;38;5;255;48;5;24"
      case (.selected, _), (.bar, _), (.past, .none): "0;7"
      case (.past, .many): "0;38;5;16;48;5;179"
      case (.past, .sixteen): "0;30;43"
      case (.favorite, .many), (.good, .many), (.bad, .many), (.favorite, .sixteen), (.good, .sixteen),
        (.bad, .sixteen):
        "0;" + (look.emphasis?.code(colors) ?? "")
      case (.bad, .none): "0;1"
      case (.faint, .none), (.favorite, .none), (.good, .none): "0"
      }
    return "\u{1B}[\(code)m"
  }
}

extension Grid.Look {
  /// The emphasis that gives text outside of a grid the same look.
  fileprivate var emphasis: TextStyle.Emphasis? {
    switch self {
    case .favorite: .favorite
    case .good: .good
    case .bad: .bad
    default: nil
    }
  }
}
