import ReeluxCore
import ReeluxTestSupport
import Testing

@testable import ReeluxLocation

/// Facts that no other test checks, as deliberate defects have shown: see Scripts/reliability, `mutate`.
@Suite(.timeLimit(.minutes(15))) struct RareLocationTests {
  private let reducer = Reducer<LocationAction, LocationState>.location

  private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(normalizing: latitude, longitude: longitude)
  }

  private func fix(_ latitude: Double, _ longitude: Double, altitude: Double? = nil, at seconds: Double = 0)
    -> LocationFix
  {
    LocationFix(
      coordinate: place(latitude, longitude), timestamp: Timestamp(secondsSince1970: seconds), altitude: altitude)
  }

  @Test(.conformance(76)) func permissionIsAskedForOnce() {
    var state = LocationState()
    #expect(reducer.reduce(.requestAuthorization, &state))
    #expect(!reducer.reduce(.requestAuthorization, &state))
  }

  @Test(.conformance(77)) func startingWithTheSameOptionsChangesNothing() {
    var state = LocationState(authorization: .always)
    #expect(reducer.reduce(.startPosition(), &state))
    reducer.reduce(.response(.moved([fix(0, 0)])), &state)
    #expect(!reducer.reduce(.startPosition(), &state))
    #expect(state.position.fixes == 1)
    #expect(reducer.reduce(.startPosition(PositionOptions(minimumDistance: 5)), &state))
  }

  @Test func aRequiredAccuracyThatIsNotANumberIsNoLimit() {
    var state = LocationState(authorization: .always)
    reducer.reduce(.requestPosition(requiredAccuracy: .nan), &state)
    #expect(state.request.requiredAccuracy == nil)
    #expect(!reducer.reduce(.requestPosition(requiredAccuracy: .nan), &state))
    #expect(state.request.number == 1)
  }

  @Test func aRequestWithAnotherAccuracyIsAnotherRequest() {
    var state = LocationState(authorization: .always)
    reducer.reduce(.requestPosition(), &state)
    #expect(reducer.reduce(.requestPosition(requiredAccuracy: 10), &state))
    #expect(state.request.requiredAccuracy == 10)
    #expect(state.request.number == 2)
  }

  @Test func startingVisitsAgainKeepsTheirNumber() {
    var state = LocationState(authorization: .always)
    reducer.reduce(.startVisits, &state)
    let visit = Visit(coordinate: place(0, 0), radius: 5, arrival: .epoch, departure: Timestamp(secondsSince1970: 9))
    reducer.reduce(.response(.visited(visit)), &state)
    #expect(!reducer.reduce(.startVisits, &state))
    #expect(state.visits.ended == 1)
  }

  @Test func aRegionThatFailedIsMonitoredAgain() {
    var state = LocationState(authorization: .always)
    let region = LocationRegion(id: "r", center: place(0, 0), radius: 10)
    reducer.reduce(.monitor(region), &state)
    reducer.reduce(.response(.failed(LocationError(service: .region("r"), reason: .unavailable))), &state)
    #expect(state.wantedServices.isEmpty)
    #expect(reducer.reduce(.monitor(region), &state))
    #expect(state.wantedServices == [.region("r")])
  }

  @Test(.conformance(76)) func anErrorOfOneServiceStopsNoOtherOneThatWaitsForPermission() {
    var state = LocationState()
    for action in [LocationAction.startPosition(), .startHeading()] { reducer.reduce(action, &state) }
    reducer.reduce(.response(.failed(LocationError(service: .heading, reason: .unavailable))), &state)
    #expect(state.wantedServices == [.position])
  }

  @Test func eachOneShotRequestHasANumberOfItsOwn() {
    var state = LocationState(authorization: .always)
    reducer.reduce(.requestPosition(), &state)
    let first = state.request.number
    reducer.reduce(.cancelPositionRequest, &state)
    reducer.reduce(.requestPosition(), &state)
    #expect(state.request.number == first + 1)
  }

  @Test(.conformance(77, 79)) func regionsAreEnteredOnceAndEndWithEverything() {
    var state = LocationState(authorization: .always)
    reducer.reduce(.monitor(LocationRegion(id: "r", center: place(0, 0), radius: 10)), &state)
    #expect(reducer.reduce(.response(.regionEntered("r")), &state))
    #expect(!reducer.reduce(.response(.regionEntered("r")), &state))
    #expect(state.regions["r"]?.entries == 1)
    #expect(reducer.reduce(.stopAll, &state))
    #expect(state.regions.isEmpty)
  }

  @Test func aVisitCountsAsEndedWhenItHasADeparture() {
    var state = LocationState(authorization: .always)
    reducer.reduce(.startVisits, &state)
    var visit = Visit(coordinate: place(0, 0), radius: 5, arrival: .epoch)
    reducer.reduce(.response(.visited(visit)), &state)
    #expect(state.visits.ended == 0)
    visit.departure = Timestamp(secondsSince1970: 60)
    reducer.reduce(.response(.visited(visit)), &state)
    #expect(state.visits.ended == 1)
  }

  @Test func everyEdgeOfAPolygonIsAnEdge() {
    let corners = [place(0, 0), place(0, 1), place(1, 1), place(1, 0)]
    let region = LocationRegion(id: "p", polygon: corners)
    for near in [place(-0.001, 0.5), place(0.5, 1.001), place(1.001, 0.5), place(0.5, -0.001)] {
      #expect((50...200).contains(region.distance(to: near)))
    }
  }

  @Test func beyondTheEndsOfAnArcTheNearestPlaceIsAnEnd() {
    let (start, end) = (UnitVector(place(0, 0)), UnitVector(place(0, 1)))
    for beyond in [place(0, 2), place(0, -1)] {
      #expect(abs(UnitVector(beyond).metres(toArc: start, end) - 111_195) < 500)
    }
    #expect(UnitVector(place(0, 0.5)).metres(toArc: start, end) < 1)
  }

  @Test func smallClimbsAndGapsDoNotAddUp() {
    var summary = TravelSummary(minimumClimb: 3)
    for (second, altitude) in [0.0, 1, 2, 1, 0, 1, 2].enumerated() {
      summary.add(fix(0, 0, altitude: altitude, at: Double(second)))
    }
    #expect(summary.ascent == 0)
    #expect(summary.descent == 0)
    summary.interrupt()
    summary.add(fix(1, 1, at: 100))
    #expect(summary.distance == 0)
  }

  @Test func whatIsJustWithinTheEdgeIsInside() {
    let region = LocationRegion(id: "c", center: place(0, 0), radius: 10)
    // A metre is 1/110,574 of a degree of latitude at the equator.
    #expect(region.contains(place(9.5 / 110_574, 0)))
    #expect(!region.contains(place(10.5 / 110_574, 0)))
  }

  @Test func standingIsNoMovingAndADescentNoAscent() {
    var summary = TravelSummary(minimumClimb: 3)
    summary.add(fix(0, 0, altitude: 100))
    summary.add(fix(0, 0, altitude: 50, at: 60))
    #expect(summary.duration == 60)
    #expect(summary.movingTime == 0)
    #expect(summary.ascent == 0)
    #expect(summary.descent == 50)
  }

  @Test func aFilterByIntervalContinuesAfterTheClockWasSetBack() {
    var filter = FixFilter(PositionOptions(minimumInterval: 60))
    let accepted = [1000.0, 1059, 1060, 400, 459, 460].filter { filter.accepts(fix(0, 0, at: $0)) }
    #expect(accepted == [1000, 1060, 400, 460])
  }

  @Test func onlyThePathInMotionCountsForTheMovingSpeed() {
    var summary = TravelSummary()
    // Ten metres of walking, two metres at rest, and a kilometre without a time.
    for (metres, seconds) in [(0.0, 0.0), (10, 10), (12, 20), (1012, 20)] {
      let there = place(0, 0).moved(by: metres, bearing: 90)
      summary.add(fix(there.latitude, there.longitude, at: seconds))
    }
    #expect(abs(summary.distance - 1012) < 0.001)
    #expect(abs(summary.movingSpeed - 1) < 0.001)
  }
}
