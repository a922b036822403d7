import ReeluxCore
import ReeluxTestSupport
import ReeluxLocation
import ReeluxLocationTestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct LocationMiddlewareTests {
  private let cinema = LocationRegion(
    id: "cinema", center: Coordinate(normalizing: 0, longitude: 0), radius: 100)

  @Test(.conformance(76)) func startWithoutPermissionAsksFirstAndStartsAfterTheGrant() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed)
    store.dispatch(.startPosition())
    #expect(store.state.position.phase == .awaitingAuthorization)
    await probe.waits(for: ["open authorization"])
    probe.answer(.notDetermined)
    probe.answer(.whenInUse)
    await probe.waits(for: ["open authorization", "close authorization", "open position"])
    #expect(store.state.position.phase == .running)
    #expect(store.state.authorization == .whenInUse)
  }

  @Test(.conformance(76)) func deniedGivesAnErrorActionForEachServiceAndNoStart() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed)
    store.dispatch(.startPosition(), .monitor(cinema))
    await probe.waits(for: ["open authorization"])
    probe.answer(.denied)
    await store.finished()
    let refused: [LocationAction] = [
      .response(.failed(LocationError(service: .position, reason: .denied))),
      .response(.failed(LocationError(service: .region("cinema"), reason: .denied))),
    ]
    await store.state { $0.lastError?.service == .region("cinema") }
    #expect(store.actions.suffix(2) == refused)
    #expect(probe.log == ["open authorization", "close authorization"])
    #expect(store.state.position.phase == .stopped)
  }

  @Test(.conformance(76)) func startAfterADenialFailsAtOnceAndAsksNobody() {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .restricted)
    store.dispatch(.startHeading(), .requestAuthorization)
    #expect(
      store.actions == [
        .startHeading(), .response(.failed(LocationError(service: .heading, reason: .restricted))),
        .requestAuthorization,
        .response(.failed(LocationError(service: .authorization, reason: .restricted))),
      ])
    #expect(store.state.heading.phase == .stopped)
    #expect(probe.log.isEmpty)
  }

  @Test(.conformance(76)) func aRefusedRequestForPermissionIsAnError() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed)
    store.dispatch(.requestAuthorization)
    await probe.waits(for: ["open authorization"])
    probe.answer(.denied)
    await store.state { $0.lastError == LocationError(service: .authorization, reason: .denied) }
    #expect(!store.state.isAskingForAuthorization)
  }

  @Test func aUserWhoGivesNoAnswerIsAnErrorAndNobodyWaits() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed)
    store.dispatch(.startPosition())
    await probe.waits(for: ["open authorization"])
    probe.withholdAnswer()
    let state = await store.finished()
    #expect(state.lastError?.service == .authorization)
    #expect(state.position.phase == .stopped)
  }

  @Test func aRevokedPermissionStopsEveryServiceAndSaysSo() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .always)
    store.dispatch(.startPosition(), .startHeading())
    await probe.waits { $0.count == 2 }
    store.dispatch(.response(.authorizationChanged(.denied)))
    await probe.waits { $0.count == 4 }
    #expect(Set(probe.log.suffix(2)) == ["close position", "close heading"])
    #expect(
      store.actions.suffix(2) == [
        .response(.failed(LocationError(service: .position, reason: .denied))),
        .response(.failed(LocationError(service: .heading, reason: .denied))),
      ])
  }

  @Test(.conformance(77)) func stopStopsOnlyThatService() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    await probe.waits(for: ["open position"])
    store.dispatch(.startHeading())
    await probe.waits(for: ["open position", "open heading"])
    store.dispatch(.monitor(cinema))
    await probe.waits(for: ["open position", "open heading", "open region cinema"])
    store.dispatch(.stopHeading)
    await probe.waits(for: ["open position", "open heading", "open region cinema", "close heading"])
    #expect(store.state.wantedServices == [.position, .region("cinema")])
    probe.send(.fixes([fix(1, 2)]))
    await store.state { $0.position.fixes == 1 }
    store.dispatch(.stopAll)
    #expect(store.state.wantedServices.isEmpty)
  }

  @Test(.conformance(77)) func stopOfAServiceThatDoesNotRunChangesNothing() {
    let store = RecordedStore(FeedProbe().feed, authorization: .whenInUse)
    let before = store.state
    store.dispatch(
      .stopPosition, .cancelPositionRequest, .stopSignificantChange, .stopHeading, .stopVisits, .stopMonitoring("x"),
      .stopAll)
    #expect(store.state == before)
  }

  @Test(.conformance(77)) func aServiceThatTheStateNoLongerWantsIsClosedOnce() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    await probe.waits(for: ["open position"])
    store.dispatch(.startPosition())
    store.dispatch(.stopPosition, .stopPosition)
    await probe.waits(for: ["open position", "close position"])
    store.dispatch(.startPosition(PositionOptions(minimumDistance: 5)))
    await probe.waits(for: ["open position", "close position", "open position"])
  }

  @Test(.conformance(78)) func everyFixOfABatchArrivesInOrder() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    await probe.waits(for: ["open position"])
    let batch = (0..<100).map { fix(0, Double($0) / 1000, at: Double($0)) }
    probe.send(.fixes(batch))
    probe.send(.fixes([]))
    probe.send(.interrupted)
    probe.send(.fixes([fix(10, 10, at: 200)]))
    let state = await store.state { $0.position.fixes == 101 }
    #expect(
      store.actions.dropFirst() == [
        .response(.moved(batch)), .response(.interrupted), .response(.moved([fix(10, 10, at: 200)])),
      ])
    let length = batch[0].coordinate.distance(to: batch[99].coordinate)
    #expect(abs(state.position.distance - length) < 0.001)
  }

  @Test func requestsFollowThePositionsOfAFeedThatIsChanged() async throws {
    let here = fix(1, 2, at: 3)
    var feed = LocationFeed(authorization: { AsyncStream { $0.finish() } })
    feed.positions = { _ in
      AsyncThrowingStream { continuation in
        continuation.yield(.fixes([here]))
        continuation.finish()
      }
    }
    let requests = feed.requests(PositionOptions())
    var iterator: any AsyncIteratorProtocol<LocationFix, any Error> = requests.makeAsyncIterator()
    #expect(try await iterator.next() == here)
  }

  @Test func anAuthorizationThatEndsWithoutADecisionIsAFailureOfTheFeed() async {
    let store = RecordedStore(LocationFeed(authorization: { AsyncStream { $0.finish() } }))
    store.dispatch(.requestAuthorization)
    let error = await store.state { $0.lastError != nil }.lastError
    #expect(error?.description == "authorization: the feed's authorization ended without a grant or a refusal")
  }

  @Test(.conformance(78)) func anErrorNamesTheServiceAndTheReason() async {
    struct Broken: Error, CustomStringConvertible { let description = "the antenna is broken" }
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition(), .startVisits)
    await store.state { $0.visits.phase == .stopped }
    #expect(store.state.lastError?.description == "visits: the feed has no such service")
    await probe.waits(for: ["open position"])
    probe.endPositions(throwing: Broken())
    await store.state { $0.position.phase == .stopped }
    #expect(store.state.lastError?.description == "position: the antenna is broken")
  }

  @Test func aServiceThatEndsIsStopped() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    await probe.waits(for: ["open position"])
    probe.endPositions()
    await store.finished()
    #expect(store.actions.last == .response(.ended(.position)))
    #expect(store.state.lastError == nil)
  }

  @Test(.conformance(79)) func fixesAreFilteredByDistanceIntervalAndAccuracy() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition(PositionOptions(minimumDistance: 100, minimumInterval: 10, requiredAccuracy: 30)))
    await probe.waits(for: ["open position"])
    let kept = [fix(0, 0, at: 0, accuracy: 30), fix(0, 0.002, at: 10), fix(0, 0.004, at: 21, accuracy: 5)]
    probe.send(
      .fixes([
        kept[0], fix(0, 0.001, at: 5), fix(0, 0.0005, at: 9), kept[1], fix(0, 0.003, at: 20, accuracy: 31),
        fix(0, 0.002_5, at: 20), fix(0, 0.004, at: 19, accuracy: 5), kept[2],
      ]))
    await store.state { $0.position.fixes == 3 }
    #expect(store.actions.last == .response(.moved(kept)))
  }

  @Test(.conformance(79)) func headingsAreFilteredByTurn() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startHeading(HeadingOptions(minimumTurn: 10)))
    await probe.waits(for: ["open heading"])
    for degrees in [355, 2, 4.9, 5, 14, 355, 345] {
      probe.send(Heading(degrees: degrees, timestamp: .epoch))
    }
    await store.state { $0.heading.latest?.degrees == 345 }
    let degrees = store.actions.compactMap {
      if case .response(.headingChanged(let heading)) = $0 { heading.degrees } else { nil }
    }
    #expect(degrees == [355, 5, 355, 345])
  }

  @Test(.conformance(79)) func aRequestIsAnsweredOnceByTheFirstFixThatIsAccurateEnough() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.requestPosition(requiredAccuracy: 20))
    await probe.waits(for: ["open position"])
    probe.send(.fixes([fix(1, 1, accuracy: 100)]))
    probe.send(.fixes([fix(2, 2, accuracy: 10), fix(3, 3, accuracy: 15)]))
    probe.send(.fixes([fix(4, 4, accuracy: 1)]))
    await store.finished()
    await probe.waits(for: ["open position", "close position"])
    #expect(store.state.request.response == fix(3, 3, accuracy: 15))
    #expect(store.actions.count == 2)
  }

  @Test func aRequestThatIsTakenBackIsNotAnswered() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.requestPosition())
    await probe.waits(for: ["open position"])
    store.dispatch(.cancelPositionRequest)
    await probe.waits(for: ["open position", "close position"])
    #expect(store.actions == [.requestPosition(), .cancelPositionRequest])
  }

  @Test func aRequestWhoseFeedEndsFails() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.requestPosition())
    await probe.waits(for: ["open position"])
    probe.endPositions()
    await store.finished()
    #expect(store.state.lastError?.service == .request)
  }

  @Test(.conformance(79)) func whatARegionSaysTwiceIsHeardOnce() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.monitor(cinema))
    await probe.waits(for: ["open region cinema"])
    for update in [RegionUpdate.determined(.outside), .entered, .entered, .left, .left, .entered] {
      probe.send(update, region: "cinema")
    }
    let state = await store.state { $0.regions["cinema"]?.entries == 2 }
    #expect(state.regions["cinema"]?.exits == 1)
    #expect(
      store.actions.dropFirst() == [
        .response(.regionDetermined("cinema", .outside)), .response(.regionEntered("cinema")),
        .response(.regionLeft("cinema")),
        .response(.regionEntered("cinema")),
      ])
  }

  @Test func aReplacedRegionIsWatchedAnew() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.monitor(cinema))
    await probe.waits(for: ["open region cinema"])
    store.dispatch(.monitor(cinema))
    store.dispatch(.monitor(LocationRegion(id: "cinema", center: Coordinate(normalizing: 0, longitude: 0), radius: 50)))
    await probe.waits(for: ["open region cinema", "close region cinema", "open region cinema"])
    #expect(store.state.regions["cinema"]?.region.distance(to: Coordinate(normalizing: 0, longitude: 0)) == -50)
  }

  @Test func aRequestOfPositionsTakesTheNewestFixOfABatchThatIsAccurateEnough() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .always)
    store.dispatch(.requestPosition(requiredAccuracy: 10))
    await probe.waits(for: ["open position"])
    let batch = [5.0, 8, 50].enumerated().map { fix(1, 2, at: Double($0), accuracy: $1) }
    probe.send(.fixes(batch))
    probe.send(.fixes([fix(3, 4, at: 3, accuracy: 5)]))
    #expect(await store.finished().request.response == batch[1])
  }

  /// On iOS, a permission for one time ends without a refusal.
  @Test(.conformance(76)) func aPermissionThatEndsIsRequestedAgainForWhatRuns() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    await probe.waits(for: ["open position"])
    store.dispatch(.response(.authorizationChanged(.notDetermined)))
    #expect(store.state.position.phase == .awaitingAuthorization)
    await probe.waits { Set($0.dropFirst()) == ["close position", "open authorization"] }
    probe.answer(.whenInUse)
    await probe.waits { Set($0.dropFirst(3)) == ["close authorization", "open position"] }
    #expect(store.state.position.phase == .running)
    store.dispatch(.stopPosition)
  }

  @Test func thePathToTheFirstFixOfARestoredServiceDoesNotCount() async {
    let probe = FeedProbe()
    var restored = LocationState(authorization: .whenInUse)
    restored.position.phase = .running
    restored.position.append(fix(0, 0))
    restored.position.append(fix(0, 0.001, at: 1))
    let distance = restored.position.distance
    let store = Store(initialState: restored, feature: .location(feed: probe.feed))
    await probe.waits(for: ["open position"])
    probe.send(.fixes([fix(1, 0, at: 10_000)]))
    for await state in store.states where state.position.fixes == 3 {
      #expect(state.position.distance == distance)
      break
    }
  }

  @Test(.conformance(77)) func aLimitThatIsNotANumberIsNoLimit() async {
    let probe = FeedProbe()
    let store = RecordedStore(probe.feed, authorization: .whenInUse)
    store.dispatch(
      .startPosition(PositionOptions(minimumDistance: .nan, minimumInterval: .nan, requiredAccuracy: .nan)),
      .startHeading(HeadingOptions(minimumTurn: .nan)))
    await probe.waits { $0.count == 2 }
    #expect(store.state.position.options == PositionOptions())
    #expect(store.state.heading.options == HeadingOptions(minimumTurn: 0))
    probe.send(.fixes([fix(1, 2)]))
    await store.state { $0.position.fixes == 1 }
    probe.send(.fixes([fix(1, 3)]))
    await store.state { $0.position.fixes == 2 }
    #expect(Set(probe.log) == ["open position", "open heading"] && probe.log.count == 2)
    store.dispatch(.stopAll)
  }
}
