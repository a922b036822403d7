import ReeluxCore
import ReeluxLocation
import ReeluxLocationSimulation
import ReeluxTesting
import ReeluxTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct SimulatedFeatureTests {
  private let north = Coordinate(normalizing: 1, longitude: 0)

  /// Two fixes, a second apart.
  private var twoFixes: (track: Track, fixes: [LocationFix]) {
    let points = [
      TrackPoint(coordinate: north, timestamp: .epoch, speed: 1, course: 2),
      TrackPoint(
        coordinate: north.moved(by: 10, bearing: 90), timestamp: Timestamp(secondsSince1970: 1), speed: 3, course: 4),
    ]
    let fixes = points.map {
      LocationFix(
        coordinate: $0.coordinate, timestamp: $0.timestamp ?? .epoch, speed: $0.speed, course: $0.course)
    }
    return (.points(points), fixes)
  }

  @Test(.conformance(76, 77, 80)) func aWalkFromTheQuestionToTheEndIsFixByFixOnTheClock() async {
    let clock = TestClock()
    let (track, fixes) = twoFixes
    let options = SimulationOptions(permission: .late(after: .seconds(2)))
    let store = TestStore(
      initialState: LocationState(),
      feature: .location(feed: .simulated(track, clock: clock, options: options)))
    await store.send(.startPosition()) {
      $0.position.phase = .awaitingAuthorization
      $0.position.isInterrupted = true
    }
    await clock.advance(by: .seconds(2))
    await store.receive(.response(.authorizationChanged(.whenInUse))) {
      $0.authorization = .whenInUse
      $0.position.phase = .running
    }
    await clock.advance(by: .microseconds(100))
    await store.receive(.response(.moved([fixes[0]]))) {
      $0.position.latest = fixes[0]
      $0.position.fixes = 1
      $0.position.isInterrupted = false
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.response(.moved([fixes[1]]))) {
      $0.position.latest = fixes[1]
      $0.position.fixes = 2
      $0.position.distance = fixes[0].coordinate.distance(to: fixes[1].coordinate)
    }
    await store.receive(.response(.ended(.position))) { $0.position.phase = .stopped }
    await store.assertFinished()
  }

  @Test(.conformance(77)) func stoppingMidwayLeavesNothingOpen() async {
    let clock = TestClock()
    let (track, fixes) = twoFixes
    let store = TestStore(
      initialState: LocationState(authorization: .always), feature: .location(feed: .simulated(track, clock: clock)))
    await store.send(.startPosition()) {
      $0.position.phase = .running
      $0.position.isInterrupted = true
    }
    await clock.advance(by: .microseconds(100))
    await store.receive(.response(.moved([fixes[0]]))) {
      $0.position.latest = fixes[0]
      $0.position.fixes = 1
      $0.position.isInterrupted = false
    }
    await store.send(.stopPosition) { $0.position.phase = .stopped }
    await clock.advance(by: .seconds(10))
    await store.assertFinished()
  }

  @Test func startingAgainAfterTheEndBeginsTheTrackAnew() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: LocationState(authorization: .always),
      feature: .location(feed: .simulated(twoFixes.track, clock: clock)), exhaustivity: .none)
    for _ in 0..<2 {
      await store.send(.startPosition())
      await clock.advance(by: .seconds(5))
      await store.receive(.response(.ended(.position)))
      #expect(store.state.position.fixes == 2)
    }
    await store.assertFinished()
  }
}
