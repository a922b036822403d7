// The test that the page of the location feature shows, and what the page says about restored states.
// snippet.test
import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxTesting
import Testing

@Suite(.timeLimit(.minutes(15))) struct LocationGuideTests {
  let home = Coordinate(normalizing: 52.5163, longitude: 13.3777)
  var cinema: Coordinate { home.moved(by: 500, bearing: 45) }

  @Test func aWalkIsFollowedToItsEnd() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: LocationState(authorization: .whenInUse),
      feature: .location(feed: .simulated(.line(from: home, to: cinema), clock: clock)))
    store.exhaustivity.remove(.stateChanges)
    await store.send(.startPosition()) { $0.position.phase = .running }
    await clock.run()  // to the end of the track
    await store.receive(case: LocationAction.response) { $0.position.fixes = 1 }
    await store.skipReceivedActions()
    #expect(store.state.position.phase == .stopped)
    #expect(store.state.position.distance.rounded() == 500)
    await store.assertFinished()
  }
  // snippet.end

  @Test func aRestoredStateStartsItsRunningServicesAgain() async {
    var restored = LocationState(authorization: .whenInUse)
    restored.position.phase = .running
    restored.position.fixes = 7
    let clock = TestClock()
    let store = TestStore(
      initialState: restored, feature: .location(feed: .simulated(.line(from: home, to: cinema), clock: clock)))
    store.exhaustivity = .none
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state.position.fixes > 7 + 50)
    #expect(store.state.position.phase == .stopped)
  }
  // snippet.test
}
// snippet.end
