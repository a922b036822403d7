import ReeluxCore
import ReeluxLocation
import ReeluxLocationTestSupport
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

@Suite(.timeLimit(.minutes(15))) struct SimulationTests {
  let start = Coordinate(normalizing: 52.52, longitude: 13.405)

  /// A track to the east and back with one fix each second, at ten metres per second.
  func thereAndBack(metres: Double) -> Track {
    let steps = Int(metres / 10)
    return .points(
      (0...(2 * steps)).map { index in
        let distance = Double(index <= steps ? index : 2 * steps - index) * 10
        return TrackPoint(
          coordinate: start.moved(by: distance, bearing: 90), timestamp: Timestamp(secondsSince1970: Double(index)))
      })
  }

  func fixes(_ actions: [LocationAction]) -> [LocationFix] {
    actions.flatMap { action -> [LocationFix] in if case .response(.moved(let fixes)) = action { fixes } else { [] } }
  }

  func region(at metres: Double, radius: Double) -> LocationRegion {
    LocationRegion(id: "r", center: start.moved(by: metres, bearing: 90), radius: radius)
  }

  @Test func everyPointGivesOneFixAndTheEndStopsTheService() async {
    let store = RecordedStore(.simulated(thereAndBack(metres: 500), speed: .max))
    store.dispatch(.startPosition())
    let state = await store.finished()
    #expect(state.position.fixes == 101)
    #expect(abs(state.position.distance - 1000) < 0.001)
    #expect(
      store.actions.prefix(2) == [.startPosition(), .response(.authorizationChanged(.whenInUse))])
    #expect(store.actions.last == .response(.ended(.position)))
  }

  @Test(arguments: [1, 7, 64, 1000]) func batchHoldsTheSameFixesInTheSameOrder(size: Int) async throws {
    let track = try Track.gpx(
      .text(
        "<gpx><trk><trkseg>"
          + (0..<100).map { "<trkpt lat='0' lon='0.00\(100 + $0)'/>" }.joined()
          + "</trkseg><trkseg><trkpt lat='1' lon='0'/><trkpt lat='1' lon='0.001'/></trkseg></trk></gpx>"))
    let options = SimulationOptions(seed: 3, dropoutProbability: 0.02, dropoutLength: 3, batchSize: size)
    let store = RecordedStore(.simulated(track, speed: .max, options: options))
    store.dispatch(.startPosition())
    let state = await store.finished()
    let one = RecordedStore(
      .simulated(track, speed: .max, options: SimulationOptions(seed: 3, dropoutProbability: 0.02, dropoutLength: 3)))
    one.dispatch(.startPosition())
    let expected = await one.finished()
    #expect(state == expected)
    #expect(fixes(store.actions) == fixes(one.actions))
    let counts = store.actions.map { action in
      if case .response(.moved(let fixes)) = action { fixes.count } else { 0 }
    }
    #expect(counts.max() ?? 0 <= size)
    #expect(size == 1 || store.actions.count < one.actions.count)
  }

  @Test func theWayBetweenSegmentsDoesNotCount() async throws {
    let track = try Track.gpx(
      .text(
        """
        <gpx><trk><trkseg><trkpt lat="0" lon="0"/><trkpt lat="0" lon="0.001"/></trkseg>
        <trkseg><trkpt lat="1" lon="0"/><trkpt lat="1" lon="0.001"/></trkseg></trk></gpx>
        """))
    let store = RecordedStore(.simulated(track, speed: .max))
    store.dispatch(.startPosition())
    let state = await store.finished()
    #expect(state.position.fixes == 4)
    // 0.001 degrees of longitude at the latitudes 0 and 1, computed with GeographicLib.
    #expect(abs(state.position.distance - (111.319_491 + 111.302_650)) < 0.001)
    #expect(fixes(store.actions)[2].course == nil)
    #expect(abs((fixes(store.actions)[3].course ?? 0) - 90) < 0.001)
  }

  /// A batch is for the speed `.max` only.
  @Test(arguments: [1, 64]) func fixesComeAtTheirTimesOnTheClock(batchSize: Int) async {
    let clock = TestClock()
    let options = SimulationOptions(batchSize: batchSize)
    let store = RecordedStore(
      .simulated(thereAndBack(metres: 20), speed: 10, clock: clock, options: options), authorization: .always)
    store.dispatch(.startPosition())
    await clock.begin()
    for index in 0..<5 {
      await store.state { $0.position.fixes == index + 1 }
      guard index < 4 else { break }
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(99))
      #expect(store.state.position.fixes == index + 1)
      await clock.advance(by: .milliseconds(1))
    }
    await store.finished()
  }

  @Test func aTrackWithoutTimesIsFollowedAtThePace() async {
    let track = Track.coordinates([start, start.moved(by: 30, bearing: 0), start.moved(by: 90, bearing: 0)])
    let options = SimulationOptions(pace: 3, startTime: Timestamp(secondsSince1970: 1000))
    let store = RecordedStore(.simulated(track, speed: .max, options: options))
    store.dispatch(.startPosition())
    await store.finished()
    #expect(
      fixes(store.actions).map { ($0.timestamp.secondsSince1970 * 1000).rounded() } == [
        1_000_000, 1_010_000, 1_030_000,
      ])
    #expect(fixes(store.actions).map { $0.speed.map { ($0 * 1000).rounded() } } == [nil, 3000, 3000])
  }

  @Test(arguments: [1, 1000]) func pointsWithoutATimeGetItFromThePointsAround(batchSize: Int) async {
    /// Metres from the start, and seconds where they are known.
    let points: [(metres: Double, seconds: Double?)] = [
      (0, nil), (14, nil), (28, 1000), (38, nil), (68, nil), (68, 1020), (70, 1030), (84, nil), (98, nil),
    ]
    let track = Track.points(
      points.map {
        TrackPoint(
          coordinate: start.moved(by: $0.metres, bearing: 0),
          timestamp: $0.seconds.map { Timestamp(secondsSince1970: $0) })
      })
    let store = RecordedStore(
      .simulated(track, speed: .max, options: SimulationOptions(pace: 1.4, batchSize: batchSize)))
    store.dispatch(.startPosition())
    await store.finished()
    #expect(
      fixes(store.actions).map { $0.timestamp.secondsSince1970.rounded() } == [
        980, 990, 1000, 1005, 1020, 1020, 1030, 1040, 1050,
      ])
  }

  @Test func speedAndCourseAreThoseOfTheWayUnlessTheSourceStatesThem() async {
    let points = [
      TrackPoint(coordinate: start, timestamp: .epoch),
      TrackPoint(coordinate: start.moved(by: 50, bearing: 45), timestamp: Timestamp(secondsSince1970: 10)),
      TrackPoint(
        coordinate: start, timestamp: Timestamp(secondsSince1970: 20), speed: 1, course: 2),
    ]
    let store = RecordedStore(.simulated(.points(points), speed: .max))
    store.dispatch(.startPosition())
    await store.finished()
    let found = fixes(store.actions)
    #expect(found[0].speed == nil && found[0].course == nil)
    #expect(abs((found[1].speed ?? 0) - 5) < 1e-6)
    #expect(abs((found[1].course ?? 0) - 45) < 0.001)
    #expect(found[2].speed == 1 && found[2].course == 2)
  }

  @Test(.conformance(76)) func permissionThatComesLateStartsTheServicesThen() async {
    let clock = TestClock()
    let options = SimulationOptions(permission: .late(after: .seconds(3)))
    let store = RecordedStore(.simulated(thereAndBack(metres: 20), speed: .max, clock: clock, options: options))
    store.dispatch(.startPosition())
    await clock.sleepers(atLeast: 1)
    #expect(store.state.position.phase == .awaitingAuthorization)
    await clock.advance(by: .seconds(3))
    await clock.begin()
    let state = await store.finished()
    #expect(state.position.fixes == 5)
  }

  @Test(.conformance(76), arguments: [SimulatedPermission.denied, .restricted])
  func permissionThatIsDeniedGivesAnErrorAndNoFix(permission: SimulatedPermission) async {
    let store = RecordedStore(
      .simulated(thereAndBack(metres: 20), speed: .max, options: SimulationOptions(permission: permission)))
    store.dispatch(.startPosition())
    let state = await store.state { $0.lastError != nil }
    #expect(state.lastError?.service == .position)
    #expect(state.position.fixes == 0)
  }

  @Test(.conformance(79)) func enteringAndLeavingARegionYieldsOneEventEach() async {
    let store = RecordedStore(.simulated(thereAndBack(metres: 500), speed: .max))
    store.dispatch(.monitor(region(at: 300, radius: 50)))
    await store.state { $0.regions["r"]?.phase == .stopped }
    #expect(
      store.actions.dropFirst(2) == [
        .response(.regionDetermined("r", .outside)), .response(.regionEntered("r")), .response(.regionLeft("r")),
        .response(.regionEntered("r")),
        .response(.regionLeft("r")), .response(.ended(.region("r"))),
      ])
  }

  @Test(.conformance(79)) func standingAtTheEdgeOfARegionEntersItOnce() {
    let edge = region(at: 0, radius: 100)
    var watch = RegionWatch(edge, hysteresis: 20)
    let wavering = [150, 101, 99, 105, 98, 119, 100.5, 119, 99, 121, 101, 119, 99].map { metres in
      watch.update(LocationFix(coordinate: start.moved(by: metres, bearing: 10), timestamp: .epoch))
    }
    #expect(wavering.compactMap { $0 } == [.determined(.outside), .entered, .left, .entered])
    #expect(wavering[2] == .entered && wavering[9] == .left && wavering[12] == .entered)
  }

  @Test(.conformance(79)) func filtersHoldUnderSimulation() async {
    let store = RecordedStore(.simulated(thereAndBack(metres: 500), speed: .max))
    store.dispatch(.startPosition(PositionOptions(minimumDistance: 95)))
    await store.finished()
    #expect(fixes(store.actions).map(\.timestamp.secondsSince1970) == [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    store.dispatch(.startPosition(PositionOptions(minimumInterval: 50)))
    await store.finished()
    #expect(fixes(store.actions).suffix(3).map(\.timestamp.secondsSince1970) == [0, 50, 100])
  }

  @Test(.conformance(79)) func aRequestUnderSimulationIsAnsweredByThePresent() async {
    let clock = TestClock()
    let store = RecordedStore(.simulated(thereAndBack(metres: 500), clock: clock), authorization: .whenInUse)
    store.dispatch(.startPosition())
    await clock.begin()
    for second in 1...20 {
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await store.state { $0.position.fixes == second + 1 }
    }
    store.dispatch(.requestPosition())
    let state = await store.state { $0.request.response != nil }
    #expect(state.request.response == state.position.latest)
    #expect(state.request.response?.timestamp.secondsSince1970 == 20)
  }

  @Test func significantChangesAreFarApart() async {
    let store = RecordedStore(
      .simulated(thereAndBack(metres: 1000), speed: .max, options: SimulationOptions(significantDistance: 395)))
    store.dispatch(.startSignificantChange)
    await store.finished()
    let seconds = store.actions.compactMap { action in
      if case .response(.significantlyMoved(let fix)) = action { fix.timestamp.secondsSince1970 } else { nil }
    }
    #expect(seconds == [0, 40, 80, 160, 200])
  }

  @Test func headingsFollowTheCourse() async {
    let store = RecordedStore(.simulated(thereAndBack(metres: 100), speed: .max))
    store.dispatch(.startHeading())
    await store.finished()
    let degrees = store.actions.compactMap {
      if case .response(.headingChanged(let heading)) = $0 { heading.degrees } else { nil }
    }
    #expect(degrees.count == 2)
    #expect(zip(degrees, [90.0, 270]).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test func aStayIsAVisitFromItsFirstFixToItsLast() {
    var watch = VisitWatch(radius: 50, duration: 60)
    let places: [(metres: Double, seconds: Double)] = [
      (0, 0), (100, 10), (120, 40), (90, 69), (100, 70), (110, 200), (300, 210), (600, 220),
    ]
    let visits = places.map { place in
      watch.update(
        LocationFix(
          coordinate: start.moved(by: place.metres, bearing: 0),
          timestamp: Timestamp(secondsSince1970: place.seconds)))
    }
    // After a minute it is known to be a visit. It has ended when the device is elsewhere.
    #expect(visits.map { $0?.arrival?.secondsSince1970 } == [nil, nil, nil, nil, 10, nil, 10, nil])
    #expect(visits[4]?.departure == nil)
    #expect(visits[6]?.departure?.secondsSince1970 == 200)
  }

  @Test func aVisitDoesNotEndBeforeItBegan() {
    var watch = VisitWatch(radius: 50, duration: 60)
    let visits = [(0.0, 1000.0), (0, 1100), (0, 900), (600, 1500)].map { place in
      watch.update(
        LocationFix(
          coordinate: start.moved(by: place.0, bearing: 0), timestamp: Timestamp(secondsSince1970: place.1)))
    }
    #expect(visits.last??.departure?.secondsSince1970 == 1000)
  }

  @Test func noiseStaysNearItsMeasureAndIsStated() async {
    let store = RecordedStore(
      .simulated(thereAndBack(metres: 5000), speed: .max, options: SimulationOptions(seed: 7, noise: 10)))
    store.dispatch(.startPosition())
    await store.finished()
    var points: [TrackPoint] = []
    var opened = try? thereAndBack(metres: 5000).open()
    while let point = try? opened?.next() { points.append(point) }
    let errors = zip(fixes(store.actions), points).map { $0.coordinate.distance(to: $1.coordinate) }
    let square = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
    // There are two directions, each with a standard deviation of ten metres.
    #expect(abs(square.squareRoot() - 14.1) < 1)
    #expect(fixes(store.actions).allSatisfy { $0.horizontalAccuracy == 10 })
  }

  @Test func dropoutsLoseRunsOfFixes() async {
    let options = SimulationOptions(seed: 3, dropoutProbability: 0.02, dropoutLength: 5)
    let store = RecordedStore(.simulated(thereAndBack(metres: 5000), speed: .max, options: options))
    store.dispatch(.startPosition())
    let state = await store.finished()
    let seconds = fixes(store.actions).map(\.timestamp.secondsSince1970)
    let gaps = zip(seconds, seconds.dropFirst()).map { $1 - $0 }.filter { $0 > 1 }
    #expect(!gaps.isEmpty)
    #expect(gaps.allSatisfy { ($0 - 1).truncatingRemainder(dividingBy: 5) == 0 })
    #expect(state.position.fixes < 1001)
  }

  @Test(.conformance(119)) func aDropoutInterruptsAndTheWayThroughItIsNotTravelled() async {
    let options = SimulationOptions(seed: 3, dropoutProbability: 0.02, dropoutLength: 5)
    let store = RecordedStore(.simulated(thereAndBack(metres: 5000), speed: .max, options: options))
    store.dispatch(.startPosition())
    let state = await store.finished()
    var travelled = 0.0
    var last: LocationFix?
    var interruptions = 0
    for action in store.actions {
      switch action {
      case .response(.interrupted):
        interruptions += 1
        last = nil
      case .response(.moved(let fixes)):
        for fix in fixes {
          if let last {
            #expect(last.timestamp.seconds(to: fix.timestamp) == 1)
            travelled += last.coordinate.distance(to: fix.coordinate)
          } else {
            // The path is unknown, and therefore the motion is unknown too.
            #expect(fix.speed == nil && fix.course == nil)
          }
          last = fix
        }
      default: break
      }
    }
    #expect(interruptions > 5)
    #expect(abs(state.position.distance - travelled) < 0.001)
    #expect(state.position.distance < 10_000 - Double(interruptions) * 50)
  }
}
