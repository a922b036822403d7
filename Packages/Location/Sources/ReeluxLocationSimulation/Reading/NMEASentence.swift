import ReeluxLocation

/// A sentence of an NMEA 0183 log with its fields as ranges of the log:
/// `$GPGGA,123519,4807.038,N,…*47`.
///
/// It ends after its checksum. Without one, it ends with its line, or where another sentence begins.
struct NMEASentence {
  /// The sentences that contain a position, a time or a motion.
  enum Kind: String {
    case gga = "GGA"
    case rmc = "RMC"
    case gns = "GNS"
    case gll = "GLL"
    case vtg = "VTG"
    case zda = "ZDA"
  }

  /// A field with an invalid content.
  struct FieldError: Error {
    var reason: String
  }

  /// The largest number of bytes of a sentence. The standard allows 82.
  static let longest = 1024

  /// The kind of the sentence; `nil` for a kind that is not read.
  private(set) var kind: Kind?
  /// The talker and the kind as a number, such as the letters `GPGGA`.
  private(set) var address: UInt64 = 0
  /// Whether the sentence has a checksum, right or wrong.
  private(set) var hasChecksum = false
  /// Whether the sentence consists of the bytes that the standard allows.
  private var isText = true
  /// The index after the sentence.
  private(set) var end = 0
  /// The indexes of the commas before the fields. The last one is the end of the fields.
  private var commas: [Int] = []
  private var bytes: [UInt8] = []

  /// Whether a sentence begins at an index: `$` with a capital letter and two capital letters or digits, or `!` with
  /// five capital letters and a comma as in `!AIVDM,`. Texts contain exclamation marks, too.
  static func begins(_ bytes: [UInt8], at index: Int) -> Bool {
    let name = index + 1
    switch bytes[index] {
    case UInt8(ascii: "$"):
      return name + 2 < bytes.count && isCapital(bytes[name])
        && (isCapital(bytes[name + 1]) || isDigit(bytes[name + 1]))
        && (isCapital(bytes[name + 2]) || isDigit(bytes[name + 2]))
    case UInt8(ascii: "!"):
      return name + 5 < bytes.count && bytes[name..<name + 5].allSatisfy(isCapital)
        && bytes[name + 5] == UInt8(ascii: ",")
    default: return false
    }
  }

  /// Splits the sentence that begins at an index into fields, and checks its checksum.
  ///
  /// - Parameter needsChecksum: Whether a sentence without a checksum counts as damaged.
  /// - Returns: Whether the sentence is undamaged. If it is damaged, ``end`` is where the next one can begin.
  mutating func parse(_ window: [UInt8], at begin: Int, needsChecksum: Bool) -> Bool {
    kind = nil
    hasChecksum = false
    commas.removeAll(keepingCapacity: true)
    let limit = min(begin + Self.longest, window.count)
    var sum: UInt8 = 0
    isText = true
    var inner: Int?
    var index = begin + 1
    scan: while index < limit {
      let byte = window[index]
      if byte > UInt8(ascii: ",") {
        // Most bytes are digits, letters and points.
        if byte > 0x7E { isText = false }
      } else if byte == UInt8(ascii: ",") {
        commas.append(index)
      } else if byte == UInt8(ascii: "*") || byte == 0x0A || byte == 0x0D {
        break scan
      } else if byte < 0x20 {
        isText = false
      } else if byte < UInt8(ascii: "%"), Self.begins(window, at: index) {
        // A sentence was cut off here, unless this is an exclamation mark in a text with the right checksum.
        if byte == UInt8(ascii: "$") || window[begin] == byte { break scan }
        inner = inner ?? index
      }
      sum ^= byte
      index += 1
    }
    end = inner ?? index
    if index < limit, window[index] == UInt8(ascii: "*") {
      hasChecksum = true
      if inner == nil { end += 1 }
      guard isText, index + 2 < window.count, let high = Self.hexadecimal(window[index + 1]),
        let low = Self.hexadecimal(window[index + 2]), sum == high << 4 | low,
        index + 3 == window.count || Self.hexadecimal(window[index + 3]) == nil
      else { return false }
      end = index + 3
    } else {
      guard isText, !needsChecksum, inner == nil, index - begin < Self.longest else { return false }
      while window[index - 1] == 0x20 { index -= 1 }
    }
    commas.append(index)
    // A proprietary sentence has no talker.
    if commas[0] - begin == 6, window[begin] == UInt8(ascii: "$"), window[begin + 1] != UInt8(ascii: "P") {
      bytes = window
      kind = Self.kind(window, commas[0])
      address = window[begin + 1..<begin + 6].reduce(0) { $0 << 8 | UInt64($1) }
    }
    return true
  }

