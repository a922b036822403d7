import ReeluxCore
import ReeluxFavorites
import ReeluxLocation
import ReeluxTesting
import Testing

@testable import MoviesApp

/// The walk: its line of the log, and its map.
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

  @Test func theMapOfASecondWalkShowsNothingOfTheFirstOne() async {
    let stage = await Stage(ScreenSize(columns: 120, rows: 40))
    await stage.type("w")
    await stage.clock.advance(by: .seconds(100))
    await stage.type(" ")
    await stage.answers.succeed(())
    let early = stage.store.store.state.scene?.step
    await stage.clock.advance(by: .seconds(300))
    let first = stage.store.store.state.scene?.trail ?? []
    await stage.type("ww")
    await stage.clock.advance(by: .seconds(100))
    let second = stage.store.store.state.scene?.trail ?? []
    // The second walk goes on where the first one was stopped.
    #expect(second.count > 1 && second.first == first.last)
    #expect(second.count == stage.store.store.state.cinemas.steps.last?.number)
    for _ in 0..<20 where stage.store.store.state.scene?.step != early { await stage.type("[") }
    #expect(stage.grid.text.contains("THE PAST") && early != nil)
    #expect(stage.store.store.state.scene?.step == early)
    #expect(stage.store.store.state.scene?.trail == early.map { [$0.fix.coordinate] })
  }
}
