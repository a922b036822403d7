import ReeluxTesting
import Testing

@testable import MoviesApp

/// A model of a terminal that processes the escape sequences of a grid.
private struct Terminal {
  var grid: Grid
  /// The sequence of the look of each cell, row by row.
  var looks: [[String]]
  /// The number of columns that this terminal gives to a character.
  var columns: (Character) -> Int = { TextWidth.columns($0) }
  private var (column, row, look) = (0, 0, "0")

  init(size: ScreenSize) {
    grid = Grid(size: size)
    looks = Array(repeating: Array(repeating: "0", count: size.columns), count: size.rows)
  }

  mutating func apply(_ text: String) {
    var rest = text[...]
    while let character = rest.first {
      if character == "\u{1B}" {
        guard let end = rest.dropFirst(2).firstIndex(where: \.isLetter) else { return }
        let parameters = rest[rest.index(rest.startIndex, offsetBy: 2)..<end]
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch rest[end] {
        case "H": (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case "J": for row in 0..<grid.size.rows { erase(row, from: 0) }
        case "K": erase(row, from: column)
        case "m": look = String(parameters)
        default: break
        }
        rest = rest[rest.index(after: end)...]
      } else {
        let end = column + columns(character)
        put(String(character), at: column)
        while column + 1 < end {
          column += 1
          put("", at: column)
        }
        column = end
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func put(_ text: String, at column: Int) {
    guard column < grid.size.columns else { return }
    grid[column, row] = Grid.Cell(text: text)
    looks[row][column] = look
  }

  private mutating func erase(_ row: Int, from column: Int) {
    for place in column..<grid.size.columns {
      grid[place, row] = Grid.Cell()
      looks[row][place] = "0"
    }
  }
}

@Suite(.timeLimit(.minutes(15))) struct GridTests {
  private static func random(_ size: ScreenSize, _ random: SeededRandom) -> Grid {
    var grid = Grid(size: size)
    let texts = ["a", "Metropolis", "電影", "é\u{301}", "♥ ♡", "   ", "x電y", "xन्दी"]
    for _ in 0..<random.integer(in: 0...12) {
      grid.write(
        random.element(of: texts) ?? "", at: random.integer(in: 0...size.columns), random.integer(in: 0...size.rows))
    }
    return grid
  }

  @Test(arguments: 1...200)
  func updatesTurnWhatIsShownIntoTheNewGrid(seed: Int) {
    let size = ScreenSize(columns: 24, rows: 5)
    let random = SeededRandom(seed: UInt64(seed))
    var terminal = Terminal(size: size)
    var shown: Grid?
    for _ in 0..<5 {
      let grid = Self.random(size, random)
      terminal.apply(grid.update(from: shown, colors: .none))
      #expect(terminal.grid.text == grid.text, "seed \(seed)")
      shown = grid
    }
  }

  /// Terminals disagree about the columns of these characters.
  private static let sequences = ["❤️", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣", "👍🏽", "e\u{301}", "न्दी", "กำ"]

  /// The columns of the first scalar, and the columns of all scalars.
  private static let measures: [@Sendable (Character) -> Int] = [
    { character in character.unicodeScalars.first.map { TextWidth.columns(Character($0)) } ?? 0 },
    { character in character.unicodeScalars.reduce(0) { $0 + TextWidth.columns(Character($1)) } },
  ]

  @Test(arguments: measures.indices, 1...200)
  func aTerminalThatMeasuresSequencesDifferentlyShowsAllOtherCells(measure: Int, seed: Int) {
    let size = ScreenSize(columns: 24, rows: 4)
    let random = SeededRandom(seed: UInt64(seed))
    var terminal = Terminal(size: size)
    terminal.columns = Self.measures[measure]
    var grid = Grid(size: size)
    var shown: Grid?
    for _ in 0..<6 {
      if random.integer(in: 0...2) == 0 { grid = Grid(size: size) }
      for _ in 0..<random.integer(in: 1...3) {
        let text = "ab" + (random.element(of: Self.sequences) ?? "") + "cd"
        let (column, row) = (random.integer(in: 0...size.columns), random.integer(in: 0...size.rows))
        grid.write(random.integer(in: 0...1) == 0 ? text : "    ", at: column, row)
        grid.paint(
          random.integer(in: 0...size.rows), from: 0, width: 20, random.element(of: Grid.Look.allCases) ?? .bar)
      }
      terminal.apply(grid.update(from: shown, colors: .many))
      shown = grid
      var exact = Terminal(size: size)
      exact.apply(grid.update(from: nil, colors: .many))
      #expect(terminal.looks == exact.looks, "seed \(seed)")
      for row in 0..<size.rows {
        for column in 0..<size.columns where !grid[column, row].text.isEmpty {
          #expect(terminal.grid[column, row].text == grid[column, row].text, "seed \(seed): \(column), \(row)")
        }
      }
    }
  }

  @Test func aChangedRowWithASequenceIsWrittenCompletely() {
    var old = Grid(size: ScreenSize(columns: 20, rows: 2))
    old.write("I ❤️ Huckabees", at: 1, 1)
    var new = Grid(size: old.size)
    new.write("I ❤️ you", at: 1, 1, .selected)
    // The heart has two columns. The text after it begins at its own column.
    let text = "\u{1B}[2;2H\u{1B}[0;7mI   \u{1B}[2;4H❤️\u{1B}[0m\u{1B}[2;6H\u{1B}[K\u{1B}[2;6H\u{1B}[0;7m you\u{1B}[0m"
    #expect(new.update(from: old, colors: .none) == "\u{1B}[2;1H\u{1B}[K" + text)
    #expect(new.update(from: nil, colors: .none) == "\u{1B}[0m\u{1B}[2J" + text)
    // A row that had such a character.
    var plain = Grid(size: old.size)
    plain.write("I", at: 1, 1)
    #expect(plain.update(from: old, colors: .none) == "\u{1B}[2;1H\u{1B}[K\u{1B}[2;2H\u{1B}[0mI\u{1B}[0m")
    // Another row has changed.
    var other = old
    other.write("x", at: 0, 0)
    #expect(other.update(from: old, colors: .none) == "\u{1B}[1;1H\u{1B}[0mx\u{1B}[0m")
  }

  @Test func anUnchangedGridNeedsNoUpdate() {
    var grid = Grid(size: ScreenSize(columns: 20, rows: 2))
    grid.write("電影 and ♥", at: 0, 0, .favorite)
    #expect(grid.update(from: grid, colors: .sixteen) == "")
  }

  @Test func oneChangedCellIsWrittenAlone() {
    var old = Grid(size: ScreenSize(columns: 80, rows: 24))
    // Terminals agree about the columns of accents.
    old.write("♡ Me\u{301}tropolis", at: 1, 3)
    var new = old
    new.write("♥", at: 1, 3, .favorite)
    #expect(new.update(from: old, colors: .sixteen) == "\u{1B}[4;2H\u{1B}[0;35m♥\u{1B}[0m")
  }

  @Test func eachDepthOfColourHasItsOwnSequencesAndTheSameText() {
    var grid = Grid(size: ScreenSize(columns: 20, rows: 3))
    for (row, look) in [Grid.Look.past, .favorite, .selected].enumerated() { grid.write("words", at: 0, row, look) }
    let updates = [ColorDepth.none, .sixteen, .many].map { grid.update(from: nil, colors: $0) }
    #expect(!updates[0].contains(/\[0?;?3[0-9]/) && updates[0].contains("\u{1B}[0;7mwords"))
    #expect(updates[1].contains("\u{1B}[0;30;43mwords") && !updates[1].contains("38;5;"))
    #expect(updates[2].contains("38;5;"))
    for update in updates {
      var terminal = Terminal(size: grid.size)
      terminal.apply(update)
      #expect(terminal.grid.text == grid.text)
    }
  }

  @Test func textThatIsTooWideEndsInAnEllipsisAndControlsAreHarmless() {
    var grid = Grid(size: ScreenSize(columns: 6, rows: 2))
    grid.write("Metropolis", at: 0, 0)
    grid.write("a\u{1B}[2J", at: 0, 1)
    #expect(grid.text == "Metro…\na\u{FFFD}[2J")
    grid.write("outside", at: 0, 7)
    grid.write("outside", at: 9, 0)
  }
}

@Suite(.timeLimit(.minutes(15))) struct ScreenKeyTests {
  private func keys(_ text: String) -> [ScreenKey] {
    var reader = ScreenKeyReader()
    return reader.keys(in: Array(text.utf8))
  }

  @Test func sequencesOfTerminalsAreKeys() {
    #expect(
      keys("\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~") == [.up, .down, .pageUp, .pageDown, .home, .end])
    #expect(keys("aé電\r\t\u{7F}\u{3}") == [.text("a"), .text("é"), .text("電"), .enter, .tab, .backspace, .interrupt])
    #expect(keys("\u{C}\u{1A}\u{1}") == [.redraw, .suspend])
    #expect(keys("\u{1B}[1;5C\u{1B}[24~\u{1B}[201~x") == [.right, .text("x")])
  }

  @Test func functionKeysOfTheLinuxConsoleTypeNoText() {
    #expect(keys("\u{1B}[[A\u{1B}[[Ex") == [.text("x")])
    var reader = ScreenKeyReader()
    for byte in "\u{1B}[[B".utf8 { #expect(reader.keys(in: [byte]) == []) }
    #expect(reader.keysAfterPause() == [])
  }

  @Test func aSequenceInPiecesIsOneKey() {
    for text in ["\u{1B}[A", "\u{1B}[5~", "電"] {
      var reader = ScreenKeyReader()
      var found: [ScreenKey] = []
      for byte in text.utf8 { found += reader.keys(in: [byte]) }
      #expect(found.count == 1, "\(text.unicodeScalars.map(\.value))")
    }
  }

  @Test func aLoneEscapeIsAKeyAfterAPause() {
    var reader = ScreenKeyReader()
    #expect(reader.keys(in: [0x1B]) == [])
    #expect(reader.keysAfterPause() == [.escape])
    #expect(reader.keysAfterPause() == [])
    #expect(keys("\u{1B}x") == [.escape, .text("x")])
  }

  @Test func pastedTextIsOneKeyWithoutControlCharacters() {
    #expect(keys("a\u{1B}[200~q é電\u{1B}[201~b") == [.text("a"), .paste("q é電"), .text("b")])
    #expect(keys("\u{1B}[200~a\r\nb\rc\nd\te\u{1B}[201~") == [.paste("a b c d e")])
    #expect(keys("\u{1B}[200~x\u{3}\u{1B}[A\u{7F}\u{9B}y\u{1B}[201~") == [.paste("x[Ay")])
    #expect(keys("\u{1B}[200~\u{1B}[201~q") == [.paste(""), .text("q")])
  }

  @Test func pastedTextInPiecesIsOneKey() {
    let bytes = Array("\u{1B}[200~q \u{1B}[20x 電\u{1B}[201~".utf8)
    for length in 1...bytes.count {
      var reader = ScreenKeyReader()
      var found: [ScreenKey] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        found += reader.keys(in: bytes[start..<min(bytes.count, start + length)])
        // A slow connection delivers the parts of one text with pauses in between.
        if start + length >= 6 { found += reader.keysAfterPause() }
      }
      #expect(found == [.paste("q [20x 電")], "parts of \(length)")
    }
  }

  @Test func pastedTextWithoutAnEndEndsAfterALongPause() {
    var reader = ScreenKeyReader()
    #expect(reader.keys(in: Array("\u{1B}[200~q ".utf8)) == [])
    for _ in 1..<ScreenKeyReader.pausesOfPaste { #expect(reader.keysAfterPause() == []) }
    #expect(reader.keysAfterPause() == [.paste("q ")])
    #expect(reader.keys(in: Array("q".utf8)) == [.text("q")])
  }

  @Test func pastedTextHasALimit() {
    let text = String(repeating: "電", count: 100_000)
    let limit = ScreenKeyReader.pasteLimit
    #expect(keys("\u{1B}[200~\(text)\u{1B}[201~q") == [.paste(String(text.prefix(limit / 3))), .text("q")])
  }

  @Test(arguments: 1...300)
  func anyBytesEndInKeysAndNoneIsReadTwice(seed: Int) {
    let random = SeededRandom(seed: UInt64(seed))
    var reader = ScreenKeyReader()
    var count = 0
    for _ in 0..<200 { count += reader.keys(in: [UInt8(random.integer(in: 0...255))]).count }
    for _ in 0..<ScreenKeyReader.pausesOfPaste { _ = reader.keysAfterPause() }
    #expect(count <= 200, "seed \(seed)")
    #expect(reader.keys(in: Array("q".utf8)) == [.text("q")], "seed \(seed)")
  }
}
