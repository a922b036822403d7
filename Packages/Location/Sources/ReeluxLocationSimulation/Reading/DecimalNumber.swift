/// Parses a decimal number in the notation of XML and NMEA. Returns `nil` for other bytes.
///
/// Unlike `Double.init`, it rejects hexadecimal numbers, infinities and "nan", and allows white space around the
/// number. The result is the nearest double.
func decimalNumber(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
  let range = trimmed(bytes, range)
  guard !range.isEmpty else { return nil }
  return shortDecimal(bytes, range) ?? longDecimal(bytes, range)
}

/// The range without white space at both ends.
func trimmed(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
  var (start, end) = (range.lowerBound, range.upperBound)
  while start < end, isSpace(bytes[start]) { start += 1 }
  while end > start, isSpace(bytes[end - 1]) { end -= 1 }
  return start..<end
}

/// The accuracy in metres for a dilution: five metres for each unit, the usual error of a civil receiver. A negative
/// dilution is unknown, and so is one whose accuracy would be infinite.
///
/// The product of two decimals can have more digits than the decimals. A billionth of a metre has no meaning.
func accuracy(dilution: Double) -> Double? {
  let billionths = (dilution * 5e9).rounded()
  return dilution >= 0 && billionths.isFinite ? billionths / 1e9 : nil
}

/// Whether a byte is white space of XML: a blank, a tab, or the end of a line.
@inline(__always) func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

/// Whether a byte is a decimal digit.
@inline(__always) func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

/// The start of any bytes as text for a message.
func shown(_ bytes: [UInt8], _ range: Range<Int>) -> String {
  String(decoding: bytes[range.prefix(40)], as: UTF8.self)
}

/// The powers of ten that the short form needs. They are exact doubles.
private let powersOfTen: [Double] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
]

/// Parses at most 15 digits with a point. The digits and the power of ten are exact doubles, so their quotient is
/// rounded only once.
func shortDecimal(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
  var index = range.lowerBound
  let isNegative = bytes[index] == UInt8(ascii: "-")
  if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
  var digits = 0
  var value: Int64 = 0
  var point: Int?
  while index < range.upperBound {
    let byte = bytes[index]
    if isDigit(byte) {
      digits += 1
      guard digits <= 15 else { return nil }
      value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
    } else if byte == UInt8(ascii: "."), point == nil {
      point = digits
    } else {
      return nil
    }
    index += 1
  }
  guard digits > 0 else { return nil }
  let magnitude = Double(value) / powersOfTen[digits - (point ?? digits)]
  return isNegative ? -magnitude : magnitude
}

/// Parses any other number, with an exponent or with more digits.
private func longDecimal(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
  let isPlain = bytes[range].allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"): true
    default: isDigit(byte)
    }
  }
  guard isPlain, let value = Double(String(decoding: bytes[range], as: UTF8.self)), value.isFinite else { return nil }
  return value
}
