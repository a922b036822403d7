import ReeluxLocation

/// Tells from fixes when a stay begins and ends.
///
/// A stay begins when the device was near one place for long enough, and then counts from the first fix there. It ends
/// with the first fix that is farther away.
struct VisitWatch {
  let radius: Double
  let duration: Double
  private var anchor: LocationFix?
  private var isStaying = false
  private var last: Timestamp?

  init(radius: Double, duration: Double) {
    self.radius = radius
    self.duration = duration
  }

  /// Takes a fix in; a visit when a stay begins or ends with it.
  mutating func update(_ fix: LocationFix) -> Visit? {
    defer { last = fix.timestamp }
    guard let anchor, anchor.coordinate.distance(to: fix.coordinate) <= radius else {
      let ended = finish()
      anchor = fix
      return ended
    }
    guard !isStaying, anchor.timestamp.seconds(to: fix.timestamp) >= duration else { return nil }
    isStaying = true
    return Visit(coordinate: anchor.coordinate, radius: radius, arrival: anchor.timestamp)
  }

  /// The stay that ended with the last fix near its place, if there was one.
  private mutating func finish() -> Visit? {
    guard isStaying, let anchor, let last else { return nil }
    isStaying = false
    return Visit(coordinate: anchor.coordinate, radius: radius, arrival: anchor.timestamp, departure: last)
  }
}
