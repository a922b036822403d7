import ReeluxLocation

/// Works out speed and course from one fix to the next, where the source does not give them.
struct MotionEstimate {
  private var last: LocationFix?

  /// Metres below which a movement has no direction worth naming.
  private static let stillness = 0.1

  /// The way to the next fix is not known.
  mutating func interrupt() {
    last = nil
  }

  /// Puts in what the fix before allows to say.
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
