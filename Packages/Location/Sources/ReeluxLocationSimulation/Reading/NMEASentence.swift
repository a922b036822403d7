/// One sentence of an NMEA 0183 log, taken apart: `$GPGGA,123519,4807.038,N,…*47`.
struct NMEASentence {
  enum Refusal: Error {
    /// The line is no sentence at all.
    case noSentence
    /// The checksum is missing, or is not that of the sentence.
    case checksum
  }

  /// The three letters behind the talker: `GGA`, `RMC`.
  let kind: String
  /// What stands between the commas, after the sentence's name.
  let fields: [Substring]

  /// Takes a line apart and compares its checksum. What stands before the `$`, as loggers put there, is passed over.
  init(line: [UInt8]) throws(Refusal) {
    let line = Array(line.drop { $0 != UInt8(ascii: "$") })
    guard !line.isEmpty, line.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .noSentence }
    guard let star = line.lastIndex(of: UInt8(ascii: "*")), line.count - star == 3,
      let high = Self.hexadecimal(line[star + 1]), let low = Self.hexadecimal(line[star + 2]),
      line[1..<star].reduce(0, ^) == high << 4 | low
    else { throw .checksum }
    let text = String(decoding: line[1..<star], as: UTF8.self)
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let name = parts.first, name.count >= 3 else { throw .noSentence }
    kind = name.hasPrefix("P") ? String(name) : String(name.suffix(3))
    fields = Array(parts.dropFirst())
  }

  /// The field of a number; empty when the sentence ends before it.
  subscript(index: Int) -> Substring {
    fields.indices.contains(index) ? fields[index] : ""
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
