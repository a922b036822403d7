/// Reads a decimal number as XML and NMEA write it; nothing for anything else.
///
/// Other than `Double.init`, it refuses hexadecimal numbers, infinities and "nan", and allows white space around.
func decimalNumber(_ text: some StringProtocol) -> Double? {
  let trimmed = text.drop { $0.isASCII && $0.isWhitespace }
  let end = trimmed.lastIndex { !($0.isASCII && $0.isWhitespace) }
  guard let end else { return nil }
  let number = trimmed[...end]
  let isPlain = number.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default:
      false
    }
  }
  guard isPlain, let value = Double(number), value.isFinite else { return nil }
  return value
}
