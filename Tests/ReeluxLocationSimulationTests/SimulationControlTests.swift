import ReeluxCore
import ReeluxLocation
import ReeluxLocationTestSupport
import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxLocationSimulation

extension TestClock {
  /// When this number of services waits, advances the clock by the 0.1 ms after which simulated services respond.
  func begin(_ services: Int = 1) async {
    await sleepers(atLeast: services)
    await advance(by: .microseconds(100))
  }
}

@Suite(.timeLimit(.minutes(15))) struct SimulationControlTests {
  private let start = Coordinate(normalizing: 52.52, longitude: 13.405)

  /// A track to the east with one fix each second, at ten metres per second.
  private func track(seconds: Int = 100) -> Track {
    .points(
      (0...seconds).map { second in
        TrackPoint(
          coordinate: start.moved(by: Double(second) * 10, bearing: 90),
          timestamp: Timestamp(secondsSince1970: Double(second)))
      })
  }

  private func running(
    _ clock: TestClock, _ control: SimulationControl
  ) async -> RecordedStore {
    let store = RecordedStore(.simulated(track(), clock: clock, control: control), authorization: .whenInUse)
    store.dispatch(.startPosition())
    await clock.begin()
    await store.state { $0.position.fixes == 1 }
    return store
  }

  @Test func whileItIsPausedNothingIsAnsweredAndThenItGoesOn() async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = await running(clock, control)
    await clock.sleepers(atLeast: 1)
    control.pause()
    await clock.advance(by: .seconds(50))
    #expect(store.state.position.fixes == 1)
    control.resume()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    let state = await store.state { $0.position.fixes == 2 }
    #expect(state.position.latest?.timestamp.secondsSince1970 == 1)
  }

  @Test func whatIsSetBeforeTheBeginHolds() async {
    let (clock, control) = (TestClock(), SimulationControl())
    control.pause()
    let store = RecordedStore(.simulated(track(), clock: clock, control: control), authorization: .whenInUse)
    control.pause()
    control.seek(to: 30)
    await clock.advance(by: .seconds(5))
    store.dispatch(.startPosition())
    await clock.advance(by: .seconds(5))
    #expect(store.state.position.fixes == 0)
    control.resume()
    await clock.begin()
    let state = await store.state { $0.position.fixes == 1 }
    #expect(state.position.latest?.timestamp.secondsSince1970 == 30)
    store.dispatch(.stopPosition)
  }

  @Test func resumingWithoutAPauseChangesNothing() async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = await running(clock, control)
    for second in 1...3 {
      await clock.sleepers(atLeast: 1)
      control.resume()
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      let state = await store.state { $0.position.fixes == second + 1 }
      #expect(state.position.latest?.timestamp.secondsSince1970 == Double(second))
    }
    store.dispatch(.stopPosition)
  }

  @Test func aPauseBeforeTheBeginDoesNotMoveTheTime() async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = RecordedStore(
      .simulated(track(), speed: 10, clock: clock, control: control), authorization: .whenInUse)
    await clock.advance(by: .seconds(5))
    control.pause()
    store.dispatch(.startPosition())
    control.resume()
    await clock.begin()
    let state = await store.state { $0.position.fixes == 1 }
    #expect(state.position.latest?.timestamp.secondsSince1970 == 0)
    store.dispatch(.stopPosition)
  }

  @Test func aSeekAfterTheEndHolds() async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = RecordedStore(
      .simulated(track(seconds: 2), clock: clock, control: control), authorization: .whenInUse)
    store.dispatch(.startPosition())
    await clock.begin()
    for fixes in 2...3 {
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await store.state { $0.position.fixes == fixes }
    }
    await store.state { $0.position.phase == .stopped }
    control.seek(to: 1)
    store.dispatch(.startPosition())
    let state = await store.state {
      $0.position.phase == .running && $0.position.latest?.timestamp.secondsSince1970 != 2
    }
    #expect(state.position.latest?.timestamp.secondsSince1970 == 1)
    store.dispatch(.stopPosition)
  }

  @Test(arguments: [60.0, 0])
  func aSeekGoesOnThereAndTheWayDoesNotCount(seconds: Double) async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = await running(clock, control)
    for second in 1...2 {
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(1))
      await store.state { $0.position.fixes == second + 1 }
    }
    await clock.sleepers(atLeast: 1)
    control.seek(to: seconds)
    let state = await store.state { $0.position.fixes >= 4 }
    #expect(state.position.latest?.timestamp.secondsSince1970 == seconds)
    #expect(abs(state.position.distance - 20) < 0.001)
    #expect(store.actions.contains(.response(.interrupted)))
  }

  @Test func aJumpIntoARegionEntersItAndAJumpOutLeavesIt() async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = await running(clock, control)
    store.dispatch(.monitor(LocationRegion(id: "r", center: start.moved(by: 600, bearing: 90), radius: 55)))
    await store.state { $0.regions["r"]?.presence == .outside }
    control.seek(to: 60)
    #expect(await store.state { $0.regions["r"]?.presence == .inside }.regions["r"]?.entries == 1)
    control.seek(to: 61)
    control.seek(to: 10)
    let state = await store.state { $0.regions["r"]?.presence == .outside }
    #expect(state.regions["r"]?.entries == 1)
    #expect(state.regions["r"]?.exits == 1)
    store.dispatch(.stopAll)
  }

  @Test(.conformance(118), arguments: 0..<20)
  func afterASeekTheServicesRespondInTheirOrder(run: Int) async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = await running(clock, control)
    store.dispatch(.startSignificantChange)
    let ids = (0..<8).map { "region \($0)" }
    let center = start.moved(by: 600, bearing: 90)
    for id in ids { store.dispatch(.monitor(LocationRegion(id: id, center: center, radius: 55))) }
    await store.state { state in ids.allSatisfy { state.regions[$0]?.presence == .outside } }
    let count = store.actions.count
    control.seek(to: 60)
    await store.state { state in ids.allSatisfy { state.regions[$0]?.presence == .inside } }
    let order = store.actions.dropFirst(count).compactMap { action -> String? in
      switch action {
      case .response(.moved): "position"
      case .response(.significantlyMoved): "significant change"
      case .response(.regionEntered(let id)): id
      default: nil
      }
    }
    #expect(order == ["position", "significant change"] + ids)
    store.dispatch(.stopAll)
  }

  @Test func aServiceThatStartsLaterStartsAtThePresentBeforeAnyResponseToo() async {
    let clock = TestClock()
    let store = RecordedStore(.simulated(track(), clock: clock), authorization: .whenInUse)
    store.dispatch(.startVisits)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(65))
    store.dispatch(.startPosition())
    let state = await store.state { $0.position.fixes > 0 }
    #expect(state.position.latest?.timestamp.secondsSince1970 == 65)
    store.dispatch(.stopAll)
  }

  @Test func aTrackThatHasEndedStartsAgainWhileItsConsumerStillExists() async throws {
    let feed = LocationFeed.simulated(track(seconds: 4), clock: ImmediateClock())
    var first = feed.positions(PositionOptions()).makeAsyncIterator()
    for _ in 0..<5 { #expect(try await first.next() != nil) }
    #expect(try await first.next() == nil)
    var count = 0
    for try await _ in feed.positions(PositionOptions()) { count += 1 }
    #expect(count == 5)
    #expect(try await first.next() == nil)
  }

  @Test func aPermissionThatIsTakenBackStopsWhatRuns() async {
    let (clock, control) = (TestClock(), SimulationControl())
    let store = await running(clock, control)
    control.changeAuthorization(to: .denied)
    let state = await store.state { $0.lastError != nil }
    #expect(state.authorization == .denied)
    #expect(state.lastError == LocationError(service: .position, reason: .denied))
    store.dispatch(.dismissError)
    #expect(await store.reduced().lastError == nil)
    control.changeAuthorization(to: .always)
    await store.state { $0.authorization == .always }
    store.dispatch(.startPosition())
    #expect(await store.reduced().position.phase == .running)
    store.dispatch(.stopPosition)
  }

  @Test(.conformance(118)) func aConsumerThatDoesNotGoOnDoesNotHoldUpOthers() async throws {
    let feed = LocationFeed.simulated(track(), speed: .max)
    var held: any AsyncIteratorProtocol<PositionUpdate, any Error> = feed.positions(PositionOptions())
      .makeAsyncIterator()
    #expect(try await held.next() != nil)
    var count = 0
    for try await _ in feed.requests(PositionOptions()) { count += 1 }
    #expect(count == 101)
    #expect(try await held.next() != nil)
    let store = RecordedStore(feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    #expect(await store.finished().position.fixes == 101)
  }

  @Test func aPermissionThatChangedBeforeIsTheFirstChange() async {
    let control = SimulationControl()
    let feed = LocationFeed.simulated(track(), clock: TestClock(), control: control)
    control.changeAuthorization(to: .denied)
    var changes = feed.authorizationChanges?().makeAsyncIterator()
    control.changeAuthorization(to: .always)
    #expect(await changes?.next() == .denied)
  }

  @Test func theDecisionOfAControlIsThatOfTheUser() async {
    let control = SimulationControl()
    control.changeAuthorization(to: .denied)
    let feed = LocationFeed.simulated(track(), speed: .max, clock: ImmediateClock(), control: control)
    var answer = feed.authorization().makeAsyncIterator()
    #expect(await answer.next() == .denied)
    #expect(await answer.next() == nil)
  }

  @Test(arguments: [false, true]) func noServiceRespondsWhileThePermissionIsRefused(isFirst: Bool) {
    let control = SimulationControl()
    if isFirst { control.changeAuthorization(to: .restricted) }
    let time = SimulatedTime(speed: .max, pacer: Pacer(ImmediateClock()), isControlled: true)
    control.add(time)
    time.depart()
    /// The number of changes that a service waits for; `nil` if it may respond.
    func awaitedChange() -> Int? {
      if case .later(nil, let changes) = time.plan(0, jump: 0) { changes } else { nil }
    }
    #expect((awaitedChange() != nil) == isFirst)
    control.changeAuthorization(to: .denied)
    let refused = awaitedChange()
    control.changeAuthorization(to: .whenInUse)
    #expect(awaitedChange() == nil)
    control.changeAuthorization(to: .denied)
    // Each change wakes the services that wait.
    #expect(refused.map { $0 + 2 } == awaitedChange())
    #expect(refused != nil)
  }

  /// The refusal and the responses of the service come from different tasks.
  @Test(arguments: 0..<50) func aRefusedServiceSendsNothingBeforeTheRefusal(run: Int) async {
    let control = SimulationControl()
    if run.isMultiple(of: 2) { control.changeAuthorization(to: .denied) }
    let feed = LocationFeed.simulated(track(), speed: .max, clock: ImmediateClock(), control: control)
    control.changeAuthorization(to: .denied)
    let store = RecordedStore(feed, authorization: .whenInUse)
    store.dispatch(.startPosition(), .startVisits)
    await store.state { $0.lastError?.service == .visits }
    let responses = store.actions.filter {
      if case .response(let response) = $0 { response != .interrupted } else { false }
    }
    #expect(
      responses == [
        .response(.authorizationChanged(.denied)),
        .response(.failed(LocationError(service: .position, reason: .denied))),
        .response(.failed(LocationError(service: .visits, reason: .denied))),
      ])
    control.changeAuthorization(to: .whenInUse)
    await store.state { $0.authorization == .whenInUse }
    store.dispatch(.startPosition())
    await store.state { $0.position.fixes == 101 }
  }

  @Test func aPermissionThatEndsIsGrantedAgainAndCanThenBeRefused() async {
    let (clock, control) = (TestClock(), SimulationControl())
    var feed = LocationFeed.simulated(track(), clock: clock, control: control)
    feed.authorization = { AsyncStream(unfolding: { .whenInUse }) }
    let store = RecordedStore(feed, authorization: .whenInUse)
    store.dispatch(.startPosition())
    await clock.begin()
    await store.state { $0.position.fixes == 1 }
    control.changeAuthorization(to: .notDetermined)
    await store.state { $0.position.fixes == 2 }
    control.changeAuthorization(to: .denied)
    let state = await store.state { $0.lastError != nil }
    #expect(state.lastError == LocationError(service: .position, reason: .denied))
    let changes = store.actions.filter { if case .response(.authorizationChanged) = $0 { true } else { false } }
    #expect(changes.count == 3)
  }

  @Test func aWalkEndsWithALimitThatIsNotANumber() async {
    var later = PositionOptions()
    later.minimumDistance = .nan
    later.minimumInterval = .nan
    later.requiredAccuracy = .nan
    #expect(later == PositionOptions())
    var turn = HeadingOptions()
    turn.minimumTurn = .nan
    #expect(turn == HeadingOptions(minimumTurn: 0))
    for options in [PositionOptions(minimumDistance: .nan), later] {
      let store = RecordedStore(.simulated(track(), speed: .max), authorization: .whenInUse)
      store.dispatch(.startPosition(options))
      #expect(await store.finished().position.fixes == 101)
    }
  }

  @Test(arguments: [SimulatedPermission.granted, .denied])
  func theUserIsAskedAgainOnceAfterAChangeWithoutAService(permission: SimulatedPermission) async {
    let control = SimulationControl()
    let options = SimulationOptions(permission: permission)
    let store = RecordedStore(
      .simulated(track(), speed: .max, options: options, control: control), authorization: .whenInUse)
    control.changeAuthorization(to: .notDetermined)
    store.dispatch(.startPosition())
    await store.state { $0.authorization == (permission == .granted ? .whenInUse : .denied) }
    for _ in 1...2 {
      #expect(await store.finished().position.fixes == (permission == .granted ? 101 : 0))
      store.dispatch(.startSignificantChange)
    }
    await store.finished()
    let questions = store.actions.filter { $0 == .response(.authorizationChanged(.notDetermined)) }
    #expect(questions.count == 1)
  }

  @Test func theNewestChangeOfThePermissionArrivesLast() async {
    for _ in 1...2_000 {
      let control = SimulationControl()
      var changes = control.authorizations.makeAsyncIterator()
      await withTaskGroup { group in
        for change in [LocationAuthorization.denied, .whenInUse] {
          group.addTask { control.changeAuthorization(to: change) }
        }
      }
      let last = [await changes.next(), await changes.next()].last
      #expect(last == control.decision)
    }
  }
}
