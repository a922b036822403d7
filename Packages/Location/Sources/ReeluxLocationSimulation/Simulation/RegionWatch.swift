import ReeluxLocation

/// Tells from fixes when a region is entered and left, each once.
///
/// The region is entered at its edge, and left when the device is further beyond the edge than the hysteresis, so that
/// someone who stands at the edge does not enter and leave with every wavering of the signal.
struct RegionWatch {
  let region: CircularRegion
  let hysteresis: Double
  private(set) var presence = RegionPresence.unknown

  init(_ region: CircularRegion, hysteresis: Double) {
    self.region = region
    self.hysteresis = hysteresis > 0 ? hysteresis : 0
  }

  /// Takes a fix in; nothing when it changes nothing.
  mutating func update(_ fix: LocationFix) -> RegionUpdate? {
    let distance = region.center.distance(to: fix.coordinate)
    switch presence {
    case .unknown:
      presence = distance <= region.radius ? .inside : .outside
      return .determined(presence)
    case .outside:
      guard distance <= region.radius else { return nil }
      presence = .inside
      return .entered
    case .inside:
      guard distance > region.radius + hysteresis else { return nil }
      presence = .outside
      return .left
    }
  }
}