  private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }

  private static func kind(_ window: [UInt8], _ end: Int) -> Kind? {
    switch (window[end - 3], window[end - 2], window[end - 1]) {
    case (UInt8(ascii: "G"), UInt8(ascii: "G"), UInt8(ascii: "A")): .gga
    case (UInt8(ascii: "R"), UInt8(ascii: "M"), UInt8(ascii: "C")): .rmc
    case (UInt8(ascii: "G"), UInt8(ascii: "N"), UInt8(ascii: "S")): .gns
    case (UInt8(ascii: "G"), UInt8(ascii: "L"), UInt8(ascii: "L")): .gll
    case (UInt8(ascii: "V"), UInt8(ascii: "T"), UInt8(ascii: "G")): .vtg
    case (UInt8(ascii: "Z"), UInt8(ascii: "D"), UInt8(ascii: "A")): .zda
    default: nil
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The reason why the sentence is damaged, if ``parse(_:at:needsChecksum:)`` returned false.
  var damage: String {
    isText
      ? "the checksum of a sentence is missing or wrong" : "a sentence contains a byte that NMEA 0183 does not allow"
  }

  // MARK: Fields

  /// The bytes of a field; empty if the sentence ends before it.
  func field(_ number: Int) -> Range<Int> {
    guard number + 1 < commas.count else { return 0..<0 }
    return (commas[number] + 1)..<commas[number + 1]
  }

  /// The text of a field for messages.
  func text(_ number: Int) -> String { shown(bytes, field(number)) }

  /// The only or first letter of a field.
  func letter(_ number: Int) -> UInt8? {
    let range = field(number)
    return range.isEmpty ? nil : bytes[range.lowerBound]
  }

  /// Whether a field contains a letter other than the given one.
  func holds(_ number: Int, otherThan letter: UInt8) -> Bool {
    field(number).contains { bytes[$0] != letter }
  }

  /// The seconds since midnight in a field `hhmmss` or `hhmmss.sss`; `nil` if the field is empty.
  func timeOfDay(_ number: Int) throws(FieldError) -> Double? {
    let range = field(number)
    guard !range.isEmpty else { return nil }
    let whole = range.lowerBound..<min(range.lowerBound + 6, range.upperBound)
    guard whole.count == 6, let digits = digits(whole),
      whole.upperBound == range.upperBound || bytes[whole.upperBound] == UInt8(ascii: "."),
      bytes[whole.upperBound..<range.upperBound].dropFirst().allSatisfy(isDigit)
    else { throw FieldError(reason: "the time '\(text(number))' of \(name) is not hhmmss") }
    let (hours, minutes, seconds) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard hours < 24, minutes < 60, seconds <= 60 else {
      throw FieldError(reason: "the time '\(text(number))' of \(name) is not a time of day")
    }
    // A leap second counts as the midnight after it, without its fraction. So no time of the next second is earlier.
    let hasFraction = range.upperBound - whole.upperBound > 1 && seconds < 60
    let fraction = hasFraction ? decimalNumber(bytes, whole.upperBound..<range.upperBound) : 0
    return Double(hours * 3600 + minutes * 60 + seconds) + (fraction ?? 0)
  }

  /// Midnight of the date in a field `ddmmyy`; `nil` if the field is empty. Years from 80 on are 1980 … 1999.
  func date(_ number: Int) throws(FieldError) -> Timestamp? {
    let range = field(number)
    guard !range.isEmpty else { return nil }
    guard range.count == 6, let digits = digits(range) else {
      throw FieldError(reason: "the date '\(text(number))' of \(name) is not ddmmyy")
    }
    let (day, month, year) = (digits / 10_000, digits / 100 % 100, digits % 100)
    guard let midnight = Timestamp(year: year < 80 ? 2000 + year : 1900 + year, month: month, day: day) else {
      throw FieldError(reason: "the date '\(text(number))' of \(name) is not a calendar day")
    }
    return midnight
  }

  /// Midnight of the date in three fields: day, month, year from 1980 to 9998; `nil` if one is empty.
  func dayMonthYear(_ number: Int) throws(FieldError) -> Timestamp? {
    guard !field(number).isEmpty, !field(number + 1).isEmpty, !field(number + 2).isEmpty else { return nil }
    guard let day = digits(field(number)), let month = digits(field(number + 1)), let year = digits(field(number + 2)),
      (1980..<9999).contains(year), let midnight = Timestamp(year: year, month: month, day: day)
    else {
      let date = "\(text(number)),\(text(number + 1)),\(text(number + 2))"
      throw FieldError(reason: "the date '\(date)' of \(name) is not a calendar day from 1980 on")
    }
    return midnight
  }

  /// The coordinate in four fields: latitude, N or S, longitude, E or W; `nil` if they are empty.
  func coordinate(_ number: Int) throws(FieldError) -> Coordinate? {
    guard !field(number).isEmpty || !field(number + 2).isEmpty else { return nil }
    let latitude = try degrees(number, positive: "N", negative: "S", limit: 90, called: "latitude")
    let longitude = try degrees(number + 2, positive: "E", negative: "W", limit: 180, called: "longitude")
    return Coordinate(normalizing: latitude, longitude: longitude)
  }

  /// A decimal number; `nil` if the field is empty.
  ///
  /// - Parameter isSigned: Whether the number can be negative.
  func number(_ number: Int, called what: StaticString, isSigned: Bool) throws(FieldError) -> Double? {
    let range = field(number)
    guard !range.isEmpty else { return nil }
    guard let value = decimalNumber(bytes, range) else {
      throw FieldError(reason: "the \(what) '\(text(number))' of \(name) is not a number")
    }
    guard isSigned || value >= 0 else {
      throw FieldError(reason: "the \(what) '\(text(number))' of \(name) is negative")
    }
    return value
  }

  /// A whole number; `nil` if the field is empty.
  func count(_ number: Int, called what: StaticString) throws(FieldError) -> Int? {
    guard !field(number).isEmpty else { return nil }
    guard let value = digits(field(number)) else {
      throw FieldError(reason: "the \(what) '\(text(number))' of \(name) is not a whole number")
    }
    return value
  }

  /// The degrees in a field `dddmm.mmm`, with the sign in the next field.
  private func degrees(
    _ number: Int, positive: Unicode.Scalar, negative: Unicode.Scalar, limit: Double, called what: StaticString
  ) throws(FieldError) -> Double {
    let range = field(number)
    guard let value = plainNumber(range), value < 100_000 else {
      throw FieldError(reason: "the \(what) '\(text(number))' of \(name) is not a number")
    }
    let whole = (value / 100).rounded(.down)
    // The difference of two decimals has more digits than the sentence. A billionth of a minute is two micrometres.
    let minutes = ((value - whole * 100) * 1e9).rounded() / 1e9
    guard minutes < 60, whole + minutes / 60 <= limit else {
      throw FieldError(reason: "the \(what) '\(text(number))' of \(name) is out of range")
    }
    switch field(number + 1).count == 1 ? letter(number + 1) : nil {
    case UInt8(ascii: positive): return whole + minutes / 60
    case UInt8(ascii: negative): return -(whole + minutes / 60)
    default:
      throw FieldError(
        reason: "the \(what) of \(name) is followed by '\(text(number + 1))', not by \(positive) or \(negative)")
    }
  }

  /// A number that consists only of digits and a point.
  private func plainNumber(_ range: Range<Int>) -> Double? {
    guard let first = range.first, isDigit(bytes[first]) || bytes[first] == UInt8(ascii: ".") else { return nil }
    if let value = shortDecimal(bytes, range) { return value }
    let isPlain = bytes[range].allSatisfy { isDigit($0) || $0 == UInt8(ascii: ".") }
    return isPlain ? decimalNumber(bytes, range) : nil
  }

  private var name: String { kind?.rawValue ?? "a sentence" }

  private func digits(_ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard isDigit(bytes[index]), range.count <= 9 else { return nil }
      value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
    }
    return value
  }
}
