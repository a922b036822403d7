import ReeluxLocation
import Testing

@testable import ReeluxLocationSimulation

/// The times of points that have none in their source.
@Suite(.timeLimit(.minutes(15))) struct EstimatedTimeTests {
  /// The times of a walk along a document of points, in seconds after 08:00.
  private func seconds(count: Int, timed: [Int: String]) throws -> [Double] {
    let points = (0..<count).map { index in
      let time = timed[index].map { "<time>2024-05-01T\($0)Z</time>" } ?? ""
      return "<trkpt lat='48' lon='\(11 + Double(index) / 100_000)'>\(time)</trkpt>"
    }
    let track = try Track.gpx(.text("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"))
    var walk = try SimulatedWalk(track: track, options: SimulationOptions())
    let start = try #require(Timestamp(iso8601: "2024-05-01T08:00:00Z"))
    var seconds: [Double] = []
    while let moment = try walk.next() { seconds.append(start.seconds(to: try #require(moment.fix).timestamp)) }
    return seconds
  }

  @Test(arguments: [3, 9_000, 10_002, 40_000])
  func timesBetweenTwoPointsWithTimesAreDistributedOverAnyNumberOfPoints(count: Int) throws {
    let seconds = try seconds(count: count, timed: [0: "08:00:00", count - 1: "08:10:00"])
    #expect(seconds.count == count)
    #expect(seconds == seconds.sorted())
    for (index, second) in seconds.enumerated() {
      guard abs(second - 600 * Double(index) / Double(count - 1)) < 0.001 else {
        Issue.record("point \(index) is at \(second) s")
        break
      }
    }
  }

  @Test(arguments: [3, 9_000, 10_002, 40_000])
  func timesBeforeTheOnlyTimeFollowFromThePaceOverAnyNumberOfPoints(count: Int) throws {
    let seconds = try seconds(count: count, timed: [count - 1: "08:00:00"])
    #expect(seconds == seconds.sorted())
    #expect(seconds.last == 0)
    let step = Coordinate(normalizing: 48, longitude: 11).distance(
      to: Coordinate(normalizing: 48, longitude: 11.000_01))
    #expect(abs((seconds.first ?? 0) + step * Double(count - 1) / 1.4) < 0.01)
  }

  @Test func timesAreDistributedInEachRunOfPointsWithoutTimes() throws {
    let seconds = try seconds(count: 9, timed: [2: "08:00:00", 4: "08:00:10", 5: "08:00:20", 7: "08:01:00"])
    #expect(seconds.count == 9)
    for (index, expected) in zip(2..., [0.0, 5, 10, 20, 40, 60]) { #expect(abs(seconds[index] - expected) < 1e-3) }
    #expect(seconds == seconds.sorted())
  }

  @Test func estimatedTimesStayInTheYearsThatCanBeWritten() throws {
    func times(_ contents: [String]) throws -> [String] {
      let points = contents.enumerated().map { "<trkpt lat='48' lon='11.\($0)'>\($1)</trkpt>" }
      var walk = try SimulatedWalk(
        track: try Track.gpx(.text("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")),
        options: SimulationOptions())
      var times: [String] = []
      while let moment = try walk.next() { times.append(try #require(moment.fix).timestamp.description) }
      return times
    }
    let last = "9999-12-31T23:59:59"
    #expect(try times(["<time>\(last)Z</time>", "", ""]) == ["\(last)Z", "\(last).999Z", "\(last).999Z"])
    let first = "0000-01-01T00:00:00Z"
    #expect(try times(["", "", "<time>\(first)</time>"]) == [first, first, first])
  }

  /// Some receivers begin with a wrong date.
  @Test func timesAfterAStepBackFollowFromTheLastTime() throws {
    let seconds = try seconds(count: 3, timed: [0: "09:00:00", 1: "08:00:00"])
    #expect(seconds[0] == 3_600 && seconds[1] == 0)
    #expect(abs(seconds[2] - 0.744 / 1.4) < 0.01)
  }

  @Test func eachPointBeforeADamageIsGivenBeforeTheError() throws {
    let track = Track(name: "damaged") { (_) throws(ReadingError) -> Track.Points in
      var index = 0
      return Track.Points { () throws(ReadingError) -> TrackPoint? in
        index += 1
        guard index <= 3 else { throw ReadingError(kind: .malformed, input: "damaged", reason: "here") }
        return TrackPoint(coordinate: Coordinate(normalizing: Double(index), longitude: 0))
      }
    }
    var walk = try SimulatedWalk(track: track, options: SimulationOptions())
    for _ in 0..<3 { #expect(try walk.next()?.fix != nil) }
    #expect(throws: ReadingError.self) { try walk.next() }
  }
}
