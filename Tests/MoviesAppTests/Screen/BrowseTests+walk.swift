import ReeluxCore
import ReeluxFavorites
import ReeluxTesting
import Testing

@testable import MoviesApp

/// The numbers of actions that are one line of the log.
extension BrowseTests {
  @Test func stepsOfAWalkThatAreOneLineHaveTheNumberOfTheLastOne() async {
    let stage = await Stage(ScreenSize(columns: 120, rows: 40))
    await stage.type("w")
    await stage.clock.advance(by: .seconds(300))
    await stage.type("w")
    let numbers = stage.store.history.indices.filter { stage.store.history[$0].action.isStep }.map { $0 + 1 }
    guard let first = numbers.first, let last = numbers.last, numbers.count > 1 else {
      Issue.record("there are no steps: \(numbers)")
      return
    }
    #expect(stage.grid.text.contains("#\(first)–#\(last) location · moved ×\(numbers.count)"), "\(stage.grid.text)")
    for _ in 0..<10 where !stage.grid.text.contains("THE PAST, after action #\(last) ") { await stage.type("[") }
    #expect(stage.grid.text.contains("THE PAST, after action #\(last) "), "\(stage.grid.text)")
    #expect(stage.grid.text.contains("what #\(last) changed"))
    await stage.press(.enter)
    await stage.store.settle()
    #expect(!stage.grid.text.contains("THE PAST"))
  }

  @Test func theMapOfAnEarlierMomentEndsAtItsPosition() async {
    let stage = await Stage(ScreenSize(columns: 120, rows: 40))
    await stage.type("w")
    await stage.clock.advance(by: .seconds(100))
    await stage.type(" ")
    await stage.answers.succeed(())
    let trail = stage.store.store.state.scene?.trail ?? []
    await stage.clock.advance(by: .seconds(300))
    let later = stage.store.store.state.scene?.trail ?? []
    #expect(trail.count > 1 && later.count > trail.count)
    await stage.type("[[")
    #expect(stage.grid.text.contains("THE PAST"))
    #expect(stage.store.store.state.scene?.trail == trail)
    await stage.press(.escape)
    #expect(stage.store.store.state.scene?.trail == later)
  }
}
