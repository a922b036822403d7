/// Decides which fixes are let through, by distance, interval and accuracy.
struct FixFilter {
  let options: PositionOptions
  private var last: LocationFix?

  init(_ options: PositionOptions) {
    self.options = options
  }

  /// Whether a fix is let through; if so, the next one is measured from it.
  mutating func accepts(_ fix: LocationFix) -> Bool {
    if let required = options.requiredAccuracy, let accuracy = fix.horizontalAccuracy, accuracy > required {
      return false
    }
    if let last {
      if options.minimumInterval > 0, last.timestamp.seconds(to: fix.timestamp) < options.minimumInterval {
        return false
      }
      if options.minimumDistance > 0, last.coordinate.distance(to: fix.coordinate) < options.minimumDistance {
        return false
      }
    }
    last = fix
    return true
  }
}

/// Decides which headings are let through, by turn.
struct HeadingFilter {
  let options: HeadingOptions
  private var last: Heading?

  init(_ options: HeadingOptions) {
    self.options = options
  }

  /// Whether a heading is let through; if so, the next one is measured from it.
  mutating func accepts(_ heading: Heading) -> Bool {
    if let last, Heading.turn(from: last.degrees, to: heading.degrees) < options.minimumTurn { return false }
    last = heading
    return true
  }
}
