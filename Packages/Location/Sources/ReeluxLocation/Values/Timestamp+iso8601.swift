// Dates without Foundation: the proleptic Gregorian calendar with day numbers. Years are counted from 1 March, so that
// the leap day is the last day of a year and the lengths of months follow a regular pattern.

extension Timestamp {
  /// Creates a moment from ISO 8601 text. Returns `nil` if the text is malformed or not a real time.
  ///
  /// The format is `2024-05-01T12:34:56` or `2024-05-01T12:34`. Fractions of a second may follow a point or a comma.
  /// The zone may be `Z`, `+02`, `+0200` or `+02:00`. A space may replace the `T`. A text without a zone is in UTC.
  /// Second 60, a leap second, counts as the next second. The moment must be in the years 0 … 9999 of UTC.
  public init?(iso8601 text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(iso8601Bytes: bytes, in: 0..<bytes.count)
  }

  /// Creates a moment from ISO 8601 bytes.
  package init?(iso8601Bytes bytes: [UInt8], in range: Range<Int>) {
    var reader = DigitReader(bytes: bytes, index: range.lowerBound, end: range.upperBound)
    guard
      let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2), reader.skip("-"),
      let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
      let hour = reader.number(digits: 2), reader.skip(":"), let minute = reader.number(digits: 2),
      case let hasSeconds = reader.skip(":"), let second = hasSeconds ? reader.number(digits: 2) : 0,
      let start = Timestamp(year: year, month: month, day: day),
      hour < 24 || (hour == 24 && minute == 0 && second == 0), minute < 60, second <= 60
    else { return nil }
    var fraction = 0.0
    if hasSeconds, reader.skip(".") || reader.skip(",") {
      guard let value = reader.fraction() else { return nil }
      fraction = value
    }
    guard hour < 24 || fraction == 0, let offset = reader.zone() else { return nil }
    let wholeSeconds = hour * 3600 + minute * 60 + second - offset
    self.init(secondsSince1970: start.secondsSince1970 + Double(wholeSeconds) + fraction)
    // An offset or a leap second can move the time out of these years.
    guard Self.writable.contains(secondsSince1970) else { return nil }
  }

  /// The seconds of the years 0000-01-01 … 9999-12-31T23:59:59.999.
  private static var writable: Range<Double> { -62_167_219_200..<253_402_300_799.9995 }

  /// Creates midnight UTC at the start of a day. Returns `nil` if there is no such day.
  ///
  /// - Parameters:
  ///   - year: 0 … 9999.
  ///   - month: 1 … 12.
  ///   - day: 1 … the month's length.
  public init?(year: Int, month: Int, day: Int) {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length =
      switch month {
      case 2: isLeap ? 29 : 28
      case 4, 6, 9, 11: 30
      default: 31
      }
    guard day <= length else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let monthsSinceMarch = (month + 9) % 12
    let leapDays = marchYear.quotient(by: 4) - marchYear.quotient(by: 100) + marchYear.quotient(by: 400)
    let days = marchYear * 365 + leapDays + (monthsSinceMarch * 153 + 2) / 5 + day - 1
    // 719,468 days lie between 1 March of the year 0 and 1 January 1970.
    self.init(secondsSince1970: Double((days - 719_468) * 86_400))
  }
}

extension Timestamp: CustomReflectable {
  /// A moment has no parts: it is shown by its description.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Timestamp: CustomStringConvertible {
  /// The moment in UTC as ISO 8601: `2024-05-01T12:34:56Z`. It includes milliseconds if there is a fraction.
  ///
  /// Outside the years 0 … 9999, the text is the number of seconds, followed by ` s`.
  public var description: String {
    // This is false for a value that is not a number.
    guard Self.writable.contains(secondsSince1970) else { return "\(secondsSince1970) s" }
    let milliseconds = Int((secondsSince1970 * 1000).rounded())
    let days = milliseconds.quotient(by: 86_400_000)
    let inDay = milliseconds - days * 86_400_000
    let (year, month, day) = Timestamp.civil(daysSince1970: days)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    func append(_ number: Int, digits: Int, before byte: Unicode.Scalar) {
      var power = digits == 4 ? 1000 : digits == 3 ? 100 : 10
      while power > 0 {
        bytes.append(UInt8(ascii: "0") + UInt8(number / power % 10))
        power /= 10
      }
      bytes.append(UInt8(ascii: byte))
    }
    append(year, digits: 4, before: "-")
    append(month, digits: 2, before: "-")
    append(day, digits: 2, before: "T")
    append(inDay / 3_600_000, digits: 2, before: ":")
    append(inDay / 60_000 % 60, digits: 2, before: ":")
    append(inDay / 1000 % 60, digits: 2, before: inDay % 1000 == 0 ? "Z" : ".")
    if inDay % 1000 != 0 { append(inDay % 1000, digits: 3, before: "Z") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The year, month and day of a day number.
  private static func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
    let days = daysSince1970 + 719_468
    let era = days.quotient(by: 146_097)
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthsSinceMarch = (5 * dayOfYear + 2) / 153
    let month = monthsSinceMarch < 10 ? monthsSinceMarch + 3 : monthsSinceMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthsSinceMarch + 2) / 5 + 1)
  }
}

extension Int {
  /// The quotient rounded towards negative infinity.
  fileprivate func quotient(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// A reader that takes numbers and characters from the front of a text.
private struct DigitReader {
  let bytes: [UInt8]
  var index: Int
  let end: Int

  mutating func skip(_ mark: Unicode.Scalar) -> Bool {
    guard index < end, bytes[index] == UInt8(ascii: mark) else { return false }
    index += 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard index + digits <= end else { return nil }
    var value = 0
    for place in index..<(index + digits) {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += digits
    return value
  }

  /// One or more digits as a fraction of one. Digits after the 15th have no influence.
  mutating func fraction() -> Double? {
    var numerator = 0.0
    var denominator = 1.0
    let start = index
    while index < end, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
      if index - start < 15 {
        numerator = numerator * 10 + Double(digit)
        denominator *= 10
      }
      index += 1
    }
    return index > start ? numerator / denominator : nil
  }

  /// The seconds east of UTC. The rest of the text must be a zone or empty.
  mutating func zone() -> Int? {
    if index == end { return 0 }
    if skip("Z") || skip("z") { return index == end ? 0 : nil }
    let west = skip("-")
    guard west || skip("+"), let hours = number(digits: 2), hours < 24 else { return nil }
    var minutes = 0
    if index < end {
      _ = skip(":")
      guard let value = number(digits: 2), value < 60 else { return nil }
      minutes = value
    }
    guard index == end else { return nil }
    return (hours * 3600 + minutes * 60) * (west ? -1 : 1)
  }
}
