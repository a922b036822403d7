/// Reads a decimal number as XML and NMEA write it; nothing for anything else.
///
/// Other than `Double.init`, it refuses hexadecimal numbers, infinities and "nan", and allows white space around. The
/// result is the double next to the number, as ever.
func decimalNumber(_ bytes: [UInt8]) -> Double? {
  let number = trimmed(bytes)
  guard !number.isEmpty else { return nil }
  return shortDecimal(number) ?? longDecimal(number)
}

/// Takes the white space off both ends of a text.
func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
  var rest = bytes[...]
  while let byte = rest.first, byte == 0x20 || (0x09...0x0D).contains(byte) { rest.removeFirst() }
  while let byte = rest.last, byte == 0x20 || (0x09...0x0D).contains(byte) { rest.removeLast() }
  return rest
}

/// At most 15 digits with a point: then digits and power of ten are exact doubles, and their quotient is rounded once.
private func shortDecimal(_ bytes: ArraySlice<UInt8>) -> Double? {
  var digits = 0
  var value: Int64 = 0
  var divisor = 1.0
  var sawPoint = false
  var isNegative = false
  for (place, byte) in bytes.enumerated() {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      digits += 1
      guard digits <= 15 else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      if sawPoint { divisor *= 10 }
    case UInt8(ascii: ".") where !sawPoint:
      sawPoint = true
    case UInt8(ascii: "-") where place == 0:
      isNegative = true
    case UInt8(ascii: "+") where place == 0:
      break
    default:
      return nil
    }
  }
  guard digits > 0 else { return nil }
  let magnitude = Double(value) / divisor
  return isNegative ? -magnitude : magnitude
}

/// Any other number, with an exponent or with more digits.
private func longDecimal(_ bytes: ArraySlice<UInt8>) -> Double? {
  let isPlain = bytes.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default:
      false
    }
  }
  guard isPlain, let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
  return value
}
