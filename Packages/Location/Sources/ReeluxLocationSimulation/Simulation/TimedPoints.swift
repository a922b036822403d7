import ReeluxLocation

/// The points of a track. A point without a time gets a time from the points around it.
///
/// Between two points with times, the time is distributed by the lengths of the paths. Before the first point with a
/// time, the times follow from the pace. After the last one, and in a track without times, points have no time.
struct TimedPoints {
  private var points: Track.Points
  private let pace: Double
  /// The points that were read ahead. The next one is last.
  private var ahead: [TrackPoint] = []
  private var last: TrackPoint?
  /// The error after the points that were read ahead.
  private var failure: ReadingError?

  /// The largest number of points that are read ahead.
  private static let limit = 10_000

  /// - Parameter pace: The speed in metres per second.
  init(_ points: Track.Points, pace: Double) {
    self.points = points
    self.pace = pace
  }

  /// The next point; `nil` at the end.
  mutating func next() throws(ReadingError) -> TrackPoint? {
    if ahead.isEmpty {
      if let failure { throw failure }
      guard let point = try points.next() else { return nil }
      if point.timestamp != nil {
        last = point
        return point
      }
      readAhead(from: point)
    }
    last = ahead.popLast()
    return last
  }

  /// The seconds between two points. The path between two parts is unknown and takes one second.
  static func seconds(from start: TrackPoint, to end: TrackPoint, pace: Double) -> Double {
    guard start.part == end.part else { return 1 }
    return min(start.coordinate.distance(to: end.coordinate) / pace, 1e9)
  }

  private mutating func readAhead(from point: TrackPoint) {
    var run = [point]
    do throws(ReadingError) {
      while run.count < Self.limit, let next = try points.next() {
        run.append(next)
        if next.timestamp != nil { break }
      }
    } catch {
      failure = error
    }
    defer { ahead = run.reversed() }
    guard let end = run.last?.timestamp else { return }
    var seconds = zip(run, run.dropFirst()).map { Self.seconds(from: $0, to: $1, pace: pace) }
    if let last, let start = last.timestamp {
      seconds.insert(Self.seconds(from: last, to: run[0], pace: pace), at: 0)
      let whole = seconds.reduce(0, +)
      let scale = whole > 0 ? max(0, start.seconds(to: end)) / whole : 0
      var passed = 0.0
      for index in run.indices.dropLast() {
        passed += seconds[index] * scale
        run[index].timestamp = start.advanced(bySeconds: passed)
      }
    } else {
      var left = 0.0
      for index in run.indices.dropLast().reversed() {
        left += seconds[index]
        run[index].timestamp = end.advanced(bySeconds: -left)
      }
    }
  }
}
