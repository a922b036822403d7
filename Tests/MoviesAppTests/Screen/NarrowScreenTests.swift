import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@testable import MoviesApp

/// Texts that are wider than their place.
@Suite(.timeLimit(.minutes(15))) struct NarrowScreenTests {
  @Test(arguments: [90, 80, 60])
  func aLongReasonOfAFailureIsShownToItsEnd(columns: Int) async {
    let reason = "nothing was changed: the favourites file '/home/me/movies/favorites.json' was removed"
    let stage = await Stage(ScreenSize(columns: columns, rows: 24))
    await stage.type(" ")
    await stage.answers.fail(FavoritesFailure(.storage, reason))
    let grid = stage.grid
    let column = ScreenLayout(size: grid.size).rightColumn
    let details = (2..<12).map { row in
      (column..<columns).map { grid[$0, row].text }.joined().trimmed
    }.joined(separator: " ")
    #expect(details.contains("failed: nothing was changed: the favourites file"))
    #expect(details.contains("was removed"))
  }

  @Test func aReasonThatIsTooLongEndsWithAnEllipsis() async {
    let reason = String(repeating: "the server has no time now and ", count: 20)
    let stage = await Stage(ScreenSize(columns: 80, rows: 16))
    await stage.type(" ")
    await stage.answers.fail(FavoritesFailure(.refused, reason))
    let rows = stage.grid.text.split(separator: "\n", omittingEmptySubsequences: false)[2..<10]
    #expect(rows.contains { $0.hasSuffix("…") }, "\(stage.grid.text)")
  }

  @Test func aLongChangeIsContinuedInTheNextRow() async {
    let stage = await Stage(ScreenSize(columns: 80, rows: 24))
    await stage.type(" ")
    let text = stage.grid.text
    #expect(text.contains("The Arrival of a Train is a"))
    #expect(text.contains("answered yet"))
  }
}
