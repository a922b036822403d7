import Foundation
import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@testable import MoviesApp

/// The screens as golden grids, in which each cell was approved. `Scripts/screens` writes them again.
@Suite(.timeLimit(.minutes(15))) struct GoldenGridTests {
  private static let sizes = [ScreenSize(columns: 80, rows: 24), ScreenSize(columns: 120, rows: 40)]

  @Test(arguments: StageMoment.allCases, sizes)
  func momentIsGolden(moment: StageMoment, size: ScreenSize) async throws {
    let grid = await moment.grid(size)
    try GoldenGrid.check(grid, "\(moment)-\(size.columns)x\(size.rows)")
  }

  @Test func helpAndLogAreGolden() async throws {
    let stage = await Stage(ScreenSize(columns: 80, rows: 24))
    await stage.type("?")
    try GoldenGrid.check(stage.grid, "help-80x24")
    await stage.press(.escape, .tab, .up)
    try GoldenGrid.check(stage.grid, "log-80x24")
  }

  @Test func aTerminalThatIsTooSmallSaysSo() async throws {
    try GoldenGrid.check(await Stage(ScreenSize(columns: 40, rows: 8)).grid, "small-40x8")
  }

  /// Titles with characters that are wide, combine, join or change their direction, and a search for one of them.
  @Test func wideAndCombiningCharactersAreGolden() async throws {
    let titles = [
      "千と千尋の神隠し", "Ame\u{301}lie", "Кин-дза-дза!", "기생충", "🎬 A Film 🇫🇷", "👩‍👩‍👧 Family",
      "千と千尋の神隠しと非常に長い題名のための試験", "भारत", "x\u{202E}turned", "Ⅱ ½ ﬁn",
    ]
    let catalog = Catalog(
      name: "wide",
      movies: Movies(
        titles.enumerated().map {
          Movie(id: "\($0.offset)", title: $0.element, year: 2000 + $0.offset, genres: ["劇"])
        }))
    let stage = await Stage(ScreenSize(columns: 80, rows: 24), catalog: catalog)
    await stage.type(" ")
    await stage.press(.down)
    try GoldenGrid.check(stage.grid, "wide-80x24")
    await stage.type("/千")
    await stage.clock.advance(by: .milliseconds(60))
    try GoldenGrid.check(stage.grid, "wide-search-80x24")
  }

  @Test func aGoldenFileHoldsTheWholeGrid() async throws {
    var grid = await StageMoment.past.grid(ScreenSize(columns: 80, rows: 24))
    #expect(try GoldenGrid(text: GoldenGrid(grid).text).cells == GoldenGrid(grid).withoutLineNumbers)
    let before = GoldenGrid(grid)
    grid[79, 23] = Grid.Cell(text: "x", look: .bad)
    #expect(try GoldenGrid(text: GoldenGrid(grid).text).cells != before.cells)
  }
}

/// The pictures of the documentation show the present program. `Scripts/screens` writes them again.
@Suite(.timeLimit(.minutes(15))) struct ScreenPictureTests {
  private static let folder = "Packages/Core/Sources/ReeluxCore/ReeluxCore.docc/Resources"

  private func check(_ grid: Grid, _ name: String, _ title: String) throws {
    let file = Repository.url("\(Self.folder)/\(name).svg")
    let svg = GridPicture(grid: grid, title: title).svg
    if Repository.isWriting {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      return try svg.write(to: file, atomically: true, encoding: .utf8)
    }
    let known = try String(contentsOf: file, encoding: .utf8)
    #expect(withoutLineNumbers(svg) == withoutLineNumbers(known), "Scripts/screens makes \(name).svg anew")
  }

  /// Source lines change with every line of code. Only the number of their digits is compared.
  private func withoutLineNumbers(_ svg: String) -> String {
    svg.replacing(/(\.swift|>):([0-9]+)/) { match in match.1 + ":" + String(repeating: "0", count: match.2.count) }
  }

  @Test(
    arguments: [
      (.search, "A search as it is typed"),
      (.hearts, "A favourite that is confirmed, one that is asked for, one refused"),
      (.walk, "A walk on the map, and the nearest cinema"), (.past, "The past, with the action that led to it"),
    ] as [(StageMoment, String)])
  func browse(moment: StageMoment, title: String) async throws {
    try check(await moment.grid(ScreenSize(columns: 80, rows: 24)), "browse-\(moment)", title)
  }

  @Test func list() async throws {
    let text = await CommandPage.text(
      of: ["list --genre horror,mystery --sort year", "search cabinet caligary", "favorite add faust-1926"], width: 100)
    try check(Grid(styled: text, columns: 100), "list", "MoviesCLI list, search and favorite add")
  }

  @Test func demo() async throws {
    let text = await CommandPage.text(of: ["demo"], width: 96)
    try check(Grid(styled: text, columns: 96), "demo", "MoviesCLI demo")
  }
}

/// Commands in process, with the output for a terminal with 256 colours.
private enum CommandPage {
  static func text(of lines: [String], width: Int) async -> String {
    let text = Locked("")
    var console = Console(
      output: { piece, _ in text.withLock { $0 += piece } }, errors: { piece in text.withLock { $0 += piece } })
    console.style = TextStyle(colors: .many, width: width)
    console.errorStyle = console.style
    var runner = CommandRunner(environment: ["HOME": "/nowhere"], console: { [console] _ in console })
    let server = FavoritesAPI<Movie.ID>.mock()
    runner.adjust = { outside in if lines != ["demo"] { outside.favorites = server } }
    for (place, line) in lines.enumerated() {
      text.withLock { $0 += (place == 0 ? "" : "\n") + "$ MoviesCLI \(line)\n" }
      _ = await runner.run(line.split(separator: " ").map(String.init))
    }
    return text.withLock { $0 }
  }
}
