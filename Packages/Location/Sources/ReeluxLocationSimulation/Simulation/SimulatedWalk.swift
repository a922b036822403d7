import ReeluxCore
import ReeluxLocation

/// The fixes of a device that follows a track, with the simulated time of each.
struct SimulatedWalk {
  /// One fix of the walk.
  struct Moment {
    /// The seconds since the walk started.
    var seconds: Double
    /// The fix; `nil` if the signal is lost.
    var fix: LocationFix?
    /// Whether the path to this fix is unknown.
    var isAfterGap = false
  }

  private let options: SimulationOptions
  private let pace: Double
  private var points: TimedPoints
  private var motion = MotionEstimate()
  private var index = 0
  private var lostPoints = 0
  private var previous: (point: TrackPoint, seconds: Double)?
  private var origin: Timestamp?
  private var lastDeliveredPart: Int?

  init(track: Track, options: SimulationOptions) throws(ReadingError) {
    self.options = options
    pace = options.pace > 0 ? options.pace : 1.4
    points = try TimedPoints(track, pace: pace)
  }

  /// Moves to the next fix, or to the loss of the signal. Returns `nil` at the end.
  mutating func next() throws(ReadingError) -> Moment? {
    while let point = try points.next() {
      defer { index += 1 }
      let seconds = time(of: point)
      previous = (point, seconds)
      let origin = point.timestamp?.advanced(bySeconds: -seconds) ?? self.origin ?? options.startTime
      self.origin = origin
      var chance = SplitMix64(seed: options.seed, step: index)
      switch reception(&chance) {
      case .lost: continue
      case .dropsOut:
        motion.interrupt()
        return Moment(seconds: seconds, fix: nil)
      case .received: break
      }
      let timestamp = point.timestamp ?? origin.advanced(bySeconds: seconds).withFourDigitYear
      let isAfterGap = lastDeliveredPart.map { $0 != point.part } ?? false
      lastDeliveredPart = point.part
      if isAfterGap { motion.interrupt() }
      let fix = motion.complete(noisy(fix(of: point, at: timestamp), &chance))
      return Moment(seconds: seconds, fix: fix, isAfterGap: isAfterGap)
    }
    return nil
  }

  /// Moves to the present. Returns the last moment before it and the first one after it.
  mutating func skip(to present: Double) throws(ReadingError) -> [Moment] {
    guard present > 0 else { return [] }
    var last: [Moment] = []
    while let moment = try next() {
      if moment.seconds > present { return last + [moment] }
      last = [moment]
    }
    return last
  }

  /// The seconds since the walk started. They follow from the points' times, or from the pace if there are none, and
  /// never decrease.
  private func time(of point: TrackPoint) -> Double {
    guard let previous else { return 0 }
    if let before = previous.point.timestamp, let now = point.timestamp {
      return previous.seconds + max(0, min(before.seconds(to: now), 1e9))
    }
    return previous.seconds + TimedPoints.seconds(from: previous.point, to: point, pace: pace)
  }

  private enum Reception { case received, dropsOut, lost }

  private mutating func reception(_ chance: inout SplitMix64) -> Reception {
    guard options.dropoutProbability > 0 else { return .received }
    if lostPoints > 0 {
      lostPoints -= 1
      return .lost
    }
    guard chance.unit() < options.dropoutProbability, options.dropoutLength > 0 else { return .received }
    lostPoints = options.dropoutLength - 1
    return .dropsOut
  }

  private func fix(of point: TrackPoint, at timestamp: Timestamp) -> LocationFix {
    LocationFix(
      coordinate: point.coordinate, timestamp: timestamp, horizontalAccuracy: point.horizontalAccuracy,
      altitude: point.altitude, verticalAccuracy: point.verticalAccuracy, speed: point.speed, course: point.course,
      satellites: point.satellites)
  }

  private func noisy(_ fix: LocationFix, _ chance: inout SplitMix64) -> LocationFix {
    guard options.noise > 0, options.noise.isFinite else { return fix }
    var fix = fix
    let north = chance.normal() * options.noise
    let east = chance.normal() * options.noise
    fix.coordinate = fix.coordinate.moved(
      by: (north * north + east * east).squareRoot(), bearing: Angle.radians(east, north) * 180 / .pi)
    fix.horizontalAccuracy = max(fix.horizontalAccuracy ?? 0, options.noise)
    return fix
  }
}

/// An estimate of speed and course between two fixes, if the source has none.
struct MotionEstimate {
  private var last: LocationFix?

  /// The smallest movement in metres with a direction.
  private static let stillness = 0.1

  /// Marks the path to the next fix as unknown.
  mutating func interrupt() {
    last = nil
  }

  /// Adds the values that follow from the previous fix.
  mutating func complete(_ fix: LocationFix) -> LocationFix {
    defer { last = fix }
    guard let last, fix.speed == nil || fix.course == nil else { return fix }
    var fix = fix
    let geodesic = Geodesic(from: last.coordinate, to: fix.coordinate)
    let seconds = last.timestamp.seconds(to: fix.timestamp)
    if fix.speed == nil, seconds > 0 { fix.speed = geodesic.distance / seconds }
    if fix.course == nil, geodesic.distance >= Self.stillness { fix.course = geodesic.finalBearing }
    return fix
  }
}
