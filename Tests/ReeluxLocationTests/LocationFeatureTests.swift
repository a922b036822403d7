import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Foundation
import ReeluxLocation
import Testing

@Suite(.timeLimit(.minutes(1))) struct LocationFeatureTests {
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
    await store.receive(.authorizationChanged(.whenInUse)) {
      $0.authorization = .whenInUse
      $0.position.phase = .running
    }
    await store.receive(.moved([fixes[0]])) {
      $0.position.latest = fixes[0]
      $0.position.fixes = 1
      $0.position.isInterrupted = false
    }
    await clock.advance(by: .seconds(1))
    await store.receive(.moved([fixes[1]])) {
      $0.position.latest = fixes[1]
      $0.position.fixes = 2
      $0.position.distance = fixes[0].coordinate.distance(to: fixes[1].coordinate)
    }
    await store.receive(.ended(.position)) { $0.position.phase = .stopped }
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
    await store.receive(.moved([fixes[0]])) {
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
      await store.receive(.ended(.position))
      #expect(store.state.position.fixes == 2)
    }
    await store.assertFinished()
  }

  @Test(.conformance(76)) func aRefusalStopsWhatWaitedInTheSameAction() {
    var state = LocationState()
    let reducer = Reducer<LocationAction, LocationState>.location
    for action in [LocationAction.startPosition(), .startHeading(), .requestAuthorization] {
      #expect(reducer.reduce(action, &state))
    }
    #expect(state.wantedServices == [.position, .heading])
    #expect(reducer.reduce(.authorizationChanged(.denied), &state))
    #expect(state.wantedServices.isEmpty)
    #expect(!state.isAskingForAuthorization)
    #expect(!reducer.reduce(.startPosition(), &state))
  }

  @Test func anActionThatChangesNothingIsNotAccepted() {
    var state = LocationState(authorization: .always)
    let reducer = Reducer<LocationAction, LocationState>.location
    #expect(reducer.reduce(.startPosition(), &state))
    let before = state
    let idle: [LocationAction] = [
      .startPosition(), .moved([]), .interrupted, .requestAuthorization, .authorizationChanged(.always), .stopHeading,
      .ended(.visits), .regionEntered("nowhere"), .stopMonitoring("nowhere"), .cancelPositionRequest,
    ]
    for action in idle { #expect(!reducer.reduce(action, &state)) }
    #expect(state == before)
  }

  @Test func actionsAndStatesSurviveJSON() throws {
    let region = CircularRegion(id: "r", center: north, radius: 5)
    let actions: [LocationAction] = [
      .startPosition(PositionOptions(minimumDistance: 1, requiredAccuracy: 2)), .monitor(region),
      .moved(twoFixes.fixes), .failed(LocationError(service: .region("r"), reason: .failed("why"))),
      .regionDetermined("r", .inside), .ended(.significantChange),
    ]
    #expect(try roundTrip(actions) == actions)
    var state = LocationState(authorization: .whenInUse)
    for action in actions { Reducer<LocationAction, LocationState>.location.reduce(action, &state) }
    #expect(try roundTrip(state) == state)
  }

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }
}
