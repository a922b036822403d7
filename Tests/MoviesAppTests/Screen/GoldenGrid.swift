import Foundation
import Testing

@testable import MoviesApp

/// A grid in a text file: its rows as text, followed by the look of each cell.
///
/// Cells are compared one by one. The digits of source lines (`BrowseFeature.swift:86`) are written as zeros, so that a
/// file does not change with every line of code. Only their number is compared.
struct GoldenGrid {
  let size: ScreenSize
  let cells: [Grid.Cell]

  /// Compares a grid with its file, or writes the file.
  static func check(_ grid: Grid, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = Repository.url("Tests/MoviesAppTests/Screen/Golden/\(name).txt")
    let found = GoldenGrid(grid)
    if Repository.isWriting { return try found.text.write(to: file, atomically: true, encoding: .utf8) }
    let expected = try GoldenGrid(text: String(contentsOf: file, encoding: .utf8))
    guard expected.size == found.size else {
      Issue.record("\(name): expected \(expected.size), found \(found.size)", sourceLocation: sourceLocation)
      return
    }
    let (wanted, shown) = (expected.withoutLineNumbers, found.withoutLineNumbers)
    let places = wanted.indices.filter { wanted[$0] != shown[$0] }
    for place in places.prefix(5) {
      let (row, column) = place.quotientAndRemainder(dividingBy: found.size.columns)
      Issue.record(
        """
        \(name), row \(row), column \(column): expected '\(wanted[place].text)' \(wanted[place].look), \
        found '\(shown[place].text)' \(shown[place].look). If the new screen is right: Scripts/screens
        """, sourceLocation: sourceLocation)
    }
  }

  init(_ grid: Grid) {
    size = grid.size
    cells = (0..<size.rows).flatMap { row in (0..<grid.size.columns).map { grid[$0, row] } }
  }

  private struct Malformed: Error {}

  /// Reads a text that ``text`` wrote.
  init(text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let numbers = lines.first?.split(separator: " ").compactMap { Int($0) } ?? []
    guard numbers.count == 2, lines.count >= 2 * numbers[1] + 2 else { throw Malformed() }
    size = ScreenSize(columns: numbers[0], rows: numbers[1])
    var cells: [Grid.Cell] = []
    for row in 0..<size.rows {
      var texts: [String] = []
      for character in lines[1 + row] {
        texts.append(String(character))
        if TextWidth.columns(character) == 2 { texts.append("") }
      }
      let looks = lines[2 + size.rows + row].map { mark in Grid.Look.allCases.first { Self.mark($0) == mark } ?? .plain
      }
      for column in 0..<size.columns {
        cells.append(
          Grid.Cell(
            text: column < texts.count ? texts[column] : " ", look: column < looks.count ? looks[column] : .plain))
      }
    }
    self.cells = cells
  }

  /// The text of the file.
  var text: String {
    var text = "\(size.columns) x \(size.rows)\n"
    for part in [\Grid.Cell.text, \.lookMark] {
      for row in 0..<size.rows {
        var line = withoutLineNumbers[row * size.columns..<(row + 1) * size.columns].map { $0[keyPath: part] }.joined()
        while line.hasSuffix(" ") { line.removeLast() }
        text += line + "\n"
      }
      text += "\n"
    }
    return String(text.dropLast())
  }

  fileprivate static func mark(_ look: Grid.Look) -> Character {
    switch look {
    case .plain: " "
    case .strong: "s"
    case .faint: "f"
    case .selected: "S"
    case .favorite: "v"
    case .good: "g"
    case .bad: "b"
    case .bar: "B"
    case .past: "P"
    }
  }

  /// The cells, with 0 for each digit of a source line.
  var withoutLineNumbers: [Grid.Cell] {
    var cells = cells
    var isNumber = false
    for place in cells.indices.dropFirst() {
      let text = cells[place].text
      if text == ":" {
        isNumber = ["t", "…"].contains(cells[place - 1].text)
      } else if isNumber, text.count == 1, text.allSatisfy(\.isWholeNumber) {
        cells[place].text = "0"
      } else {
        isNumber = false
      }
    }
    return cells
  }
}

extension Grid.Cell {
  fileprivate var lookMark: String { String(GoldenGrid.mark(look)) }
}
