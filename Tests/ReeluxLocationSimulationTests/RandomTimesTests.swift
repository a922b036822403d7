import ReeluxCore
import ReeluxLocation
import Testing

@testable import ReeluxLocationSimulation

/// Tracks with segments, with missing and equal times, and with times that go backwards. The times of their fixes are
/// compared with a simple computation.
@Suite(.timeLimit(.minutes(15))) struct RandomTimesTests {
  @Test func aFixHasTheTimeOfItsPointOrOfThePointsAround() throws {
    for seed in 1...1_000 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      let points = Self.points(&numbers)
      let expected = Self.times(of: points, pace: 2, start: 500)
      let options = SimulationOptions(pace: 2, startTime: Timestamp(secondsSince1970: 500))
      var walk = try SimulatedWalk(track: .points(points), options: options)
      var seconds = 0.0
      for index in points.indices {
        let moment = try #require(try walk.next())
        let time = try #require(moment.fix).timestamp.secondsSince1970
        if index > 0 { seconds += max(0, expected[index] - expected[index - 1]) }
        guard abs(time - expected[index]) < 1e-5, abs(moment.seconds - seconds) < 1e-5 else {
          Issue.record("seed \(seed), point \(index): \(time), not \(expected[index]), after \(moment.seconds) s")
          break
        }
        #expect(moment.isAfterGap == (index > 0 && points[index - 1].part != points[index].part), "seed \(seed)")
      }
    }
  }

  private static func points(_ numbers: inout SplitMix64) -> [TrackPoint] {
    func number(below limit: UInt64) -> Double { Double(numbers.next() % limit) }
    let share = number(below: 5)
    let isOrdered = number(below: 3) > 0
    var place = Coordinate(normalizing: number(below: 180) - 90, longitude: number(below: 360) - 180)
    var time = number(below: 1_000_000)
    var part = 0
    return (0...Int(number(below: 12))).map { _ in
      if number(below: 4) > 0 { place = place.moved(by: number(below: 300), bearing: number(below: 360)) }
      time += number(below: 100)
      if !isOrdered, number(below: 3) == 0 { time -= number(below: 200) }
      if number(below: 6) == 0 { part += 1 }
      let hasTime = number(below: 4) < share
      return TrackPoint(
        coordinate: place, timestamp: hasTime ? Timestamp(secondsSince1970: time) : nil, part: part)
    }
  }

  /// The times that the documentation of the module states.
  private static func times(of points: [TrackPoint], pace: Double, start: Double) -> [Double] {
    /// The seconds at the pace from one point to a later one.
    func seconds(_ first: Int, _ last: Int) -> Double {
      (first..<last).reduce(0) { sum, index in
        let (from, to) = (points[index], points[index + 1])
        return sum + (from.part == to.part ? from.coordinate.distance(to: to.coordinate) / pace : 1)
      }
    }
    let known = points.map { $0.timestamp?.secondsSince1970 }
    return points.indices.map { index in
      let before = points.indices.last { $0 <= index && known[$0] != nil }
      let after = points.indices.first { $0 >= index && known[$0] != nil }
      switch (before, after) {
      case (let before?, let after?):
        let whole = seconds(before, after)
        let (first, last) = (known[before] ?? 0, known[after] ?? 0)
        return whole > 0 ? first + max(0, last - first) * seconds(before, index) / whole : first
      case (let before?, nil): return (known[before] ?? 0) + seconds(before, index)
      case (nil, let after?): return (known[after] ?? 0) - seconds(index, after)
      case (nil, nil): return start + seconds(0, index)
      }
    }
  }
}
