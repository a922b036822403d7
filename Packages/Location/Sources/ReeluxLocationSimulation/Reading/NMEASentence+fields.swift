import ReeluxLocation

/// A field of a sentence that does not hold what it should.
struct NMEAFieldError: Error {
  var reason: String
}

extension NMEASentence {
  /// Seconds since midnight of a field `hhmmss` or `hhmmss.sss`; nothing when the field is empty.
  func timeOfDay(_ index: Int) throws(NMEAFieldError) -> Double? {
    let field = self[index]
    guard !field.isEmpty else { return nil }
    let whole = field.prefix { $0 != "." }
    let fraction = field.dropFirst(whole.count)
    guard whole.utf8.count == 6, let digits = digits(whole),
      fraction.utf8.dropFirst().allSatisfy({ (48...57).contains($0) })
    else { throw NMEAFieldError(reason: "the time '\(field)' of \(kind) is not hhmmss") }
    let (hours, minutes, seconds) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard hours < 24, minutes < 60, seconds <= 60 else {
      throw NMEAFieldError(reason: "the time '\(field)' of \(kind) is no time of day")
    }
    return Double(hours * 3600 + minutes * 60 + seconds) + (decimalNumber(Array("0\(fraction)".utf8)) ?? 0)
  }

  /// Midnight of a field `ddmmyy`; nothing when the field is empty. Years from 80 on are of the last century.
  func date(_ index: Int) throws(NMEAFieldError) -> Timestamp? {
    let field = self[index]
    guard !field.isEmpty else { return nil }
    guard field.utf8.count == 6, let digits = digits(field) else {
      throw NMEAFieldError(reason: "the date '\(field)' of \(kind) is not ddmmyy")
    }
    let (day, month, year) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard let midnight = Timestamp(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day) else {
      throw NMEAFieldError(reason: "the date '\(field)' of \(kind) is no day")
    }
    return midnight
  }

  /// The place of four fields: latitude, N or S, longitude, E or W; nothing when they are empty.
  func coordinate(_ index: Int) throws(NMEAFieldError) -> Coordinate? {
    guard !self[index].isEmpty || !self[index + 2].isEmpty else { return nil }
    let latitude = try degrees(index, positive: "N", negative: "S", limit: 90, called: "latitude")
    let longitude = try degrees(index + 2, positive: "E", negative: "W", limit: 180, called: "longitude")
    return Coordinate(normalizing: latitude, longitude: longitude)
  }

  /// A decimal number; nothing when the field is empty.
  func number(_ index: Int, called what: String) throws(NMEAFieldError) -> Double? {
    guard !self[index].isEmpty else { return nil }
    guard let value = decimalNumber(Array(self[index].utf8)) else {
      throw NMEAFieldError(reason: "the \(what) '\(self[index])' of \(kind) is not a number")
    }
    return value
  }

  /// Degrees of a field `dddmm.mmm` and the field of its sign behind it.
  private func degrees(
    _ index: Int, positive: String, negative: String, limit: Double, called what: String
  ) throws(NMEAFieldError) -> Double {
    let field = self[index]
    guard let value = decimalNumber(Array(field.utf8)), value >= 0, value < 100_000,
      !field.contains("e"), !field.contains("E")
    else { throw NMEAFieldError(reason: "the \(what) '\(field)' of \(kind) is not a number") }
    let whole = (value / 100).rounded(.down)
    let minutes = value - whole * 100
    guard minutes < 60, whole + minutes / 60 <= limit else {
      throw NMEAFieldError(reason: "the \(what) '\(field)' of \(kind) is out of range")
    }
    switch self[index + 1] {
    case positive: return whole + minutes / 60
    case negative: return -(whole + minutes / 60)
    default:
      throw NMEAFieldError(
        reason: "the \(what) of \(kind) is followed by '\(self[index + 1])', not by \(positive) or \(negative)")
    }
  }

  private func digits(_ field: Substring) -> Int? {
    field.utf8.allSatisfy { (48...57).contains($0) } ? Int(field) : nil
  }
}
