/// Decimal numbers as people write them: digits, a sign, a point; no `nan`, no `0x1p4`, no `inf`.
enum DecimalText {
  /// The number of a text; `nil` when it is none.
  static func number(_ text: some StringProtocol) -> Double? {
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard text.count - digits.count <= 1, digits.contains(where: \.isNumber),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    let padded = digits.hasPrefix(".") ? "0" + digits : String(digits)
    guard let value = Double(padded.hasSuffix(".") ? padded + "0" : padded), value.isFinite else { return nil }
    return text.hasPrefix("-") ? -value : value
  }
}
