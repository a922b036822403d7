/// The places of the screen's parts: a title, the search line, the list beside the details, the log, and key hints.
struct ScreenLayout: Hashable, Sendable {
  /// The smallest size that has room for every part.
  static let smallest = ScreenSize(columns: 60, rows: 16)

  /// The size of the terminal, from 0 to 1,000 columns and rows. A terminal and a recording can report any numbers.
  let size: ScreenSize

  init(size: ScreenSize) {
    self.size = ScreenSize(columns: max(0, min(1_000, size.columns)), rows: max(0, min(1_000, size.rows)))
  }

  /// Whether the terminal is too small.
  var isTooSmall: Bool { size.columns < Self.smallest.columns || size.rows < Self.smallest.rows }

  /// The rows of the log, without its heading.
  var logRows: Int { max(4, (size.rows - 4) / 3) }

  /// The row of the log's heading.
  var logHeading: Int { size.rows - 2 - logRows }

  /// The rows of the list and of the details.
  var bodyRows: Int { max(1, logHeading - 2) }

  /// The columns of the list.
  var listColumns: Int { size.columns * 11 / 20 }

  /// The first column of the details and of an action's changes.
  var rightColumn: Int { listColumns + 2 }

  /// The columns from ``rightColumn`` to the edge.
  var rightColumns: Int { max(0, size.columns - rightColumn) }

  /// The first of `count` elements to show in `rows` rows. The selected one is in the middle if possible.
  static func top(of count: Int, selected: Int, rows: Int) -> Int {
    max(0, min(selected - rows / 2, count - rows))
  }
}
