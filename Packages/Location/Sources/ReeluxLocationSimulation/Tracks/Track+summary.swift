public import ReeluxLocation

extension Track {
  /// Reads the track and returns its length, ascent, descent and moving time. Costs the time to read the track, and
  /// twice as much if points have no time.
  ///
  /// A point without a time gets one from the points around it, at 1.4 m/s before the first point with a time. The path
  /// after the last point with a time takes no time. If the track has no times, the moving time is 0.
  ///
  /// - Parameters:
  ///   - minimumClimb: The smallest change of altitude in metres that counts. Default: 3.
  ///   - minimumSpeed: The smallest speed in metres per second that counts as motion. Default: 0.5.
  /// - Throws: A ``ReadingError`` if the source is malformed or has changed.
  public func summary(minimumClimb: Double = 3, minimumSpeed: Double = 0.5) throws(ReadingError) -> TravelSummary {
    var summary = TravelSummary(minimumClimb: minimumClimb, minimumSpeed: minimumSpeed)
    var points = try TimedPoints(self)
    var part: Int?
    var time = Timestamp.epoch
    while let point = try points.next() {
      if let part, part != point.part { summary.interrupt() }
      part = point.part
      time = point.timestamp ?? time
      summary.add(LocationFix(coordinate: point.coordinate, timestamp: time, altitude: point.altitude))
    }
    return summary
  }

  /// A track with fewer points. Each removed point is at most `tolerance` metres from the remaining line.
  ///
  /// It applies the method of Ramer (1972), Douglas and Peucker (1973) to each part. The points are kept in memory.
  /// Usually costs O(n log n), and at worst O(n²).
  ///
  /// - Parameter tolerance: The largest distance in metres, computed on a sphere and accurate to 0.6 %. With 0 or less,
  ///   only points on the line are removed.
  /// - Throws: A ``ReadingError`` if the source is malformed or has changed.
  public func simplified(tolerance: Double) throws(ReadingError) -> Track {
    var kept: [TrackPoint] = []
    var part: [TrackPoint] = []
    var points = try open()
    while let point = try points.next() {
      if let last = part.last, last.part != point.part || last.role != point.role {
        kept += Self.simplify(part, tolerance: tolerance)
        part.removeAll(keepingCapacity: true)
      }
      part.append(point)
    }
    kept += Self.simplify(part, tolerance: tolerance)
    var track = Track.points(kept, name: name)
    track.groups = groups
    return track
  }

  private static func simplify(_ points: [TrackPoint], tolerance: Double) -> [TrackPoint] {
    guard points.count > 2 else { return points }
    let vectors = points.map { UnitVector($0.coordinate) }
    var isKept = [Bool](repeating: false, count: points.count)
    (isKept[0], isKept[points.count - 1]) = (true, true)
    var open = [0..<(points.count - 1)]
    while let range = open.popLast() {
      var farthest = (index: 0, metres: tolerance > 0 ? tolerance : 0)
      for index in (range.lowerBound + 1)..<max(range.lowerBound + 1, range.upperBound) {
        let metres = vectors[index].metres(toArc: vectors[range.lowerBound], vectors[range.upperBound])
        if metres > farthest.metres { farthest = (index, metres) }
      }
      guard farthest.index > 0 else { continue }
      isKept[farthest.index] = true
      open.append(range.lowerBound..<farthest.index)
      open.append(farthest.index..<range.upperBound)
    }
    return zip(points, isKept).filter { $0.1 }.map { $0.0 }
  }
}
