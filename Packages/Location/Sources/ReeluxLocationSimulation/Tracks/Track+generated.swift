import ReeluxCore
public import ReeluxLocation

extension Track {
  /// A straight walk along the geodesic from one place to another.
  ///
  /// - Parameters:
  ///   - start: The first point.
  ///   - end: The last point.
  ///   - spacing: The distance between points in metres, at least 1 mm. A smaller number counts as 1 mm. Default: 10.
  ///     The last two points may be closer.
  ///   - speed: The speed in metres per second, more than 0. Any other number counts as 1.4. Default: 1.4, a walk.
  ///   - time: The time of the first point. Default: the start of 1970.
  public static func line(
    from start: Coordinate, to end: Coordinate, spacing: Double = 10, speed: Double = 1.4,
    startingAt time: Timestamp = .epoch
  ) -> Track {
    let geodesic = Geodesic(from: start, to: end)
    let spacing = spacing >= 0.001 ? spacing : 0.001
    let speed = speed > 0 ? speed : 1.4
    // A rest that is shorter than the rounding error of the distance is no step of its own.
    let steps = (geodesic.distance / spacing - 1e-6).rounded(.up)
    let full = max(geodesic.distance > 0 ? 1 : 0, Int(steps))
    return .indexed(name: "line", count: full + 1) { index in
      let distance = index == 0 ? 0 : min(geodesic.distance, Double(index) * spacing)
      return TrackPoint(
        coordinate: index == full ? end : start.moved(by: distance, bearing: geodesic.initialBearing),
        timestamp: time.advanced(bySeconds: distance / speed))
    }
  }

  /// A clockwise walk around a circle. It begins and ends at the northernmost point.
  ///
  /// - Parameters:
  ///   - center: The centre.
  ///   - radius: The radius in metres, at least 0. A negative number, or one that is not finite, counts as 0.
  ///   - points: The number of points, at least 4. A smaller number counts as 4. Default: 73. The last point has the
  ///     place of the first.
  ///   - speed: The speed in metres per second, more than 0. Any other number counts as 1.4. Default: 1.4, a walk.
  ///   - time: The time of the first point. Default: the start of 1970.
  public static func circle(
    around center: Coordinate, radius: Double, points: Int = 73, speed: Double = 1.4,
    startingAt time: Timestamp = .epoch
  ) -> Track {
    let count = max(4, points)
    let radius = radius > 0 && radius.isFinite ? radius : 0
    let speed = speed > 0 ? speed : 1.4
    return .indexed(name: "circle", count: count) { index in
      let share = Double(index) / Double(count - 1)
      return TrackPoint(
        coordinate: center.moved(by: radius, bearing: index == count - 1 ? 0 : 360 * share),
        timestamp: time.advanced(bySeconds: 2 * .pi * radius * share / speed))
    }
  }

  /// A random walk. The same seed gives the same walk.
  ///
  /// Each step turns by a normally distributed angle with a standard deviation of 25°.
  ///
  /// - Parameters:
  ///   - start: The first point.
  ///   - steps: The number of steps. The number of points is one larger. A negative number gives a track without
  ///     points.
  ///   - length: The length of a step in metres. Default: 10. A negative number, or one that is not finite, counts as
  ///     0.
  ///   - speed: The speed in metres per second, more than 0. Any other number counts as 1.4. Default: 1.4, a walk.
  ///   - seed: The seed of the random numbers.
  ///   - time: The time of the first point. Default: the start of 1970.
  public static func randomWalk(
    from start: Coordinate, steps: Int, length: Double = 10, speed: Double = 1.4, seed: UInt64,
    startingAt time: Timestamp = .epoch
  ) -> Track {
    let speed = speed > 0 ? speed : 1.4
    let length = length > 0 && length.isFinite ? length : 0
    return Track(name: "random walk") { (_) throws(ReadingError) -> Points in
      var generator = SplitMix64(seed: seed)
      var bearing = generator.unit() * 360
      var coordinate = start
      var index = 0
      return Points { () throws(ReadingError) -> TrackPoint? in
        guard index <= steps else { return nil }
        let timestamp = time.advanced(bySeconds: Double(index) * length / speed)
        defer {
          coordinate = coordinate.moved(by: length, bearing: bearing)
          bearing = Heading.normalized(bearing + generator.normal() * 25)
          index += 1
        }
        return TrackPoint(coordinate: coordinate, timestamp: timestamp)
      }
    }
  }
}
