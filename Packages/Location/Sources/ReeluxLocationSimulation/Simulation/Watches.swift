import ReeluxLocation

/// A detector of the fixes at which the device enters or leaves a region.
///
/// The device enters the region at its edge. It leaves the region when its distance to the edge exceeds the hysteresis.
/// Without a hysteresis, the noise of the signal would let a device at the edge enter and leave repeatedly.
struct RegionWatch {
  let region: LocationRegion
  let hysteresis: Double
  private(set) var presence = RegionPresence.unknown

  init(_ region: LocationRegion, hysteresis: Double) {
    self.region = region
    self.hysteresis = hysteresis > 0 ? hysteresis : 0
  }

  /// Adds a fix. Returns `nil` if it changes nothing.
  mutating func update(_ fix: LocationFix) -> RegionUpdate? {
    let distance = region.distance(to: fix.coordinate)
    switch presence {
    case .unknown:
      presence = distance <= 0 ? .inside : .outside
      return .determined(presence)
    case .outside:
      guard distance <= 0 else { return nil }
      presence = .inside
      return .entered
    case .inside:
      guard distance > hysteresis else { return nil }
      presence = .outside
      return .left
    }
  }
}

/// A detector of the fixes at which a visit begins or ends.
///
/// A visit begins when the device has been near one place for long enough. Its arrival is the time of the first fix
/// there. It ends with the first fix that is farther away. Its departure is the time of the last fix before,
/// or its arrival if the times go backwards.
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

  /// Adds a fix. Returns a visit if one begins or ends with it.
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

  /// The visit that ended with the last fix near its place, if any.
  private mutating func finish() -> Visit? {
    guard isStaying, let anchor, let last else { return nil }
    isStaying = false
    return Visit(
      coordinate: anchor.coordinate, radius: radius, arrival: anchor.timestamp,
      departure: max(anchor.timestamp, last))
  }
}

/// A filter that accepts the first fix, and then each fix that is far from the last accepted one.
struct SignificantChangeWatch {
  let distance: Double
  private var last: Coordinate?

  init(distance: Double) {
    self.distance = distance
  }

  /// Whether a fix is a significant change.
  mutating func accepts(_ fix: LocationFix) -> Bool {
    if let last, last.distance(to: fix.coordinate) < distance { return false }
    last = fix.coordinate
    return true
  }
}
