/// Durations as they are written on the command line: `0ms`, `300ms`, `1.5s`.
enum DurationText {
  /// The longest duration that is accepted: one hour.
  static let maximum = Duration.seconds(3600)

  /// The duration of a text; `nil` when it is none, is negative, or is longer than ``maximum``.
  static func duration(_ text: String) -> Duration? {
    let number: Substring
    let unit: Double
    if text.hasSuffix("ms") {
      number = text.dropLast(2)
      unit = 1
    } else if text.hasSuffix("s") {
      number = text.dropLast(1)
      unit = 1000
    } else {
      return nil
    }
    guard let value = DecimalText.number(number), value >= 0, value * unit <= 3_600_000 else { return nil }
    return .microseconds(Int64((value * unit * 1000).rounded()))
  }
}
