import ReeluxFavorites
import Testing

@Suite struct FavoritesPolicyTests {
  @Test func pausesGrowUpToTheLongest() {
    let policy = FavoritesPolicy(firstPause: .seconds(1), growth: 3, longestPause: .seconds(20), jitter: 0)
    let pauses = (2...7).map { policy.pause(before: $0, chance: 0.7) }
    #expect(pauses == [1, 3, 9, 20, 20, 20].map { .seconds($0) })
  }

  @Test func jitterShortensAPauseByAtMostItsPart() {
    let policy = FavoritesPolicy(firstPause: .seconds(1), growth: 2, jitter: 0.25)
    #expect(policy.pause(before: 2, chance: 0) == .seconds(1))
    #expect(policy.pause(before: 2, chance: 1) == .milliseconds(750))
    #expect(policy.pause(before: 3, chance: 0.5) == .milliseconds(1_750))
  }

  @Test(arguments: [-1, 0, .nan, .infinity, -.infinity, 2, 1e300] as [Double])
  func senselessNumbersAreBroughtIntoTheirRange(number: Double) {
    let policy = FavoritesPolicy(
      limit: -3, attempts: 0, firstPause: .seconds(-1), growth: number, longestPause: .seconds(9), jitter: number,
      undoDepth: -1)
    #expect(policy.limit == 1)
    #expect(policy.attempts == 1)
    #expect(policy.undoDepth == 0)
    for attempt in [-1, 0, 1, 2, 50] {
      #expect((.zero ... .seconds(9)).contains(policy.pause(before: attempt, chance: number)))
    }
    let eager = FavoritesPolicy(growth: number, longestPause: .seconds(9), jitter: number)
    #expect((.zero ... .seconds(9)).contains(eager.pause(before: 50, chance: number)))
  }
}
