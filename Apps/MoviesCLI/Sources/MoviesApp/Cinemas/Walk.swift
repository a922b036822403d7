package import ReeluxLocation
package import ReeluxLocationSimulation

/// A way to follow, and how fast.
package struct Walk: Sendable {
  /// What it is, in words for people.
  package var label: String

  /// The way.
  package var track: Track

  /// How fast it is followed.
  package var speed: SimulationSpeed

  /// Whether it is the one that comes with the app.
  package var isBuiltIn: Bool

  /// The walk that comes with the app, as fast as possible.
  package static let builtIn = Walk(
    label: BuiltInWalk.label, track: BuiltInWalk.track, speed: .max, isBuiltIn: true)

  /// The simulated seconds from the first point to the last: by the points' times, else at a walker's pace.
  ///
  /// Reads the track through once.
  func duration() throws(ReadingError) -> Double {
    var points = try track.open()
    var seconds = 0.0
    var last: TrackPoint?
    while let point = try points.next() {
      if let last {
        if let before = last.timestamp, let now = point.timestamp {
          seconds += max(0, before.seconds(to: now))
        } else if last.part == point.part {
          seconds += last.coordinate.distance(to: point.coordinate) / SimulationOptions().pace
        }
      }
      last = point
    }
    return seconds
  }

  /// The speed at which the walk takes so many seconds; never slower than it was walked.
  func speed(toTake seconds: Double) throws(ReadingError) -> SimulationSpeed {
    .factor(max(1, try duration() / seconds))
  }
}

/// A fix of a walk, with the nearest cinema.
package struct WalkStep: Codable, Hashable, Sendable {
  /// The number of the fix, counted from one.
  package let number: Int

  /// The fix.
  package let fix: LocationFix

  /// Metres walked up to this fix.
  package let distance: Double

  /// The cinema that is nearest to it.
  package let nearest: CinemaDistance?
}
