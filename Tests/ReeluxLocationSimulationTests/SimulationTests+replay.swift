import ReeluxCore
import ReeluxLocation
import ReeluxLocationTestSupport
import ReeluxTesting
import ReeluxTestSupport
import Testing

@testable import ReeluxLocationSimulation

/// The same seed gives the same run, and a recorded run can be replayed.
extension SimulationTests {
  @Test(.conformance(80, 118), arguments: 0..<20)
  func theSameTrackSeedAndClockGiveTheSameActions(run: Int) async {
    // Both run concurrently on the ordinary executor, so that their tasks interfere.
    async let other = actionsOfEveryService()
    let first = await actionsOfEveryService()
    let second = await other
    #expect(first.count > 200)
    let difference = zip(first, second).first { $0 != $1 }
    #expect(difference == nil)
    #expect(first.count == second.count)
  }

  private func actionsOfEveryService() async -> [LocationAction] {
    let clock = TestClock()
    let options = SimulationOptions(
      seed: 42, noise: 8, dropoutProbability: 0.05, permission: .late(after: .seconds(1)), visitDuration: 10)
    let feed = LocationFeed.simulated(thereAndBack(metres: 1000), speed: .max, clock: clock, options: options)
    let store = RecordedStore(feed)
    store.dispatch(
      .startPosition(PositionOptions(minimumDistance: 15)), .startHeading(), .startSignificantChange, .startVisits,
      .monitor(region(at: 300, radius: 50)), .requestPosition(),
      .monitor(LocationRegion(id: "s", center: start.moved(by: 300, bearing: 90), radius: 50)))
    // Nothing responds before the clock advances.
    await clock.begin()
    await clock.advance(by: .seconds(1))
    await clock.begin(7)
    await store.finished()
    return store.actions
  }

  @Test(.conformance(118)) func responsesOfOneTimeComeInTheOrderOfTheServices() async {
    let clock = TestClock()
    let store = RecordedStore(
      .simulated(thereAndBack(metres: 100), speed: .max, clock: clock), authorization: .always)
    store.dispatch(.startHeading(), .startSignificantChange, .startPosition())
    await clock.begin(3)
    await store.finished()
    let places = store.actions.compactMap { action -> (time: Timestamp, service: Int)? in
      switch action {
      case .response(.moved(let fixes)): (fixes[0].timestamp, 1)
      case .response(.significantlyMoved(let fix)): (fix.timestamp, 2)
      case .response(.headingChanged(let heading)): (heading.timestamp, 3)
      default: nil
      }
    }
    #expect(Set(places.map(\.service)) == [1, 2, 3])
    for (first, second) in zip(places, places.dropFirst()) {
      #expect(first.time < second.time || (first.time == second.time && first.service < second.service))
    }
  }

  @Test(.conformance(80)) func anotherSeedGivesOtherNoise() async {
    func run(_ seed: UInt64) async -> [LocationAction] {
      let store = RecordedStore(
        .simulated(thereAndBack(metres: 100), speed: .max, options: SimulationOptions(seed: seed, noise: 5)))
      store.dispatch(.startPosition())
      await store.finished()
      return store.actions
    }
    let first = await run(1)
    #expect(await run(1) == first)
    #expect(await run(2) != first)
  }

  @Test func aReplayGivesTheRecordedActionsAgain() async {
    let original = RecordedStore(
      .simulated(thereAndBack(metres: 1000), speed: .max, options: SimulationOptions(seed: 1, noise: 5)))
    let wishes: [LocationAction] = [
      .startPosition(), .startHeading(), .startSignificantChange, .monitor(region(at: 300, radius: 50)),
    ]
    original.dispatchTogether(wishes)
    await original.finished()
    let again = RecordedStore(.replay(original.actions))
    again.dispatchTogether(wishes)
    await again.finished()
    #expect(again.actions == original.actions)
    #expect(again.state == original.state)
  }

  @Test func aReplayedFailureFailsAgain() async {
    let error = LocationError(service: .position, reason: .failed("lost"))
    let store = RecordedStore(
      .replay([.response(.moved([fix(1, 2)])), .response(.failed(error)), .response(.moved([fix(3, 4)]))]))
    store.dispatch(.startPosition())
    let state = await store.finished()
    #expect(state.position.fixes == 1)
    #expect(state.lastError == error)
  }

