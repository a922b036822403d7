import ReeluxLocation

/// The points of a track. A point without a time gets a time from the points around it.
///
/// Between two points with times, the time is distributed by the lengths of the paths. Before the first point with a
/// time, the times follow from the pace. After the last one, and in a track without times, points have no time.
///
/// From the first point without a time on, a second reader of the track runs ahead to the next point with a time. Any
/// number of points can therefore have no time, and the memory does not grow with it.
struct TimedPoints {
  /// Consecutive points without times, up to a point with a time.
  private struct Run {
    /// The last time before the run, if any.
    var start: Timestamp?
    /// The time after the run.
    var end: Timestamp
    /// The seconds at the pace along the whole run, and up to the present point.
    var whole: Double
    var passed: Double

    /// The time of the present point.
    var present: Timestamp {
      guard let start else { return end.advanced(bySeconds: passed - whole).withFourDigitYear }
      let share = whole > 0 ? passed / whole : 0
      return start.advanced(bySeconds: max(0, start.seconds(to: end)) * share)
    }
  }

  private let track: Track
  private let pace: Double
  private var points: Track.Points
  private var count = 0
  private var last: TrackPoint?
  private var run: Run?
  /// The reader that runs ahead, and the number of points that it has read.
  private var ahead: Track.Points?
  private var aheadCount = 0

  /// - Parameter pace: The speed in metres per second. Default: 1.4, a walk.
  init(_ track: Track, pace: Double = 1.4) throws(ReadingError) {
    self.track = track
    self.pace = pace
    points = try track.open(.fix)
  }

  /// The next point; `nil` at the end.
  mutating func next() throws(ReadingError) -> TrackPoint? {
    guard var point = try points.next() else { return nil }
    let previous = last
    count += 1
    last = point
    guard point.timestamp == nil else {
      run = nil
      return point
    }
    if aheadCount < count {
      run = try findRun(from: point, after: previous)
    } else if let previous {
      run?.passed += Self.seconds(from: previous, to: point, pace: pace)
    }
    point.timestamp = run?.present
    return point
  }

  /// The seconds between two points. The path between two parts is unknown and takes one second.
  static func seconds(from start: TrackPoint, to end: TrackPoint, pace: Double) -> Double {
    guard start.part == end.part else { return 1 }
    return min(start.coordinate.distance(to: end.coordinate) / pace, 1e9)
  }

  /// The run that begins with a point; `nil` if no time follows.
  private mutating func findRun(from point: TrackPoint, after previous: TrackPoint?) throws(ReadingError) -> Run? {
    var reader: Track.Points
    if let ahead { reader = ahead } else { reader = try track.open(.fix) }
    defer { ahead = reader }
    let first = previous.map { Self.seconds(from: $0, to: point, pace: pace) } ?? 0
    var whole = first
    var last = point
    // If the source is damaged, the first reader throws the error when it reaches the same point.
    while let next = try? reader.next() {
      aheadCount += 1
      guard aheadCount > count else { continue }
      whole += Self.seconds(from: last, to: next, pace: pace)
      last = next
      if let end = next.timestamp { return Run(start: previous?.timestamp, end: end, whole: whole, passed: first) }
    }
    aheadCount = .max
    return nil
  }
}

extension Timestamp {
  /// The moment, or the nearest one in the years 0 … 9999, which have a text in ISO 8601.
  var withFourDigitYear: Timestamp {
    Timestamp(secondsSince1970: max(-62_167_219_200, min(secondsSince1970, 253_402_300_799.999)))
  }
}
