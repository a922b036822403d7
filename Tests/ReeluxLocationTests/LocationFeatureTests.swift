import ReeluxCore
import Foundation
import ReeluxLocation
import ReeluxTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct LocationFeatureTests {
  private let north = Coordinate(normalizing: 1, longitude: 0)

  /// Two fixes, a second apart.
  private var twoFixes: [LocationFix] {
    [
      LocationFix(coordinate: north, timestamp: .epoch, speed: 1, course: 2),
      LocationFix(
        coordinate: north.moved(by: 10, bearing: 90), timestamp: Timestamp(secondsSince1970: 1), speed: 3, course: 4),
    ]
  }

  @Test(.conformance(76)) func aRefusalStopsWhatWaitedInTheSameAction() {
    var state = LocationState()
    let reducer = Reducer<LocationAction, LocationState>.location
    for action in [LocationAction.startPosition(), .startHeading(), .requestAuthorization] {
      #expect(reducer.reduce(action, &state))
    }
    #expect(state.wantedServices == [.position, .heading])
    #expect(reducer.reduce(.response(.authorizationChanged(.denied)), &state))
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
      .startPosition(), .response(.moved([])), .response(.interrupted), .dismissError, .requestAuthorization,
      .response(.authorizationChanged(.always)), .stopHeading,
      .response(.ended(.visits)), .response(.regionEntered("nowhere")), .stopMonitoring("nowhere"),
      .cancelPositionRequest,
    ]
    for action in idle { #expect(!reducer.reduce(action, &state)) }
    #expect(state == before)
  }

  @Test func aRepeatedResponseIsNotAccepted() {
    var state = LocationState(authorization: .always)
    let reducer = Reducer<LocationAction, LocationState>.location
    let fix = twoFixes[0]
    let error = LocationError(service: .position, reason: .unavailable)
    let responses: [LocationAction] = [
      .response(.positionReceived(fix)), .response(.significantlyMoved(fix)),
      .response(.headingChanged(Heading(degrees: 1, timestamp: .epoch))),
      .response(.visited(Visit(coordinate: north, radius: 5, arrival: .epoch))), .response(.failed(error)),
    ]
    for response in responses { #expect(reducer.reduce(response, &state)) }
    let before = state
    for response in responses { #expect(!reducer.reduce(response, &state)) }
    #expect(state == before)
    // The same response to a new request, and the same error of a new start, stop the service.
    let again: [LocationAction] = [
      .requestPosition(), .response(.positionReceived(fix)), .startPosition(), .response(.failed(error)),
    ]
    for action in again { #expect(reducer.reduce(action, &state)) }
    #expect(state.wantedServices.isEmpty)
  }

  @Test func actionsAndStatesSurviveJSON() throws {
    let region = LocationRegion(id: "r", center: north, radius: 5)
    let actions: [LocationAction] = [
      .startPosition(PositionOptions(minimumDistance: 1, requiredAccuracy: 2)), .monitor(region),
      .response(.moved(twoFixes)), .response(.failed(LocationError(service: .region("r"), reason: .failed("why")))),
      .response(.regionDetermined("r", .inside)), .response(.ended(.significantChange)),
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
