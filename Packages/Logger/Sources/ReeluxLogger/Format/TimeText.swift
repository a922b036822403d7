package import Foundation

/// Times and durations as text in UTC. No formatter is used, so the text is the same on every machine.
package enum TimeText {
  /// A time in ISO 8601 with microseconds: `2026-11-21T02:03:04.123456Z`.
  package static func iso8601(_ time: Date) -> String {
    let (days, micros) = split(time)
    let (year, month, day) = civil(days)
    var text = Digits()
    text.append(year, 4, then: "-")
    text.append(month, 2, then: "-")
    text.append(day, 2, then: "T")
    append(micros, to: &text)
    text.append(micros % 1_000_000, 6, then: "Z")
    return text.text
  }

  /// The time of day in UTC: `02:03:04.123`.
  static func clock(_ time: Date) -> String {
    let (_, micros) = split(time)
    var text = Digits()
    append(micros, to: &text)
    text.append(micros % 1_000_000 / 1_000, 3)
    return text.text
  }

  /// A duration: `0.021 ms`.
  package static func milliseconds(_ duration: Duration) -> String {
    let micros = max(0, duration.inNanoseconds / 1_000)
    var text = Digits()
    text.append(Int(micros / 1_000), 1, then: ".")
    text.append(Int(micros % 1_000), 3)
    return text.text + " ms"
  }

  private static func split(_ time: Date) -> (days: Int, micros: Int) {
    let seconds = time.timeIntervalSince1970
    let total = seconds.isFinite && abs(seconds) < 1e11 ? Int((seconds * 1e6).rounded()) : 0
    let days = Int((Double(total) / 86_400e6).rounded(.down))
    return (days, total - days * 86_400_000_000)
  }

  private static func append(_ micros: Int, to text: inout Digits) {
    let seconds = micros / 1_000_000
    text.append(seconds / 3_600, 2, then: ":")
    text.append(seconds / 60 % 60, 2, then: ":")
    text.append(seconds % 60, 2, then: ".")
  }

  /// The date of a day counted from 1970 in the proleptic Gregorian calendar. Internally, years begin in March.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

/// A text of decimal numbers with leading zeros.
private struct Digits {
  private var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(32) }

  mutating func append(_ number: Int, _ width: Int, then separator: Unicode.Scalar? = nil) {
    var unit: UInt = 1
    for _ in 1..<width { unit *= 10 }
    while number.magnitude / unit >= 10 { unit *= 10 }
    if number < 0 { bytes.append(0x2d) }
    while unit > 0 {
      bytes.append(UInt8(0x30 + number.magnitude / unit % 10))
      unit /= 10
    }
    if let separator { bytes.append(UInt8(ascii: separator)) }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
}
