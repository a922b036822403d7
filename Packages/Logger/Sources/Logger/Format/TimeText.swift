internal import Foundation

/// Times and durations as text, without a formatter: the same on every machine, in UTC.
enum TimeText {
  /// `2026-11-21T02:03:04.123456Z`, the time of ISO 8601 with microseconds.
  static func iso8601(_ time: Date) -> String {
    let (days, micros) = split(time)
    let (year, month, day) = civil(days)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(clock(micros)).\(padded(micros % 1_000_000, 6))Z"
  }

  /// `02:03:04.123`, the time of day in UTC.
  static func clock(_ time: Date) -> String {
    let (_, micros) = split(time)
    return "\(clock(micros)).\(padded(micros % 1_000_000 / 1_000, 3))"
  }

  /// `0.021 ms`.
  static func milliseconds(_ duration: Duration) -> String {
    let micros = max(0, duration.inNanoseconds / 1_000)
    return "\(micros / 1_000).\(padded(Int(micros % 1_000), 3)) ms"
  }

  private static func split(_ time: Date) -> (days: Int, micros: Int) {
    let seconds = time.timeIntervalSince1970
    let total = seconds.isFinite && abs(seconds) < 1e11 ? Int((seconds * 1e6).rounded()) : 0
    let days = Int((Double(total) / 86_400e6).rounded(.down))
    return (days, total - days * 86_400_000_000)
  }

  private static func clock(_ micros: Int) -> String {
    let seconds = micros / 1_000_000
    return "\(padded(seconds / 3_600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))"
  }

  /// The date of a day counted from 1970 in the proleptic Gregorian calendar; years begin in March inside.
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

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return digits.count < width ? String(repeating: "0", count: width - digits.count) + digits : digits
  }
}
