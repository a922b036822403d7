import ReeluxLocation
import ReeluxLocationTestSupport
import Testing

@testable import ReeluxLocationSimulation

@Suite(.timeLimit(.minutes(15))) struct SimulationGateTests {
  private func place(_ seconds: Double, rank: Int = 0, name: String = "") -> SimulationGate.Place {
    SimulationGate.Place(seconds: seconds, rank: rank, name: name)
  }

  @Test func anAnswerWaitsWhileAnotherServiceIsBusy() {
    let gate = SimulationGate()
    let (first, second) = (gate.enter(), gate.enter())
    #expect(!gate.announce(place(1), seat: second, isDue: true))
    #expect(!gate.announce(place(2), seat: first, isDue: true))
    #expect(gate.announce(place(1), seat: second, isDue: true))
    #expect(!gate.announce(place(2), seat: first, isDue: true))
    gate.leave(seat: second)
    #expect(gate.announce(place(2), seat: first, isDue: true))
  }

  @Test func anAnswerWhoseTimeHasNotComeIsNotGiven() {
    let gate = SimulationGate()
    let seat = gate.enter()
    #expect(!gate.announce(place(1), seat: seat, isDue: false))
    #expect(gate.announce(place(1), seat: seat, isDue: true))
  }

  @Test func placesAreOrderedByTimeThenRankThenName() {
    let places = [place(1, rank: 5), place(2), place(2, rank: 1, name: "a"), place(2, rank: 1, name: "b")]
    #expect(places.reversed().sorted() == places)
  }

  @Test func whoLeavesLetsTheNextOneThrough() async {
    let gate = SimulationGate()
    let (first, second) = (gate.enter(), gate.enter())
    #expect(!gate.announce(place(2), seat: second, isDue: true))
    async let passed = gate.pass(seat: second)
    gate.leave(seat: first)
    #expect(await passed)
    #expect(!gate.isEmpty)
    gate.leave(seat: second)
    gate.leave(seat: second)
    #expect(gate.isEmpty)
  }

  @Test func cancellingWhoWaitsGivesTheSeatBack() async {
    let gate = SimulationGate()
    let (first, second) = (gate.enter(), gate.enter())
    #expect(!gate.announce(place(2), seat: second, isDue: true))
    let waiting = Task { await gate.pass(seat: second) }
    waiting.cancel()
    #expect(await waiting.value)
    gate.leave(seat: first)
    #expect(gate.isEmpty)
  }

  @Test func aJumpWithdrawsAllPlaces() async {
    let gate = SimulationGate()
    let (first, second) = (gate.enter(), gate.enter())
    #expect(!gate.announce(place(2), seat: second, isDue: true))
    async let passed = gate.pass(seat: second)
    for task in gate.withdraw(jump: 1) { task.resume(returning: false) }
    #expect(await !passed)
    // A place that was found before the jump is ignored.
    #expect(!gate.announce(place(9), seat: first, jump: 0, isDue: false))
    #expect(!gate.announce(place(5), seat: second, jump: 1, isDue: true))
    #expect(gate.announce(place(3), seat: first, jump: 1, isDue: true))
  }

  @Test func aServiceOfTheAppDoesNotStopThoseOfTheSimulation() async {
    let points = (0...20).map { second in
      TrackPoint(
        coordinate: Coordinate(normalizing: 0, longitude: Double(second) / 1000),
        timestamp: Timestamp(secondsSince1970: Double(second)))
    }
    let heading = Heading(degrees: 90, timestamp: .epoch)
    var feed = LocationFeed.simulated(.points(points), speed: .max)
    feed.headings = { _ in AsyncThrowingStream { $0.yield(heading) } }
    let store = RecordedStore(feed, authorization: .whenInUse)
    store.dispatchTogether([.startHeading(), .startPosition(), .requestPosition()])
    let state = await store.state {
      $0.heading.latest != nil && $0.position.phase == .stopped && $0.request.phase == .stopped
    }
    #expect(state.position.fixes == 21)
    #expect(state.request.response != nil)
    #expect(state.heading.phase == .running)
  }

  @Test func errorsOfServicesThatStartTogetherHaveTheirOrder() async {
    let track = Track(name: "lost.gpx") { (_) throws(ReadingError) -> Track.Points in
      throw ReadingError(kind: .missing, input: "lost.gpx", reason: "there is no such file")
    }
    let services = [LocationService.position, .request, .significantChange, .visits]
    for _ in 1...200 {
      let store = RecordedStore(.simulated(track, speed: .max), authorization: .whenInUse)
      store.dispatchTogether([.startPosition(), .requestPosition(), .startSignificantChange, .startVisits])
      await store.finished()
      let failed = store.actions.compactMap { action in
        if case .response(.failed(let error)) = action { error.service } else { nil }
      }
      #expect(failed == services)
    }
  }
}