  @Test func aTrackThatBreaksMidwayFailsAfterItsLastGoodFix() async {
    let track = Track(name: "broken") { (_) throws(ReadingError) -> Track.Points in
      var index = 0
      return Track.Points { () throws(ReadingError) -> TrackPoint? in
        guard index < 3 else {
          throw ReadingError(kind: .malformed, input: "walk.gpx", line: 9, reason: "cut off")
        }
        index += 1
        return TrackPoint(coordinate: Coordinate(normalizing: 0, longitude: Double(index)))
      }
    }
    let store = RecordedStore(.simulated(track, speed: .max))
    store.dispatch(.startPosition())
    let state = await store.finished()
    #expect(state.position.fixes == 3)
    #expect(state.lastError?.description == "position: walk.gpx:9: cut off")
  }

  @Test func stoppingMidwayAndStartingAgainGoesOnWithThePresent() async {
    let clock = TestClock()
    let store = RecordedStore(.simulated(thereAndBack(metres: 500), clock: clock), authorization: .whenInUse)
    store.dispatch(.startPosition())
    await clock.begin()
    await store.state { $0.position.fixes == 1 }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.state { $0.position.fixes == 2 }
    store.dispatch(.stopPosition)
    await clock.advance(by: .seconds(29))
    store.dispatch(.startPosition())
    let state = await store.state { $0.position.fixes == 1 }
    #expect(state.position.latest?.timestamp.secondsSince1970 == 30)
  }

  @Test func eachReplayedRequestGetsTheNextRecordedResponse() async {
    let fixes = [fix(1, 2), fix(3, 4)]
    let store = RecordedStore(.replay(fixes.map { .response(.positionReceived($0)) }))
    for fix in fixes {
      store.dispatch(.requestPosition())
      #expect(await store.finished().request.response == fix)
    }
    store.dispatch(.requestPosition())
    #expect(await store.finished().lastError?.service == .request)
  }

  @Test func aReplayedServiceThatStartsAgainContinuesAfterItsLastResponse() async {
    let error = LocationError(service: .position, reason: .failed("lost"))
    let store = RecordedStore(
      .replay([.response(.moved([fix(1, 2)])), .response(.failed(error)), .response(.moved([fix(3, 4)]))]))
    store.dispatch(.startPosition())
    #expect(await store.finished().lastError == error)
    store.dispatch(.dismissError, .startPosition())
    let state = await store.finished()
    #expect(state.position.latest == fix(3, 4))
    #expect(state.position.fixes == 1)
    #expect(state.lastError == nil)
  }

  @Test func aReplayThatContinuesAfterAllServicesEndedKeepsTheRecordedTimes() async throws {
    func moved(_ seconds: Double) -> LocationAction {
      .response(.moved([LocationFix(coordinate: start, timestamp: Timestamp(secondsSince1970: seconds))]))
    }
    let end = LocationAction.response(.ended(.position))
    let clock = ImmediateClock()
    let begin = clock.now
    let feed = LocationFeed.replay([moved(0), moved(10), end, moved(100), moved(110), end], speed: 1, clock: clock)
    var times: [Duration] = []
    for _ in 0..<2 {
      for try await _ in feed.positions(PositionOptions()) { times.append(begin.duration(to: clock.now)) }
    }
    #expect(times.dropFirst() == [.seconds(10), .seconds(100), .seconds(110)])
  }

  @Test func aReplayedServiceThatStartsLateBeginsWithTheResponsesAtTheLatestFix() async {
    func moved(_ seconds: Double) -> LocationAction {
      .response(.moved([LocationFix(coordinate: start, timestamp: Timestamp(secondsSince1970: seconds))]))
    }
    let left = LocationAction.response(.regionLeft("r"))
    let inside = LocationAction.response(.regionDetermined("r", .inside))
    let clock = TestClock()
    let store = RecordedStore(
      .replay([moved(0), left, moved(5), inside, moved(10)], speed: 1, clock: clock), authorization: .always)
    store.dispatch(.startPosition())
    await clock.begin()
    await store.state { $0.position.fixes == 1 }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    await store.state { $0.position.fixes == 2 }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(200))
    store.dispatch(.monitor(LocationRegion(id: "r", center: start, radius: 50)))
    await clock.begin(2)
    await clock.advance(by: .seconds(10))
    await store.finished()
    #expect(store.actions.contains(inside))
    #expect(!store.actions.contains(left))
  }

  @Test func aReplayedResponseThatDidNotArriveIsNotLost() async {
    let clock = TestClock()
    let store = RecordedStore(.replay([.response(.moved([fix(1, 2)]))], clock: clock), authorization: .whenInUse)
    store.dispatch(.startPosition())
    await clock.sleepers(atLeast: 1)
    store.dispatch(.stopPosition, .startPosition())
    await clock.begin()
    #expect(await store.finished().position.latest == fix(1, 2))
  }
}
