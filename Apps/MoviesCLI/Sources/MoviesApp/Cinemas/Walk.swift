package import ReeluxLocation
package import ReeluxLocationSimulation

/// A track and the speed at which it is replayed.
package struct Walk: Sendable {
  /// The description of the walk in messages.
  package var label: String

  package var track: Track

  package var speed: SimulationSpeed

  /// Whether this is the built-in walk.
  package var isBuiltIn: Bool

  /// The requested largest number of fixes in one action; `nil` for the default.
  package var batch: Int?

  /// The largest number of fixes in one action. It is the requested number, else 64 for a file of more than 10,000
  /// points, else 1. It has an effect only at the speed `max`. There, the store's work for each action takes most of
  /// the time.
  var batchSize: Int { batch ?? ((track.contents?.points ?? 0) > 10_000 ? 64 : 1) }

  /// The built-in walk, as fast as possible.
  package static let builtIn = Walk(
    label: BuiltInWalk.label, track: BuiltInWalk.track, speed: .max, isBuiltIn: true)

  /// The simulated seconds from the first point to the last, and the longest of the times between two points. They
  /// follow from the points' times, or from a walker's pace if there are none.
  ///
  /// Reads the whole track once.
  func duration() throws(ReadingError) -> (seconds: Double, longest: Double) {
    var points = try track.open()
    var seconds = 0.0
    var longest = 0.0
    // The time at a walker's pace since the last point with a time.
    var untimed = 0.0
    var time: Timestamp?
    var last: TrackPoint?
    while let point = try points.next() {
      if let last, last.part == point.part, time == nil || point.timestamp == nil {
        untimed += last.coordinate.distance(to: point.coordinate) / SimulationOptions().pace
      }
      if let now = point.timestamp {
        let step = time.map { max(0, $0.seconds(to: now)) } ?? untimed
        seconds += step
        if last?.timestamp != nil { longest = max(longest, step) }
        time = now
        untimed = 0
      }
      last = point
    }
    return (seconds + untimed, longest)
  }

  /// The speed at which the walk takes this number of seconds, but at least the original speed.
  func speed(toTake seconds: Double) throws(ReadingError) -> SimulationSpeed {
    .factor(max(1, try duration().seconds / seconds))
  }
}

/// A fix of a walk and its nearest cinema.
package struct WalkStep: Codable, Hashable, Sendable {
  /// The number of the fix, counted from one.
  package let number: Int

  package let fix: LocationFix

  /// The metres walked up to this fix.
  package let distance: Double

  /// The cinema nearest to the fix.
  package let nearest: CinemaDistance?
}
