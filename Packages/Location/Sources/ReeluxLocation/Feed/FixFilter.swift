/// A filter of fixes by distance, interval and accuracy.
struct FixFilter {
  let options: PositionOptions
  private var last: LocationFix?

  init(_ options: PositionOptions) {
    self.options = options
  }

  /// Whether a fix is accepted. The next fix is compared with the last accepted one.
  mutating func accepts(_ fix: LocationFix) -> Bool {
    if let required = options.requiredAccuracy, let accuracy = fix.horizontalAccuracy, accuracy > required {
      return false
    }
    if let last {
      let seconds = last.timestamp.seconds(to: fix.timestamp)
      if seconds >= 0, seconds < options.minimumInterval { return false }
      if options.minimumDistance > 0, last.coordinate.distance(to: fix.coordinate) < options.minimumDistance {
        return false
      }
    }
    last = fix
    return true
  }
}

/// A filter of headings by the size of the turn.
struct HeadingFilter {
  let options: HeadingOptions
  private var last: Heading?

  init(_ options: HeadingOptions) {
    self.options = options
  }

  /// Whether a heading is accepted. The next heading is compared with the last accepted one.
  mutating func accepts(_ heading: Heading) -> Bool {
    if let last, Heading.turn(from: last.degrees, to: heading.degrees) < options.minimumTurn { return false }
    last = heading
    return true
  }
}
