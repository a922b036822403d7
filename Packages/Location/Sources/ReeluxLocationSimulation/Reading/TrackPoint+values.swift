import ReeluxLocation

extension TrackPoint {
  /// Stores a value in an extension. Returns false for a course and for a second speed.
  mutating func take(_ value: Double, of word: XMLNames.Word) -> Bool {
    switch word {
    case .speed where speed == nil: setSpeed(value)
    // Exports of Apple Health have accuracies in metres. A negative one is unknown. The others replace estimates.
    case .hAcc: if value >= 0 { horizontalAccuracy = value }
    case .vAcc: if value >= 0 { verticalAccuracy = value }
    default: return false
    }
    return true
  }

  /// Phones write −1 for an unknown speed.
  mutating func setSpeed(_ value: Double) { if value >= 0 { speed = value } }

  /// Estimates an accuracy that is not known in metres.
  mutating func setHorizontalDilution(_ value: Double) {
    horizontalAccuracy = horizontalAccuracy ?? accuracy(dilution: value)
  }

  mutating func setVerticalDilution(_ value: Double) {
    verticalAccuracy = verticalAccuracy ?? accuracy(dilution: value)
  }
}
