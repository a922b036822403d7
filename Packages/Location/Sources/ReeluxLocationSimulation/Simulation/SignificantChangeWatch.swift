import ReeluxLocation

/// Lets the first fix through, and then each that is far from the last one let through.
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
