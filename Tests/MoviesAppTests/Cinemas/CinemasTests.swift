import ReeluxCore
import ReeluxTesting
import ReeluxLocation
import ReeluxLocationSimulation
import Testing

@testable import MoviesApp

@Suite(.timeLimit(.minutes(15))) struct CinemasTests {
  private func fix(_ latitude: Double, _ longitude: Double, second: Double = 0) -> LocationFix {
    LocationFix(
      coordinate: Coordinate(normalizing: latitude, longitude: longitude),
      timestamp: Timestamp(secondsSince1970: second))
  }

  @Test func nearestIsTheOneWithTheShortestGeodesic() {
    let nearest = CinemaDistance.nearest(to: BuiltInWalk.start, of: BuiltInWalk.cinemas)
    #expect(nearest?.cinema.name == "Lantern House")
    #expect(CinemaDistance.nearest(to: BuiltInWalk.start, of: []) == nil)
    let around = CinemaDistance.around(BuiltInWalk.start, of: BuiltInWalk.cinemas)
    #expect(around.first == nearest)
    #expect(around.count == BuiltInWalk.cinemas.count)
    #expect(around.map(\.metres) == around.map(\.metres).sorted())
  }

  @Test func nearestIsTheFirstOfAllAroundEverywhere() {
    let random = SeededRandom(seed: 7)
    let cinemas = (0..<40).map { number in
      Cinema(
        name: "\(number)",
        coordinate: Coordinate(
          normalizing: random.number(in: -90...90), longitude: random.number(in: -180...180)))
    }
    for _ in 0..<500 {
      let place = Coordinate(normalizing: random.number(in: -90...90), longitude: random.number(in: -180...180))
      #expect(CinemaDistance.nearest(to: place, of: cinemas) == CinemaDistance.around(place, of: cinemas).first)
    }
  }

  @Test func nearestIsByTheEllipsoidNotByASphere() {
    // A degree of a meridian is 0.7 % shorter than one of the equator; on a sphere they are equal.
    let east = Cinema(name: "east", coordinate: Coordinate(normalizing: 0, longitude: 1))
    let north = Cinema(name: "north", coordinate: Coordinate(normalizing: 1.003, longitude: 0))
    let place = Coordinate(normalizing: 0, longitude: 0)
    #expect(CinemaDistance.nearest(to: place, of: [east, north])?.cinema == north)
  }

  @Test func builtInWalkPassesSeveralCinemas() throws {
    var points = try BuiltInWalk.track.open()
    var passed: Set<String> = []
    var count = 0
    while let point = try points.next() {
      count += 1
      passed.formUnion(CinemaDistance.around(point.coordinate, radius: 60, of: BuiltInWalk.cinemas).map(\.cinema.name))
    }
    #expect(count == 62)
    #expect(passed.count >= 4)
    #expect(try Walk.builtIn.duration().seconds > 600)
    #expect(try Walk.builtIn.speed(toTake: 10) != .max)
  }

  /// The seconds of each point, if it has a time, and the duration of a walk along the points, which are 14 m apart.
  @Test(
    arguments: [
      ([nil, nil, nil], 20), ([0, nil, 3_600], 3_600), ([nil, 100, nil, nil, 200, nil], 120),
      ([100, nil, 40, nil, 50, nil], 20),
    ] as [([Double?], Double)])
  func aWalkTakesTheTimeBetweenThePointsWithTimes(seconds: [Double?], duration: Double) throws {
    let points = seconds.enumerated().map { index, second in
      TrackPoint(
        coordinate: BuiltInWalk.start.moved(by: Double(index) * 14, bearing: 90),
        timestamp: second.map { Timestamp(secondsSince1970: $0) })
    }
    let walk = Walk(label: "walk", track: .points(points), speed: .max, isBuiltIn: false)
    #expect(abs(try walk.duration().seconds - duration) < 1e-3)
  }

  @Test func batchOfFixesBecomesStepsWithTheirOwnDistances() {
    var state = AppState()
    let reducer = Reducer<AppAction, AppState>.app
    let fixes = [fix(52.39, 13.12), fix(52.391, 13.12, second: 1), fix(52.391, 13.122, second: 2)]
    state.location.position.phase = .running
    reducer.reduce(.location(.response(.moved(fixes))), &state)
    #expect(state.location.position.fixes == 3)
    let steps = state.cinemas.steps
    #expect(steps.map(\.number) == [1, 2, 3])
    #expect(steps.map(\.fix) == fixes)
    #expect(abs(steps[0].distance) < 1e-6)
    #expect(abs(steps[1].distance - fixes[0].coordinate.distance(to: fixes[1].coordinate)) < 1e-6)
    #expect(abs(steps[2].distance - state.location.position.distance) < 1e-6)
    #expect(steps.allSatisfy { $0.nearest != nil })
  }

  @Test func batchGivesTheStepsThatSingleFixesGive() {
    let reducer = Reducer<AppAction, AppState>.app
    let fixes = (0..<50).map { index -> LocationFix in
      let (north, east) = (Double(index % 7), Double(index))
      return fix(52.39 + north / 700, 13.12 + east / 1_500, second: east)
    }
    var (single, batch) = (AppState(), AppState())
    var steps: [WalkStep] = []
    for fix in fixes {
      reducer.reduce(.location(.response(.moved([fix]))), &single)
      steps += single.cinemas.steps
    }
    reducer.reduce(.location(.response(.moved(fixes))), &batch)
    #expect(batch.cinemas.steps == steps)
    #expect(batch.location == single.location)
  }

  @Test func gapIsNotWalked() {
    var state = AppState()
    let reducer = Reducer<AppAction, AppState>.app
    state.location.position.phase = .running
    reducer.reduce(.location(.response(.moved([fix(52.39, 13.12)]))), &state)
    reducer.reduce(.location(.response(.interrupted)), &state)
    reducer.reduce(.location(.response(.moved([fix(53, 13.12, second: 1)]))), &state)
    #expect(state.cinemas.steps.last?.distance == 0)
    #expect(state.cinemas.steps.last?.number == 2)
  }

  @Test func lookSelectsTheCinemasAround() async {
    let store = TestStore(initialState: CinemasState(), feature: .cinemas)
    await store.send(.show(at: BuiltInWalk.start, radius: 300)) {
      $0.view = CinemasState.View(place: BuiltInWalk.start, radius: 300)
    }
    #expect(store.state.visible.map(\.cinema.name) == ["Lantern House", "Perforation Palace"])
    await store.assertFinished()
  }

  @Test(arguments: [
    (0, "0 m"), (12.4, "12 m"), (999.4, "999 m"), (999.6, "1.00 km"), (1213.1, "1.21 km"), (12_345, "12.3 km"),
    (5_934_400, "5,934 km"),
  ])
  func metresReadWell(metres: Double, text: String) {
    #expect(Prose.metres(metres) == text)
  }

  @Test func stepIsGoldenAsTextAndAsJSON() {
    let step = WalkStep(
      number: 1, fix: fix(-52.391, 13.1204, second: 36_000), distance: 1234.5678,
      nearest: CinemaDistance(cinema: BuiltInWalk.cinemas[0], metres: 12.3456))
    #expect(WalkText.line(step) == "10:00:00   -52.39100    13.12040    1.23 km  12 m to Lantern House\n")
    #expect(
      WalkText.json([step])
        == #"{"schema":1,"type":"fix","latitude":-52.391,"longitude":13.1204,"timestamp":"1970-01-01T10:00:00Z","#
        + #""distance":1234.568,"nearest":{"name":"Lantern House","distance":12.346}}"# + "\n")
    let quoted = Cinema(name: "Kino \"Süd\"", coordinate: BuiltInWalk.start)
    let steps = [
      WalkStep(number: 1, fix: step.fix, distance: 0, nearest: CinemaDistance(cinema: quoted, metres: 5)),
      WalkStep(number: 2, fix: step.fix, distance: 7, nearest: nil),
    ]
    let start = #"{"schema":1,"type":"fix","latitude":-52.391,"longitude":13.1204,"timestamp":"1970-01-01T10:00:00Z","#
    #expect(
      WalkText.json(steps)
        == start + #""distance":0,"nearest":{"name":"Kino \"Süd\"","distance":5}}"# + "\n" + start
        + #""distance":7,"nearest":null}"# + "\n")
    #expect(WalkText.json(fixes: 2, distance: 0.1) == #"{"schema":1,"type":"summary","fixes":2,"distance":0.1}"# + "\n")
    #expect(
      WalkText.summary(fixes: 1, distance: 5, nearest: step.nearest) == "1 fix, 5 m; nearest: Lantern House, 12 m\n")
  }
}
