/// A decoder of an input's parts to UTF-8.
struct TextDecoder {
  enum Encoding: Hashable {
    case utf8
    /// Windows-1252. Text declared as ISO 8859-1 usually has this encoding.
    case windows1252
    case utf16(bigEndian: Bool)
    /// An unknown encoding, of which only ASCII can be decoded.
    case unknown(String)
  }

  /// The number of bytes from which the encoding is detected.
  static let startLength = 1024

  let encoding: Encoding
  /// The number of bytes of the byte order mark that are still to be skipped.
  private var markBytes: Int
  /// Bytes of an incomplete UTF-16 character.
  private var rest: [UInt8] = []

  /// Detects the encoding from a byte order mark, from the zeros of UTF-16, or from the XML declaration.
  init(start: [UInt8]) {
    let mark = start.prefix(2)
    let hasZero = start.count >= 4 && (start[2] == 0) != (start[3] == 0)
    if start.starts(with: [0xEF, 0xBB, 0xBF]) {
      (encoding, markBytes) = (.utf8, 3)
    } else if mark.elementsEqual([0xFF, 0xFE]), hasZero {
      (encoding, markBytes) = (.utf16(bigEndian: false), 2)
    } else if mark.elementsEqual([0xFE, 0xFF]), hasZero {
      (encoding, markBytes) = (.utf16(bigEndian: true), 2)
    } else if start.count >= 4, start[1] == 0, start[3] == 0, start[0] != 0, start[2] != 0 {
      (encoding, markBytes) = (.utf16(bigEndian: false), 0)
    } else if start.count >= 4, start[0] == 0, start[2] == 0, start[1] != 0, start[3] != 0 {
      (encoding, markBytes) = (.utf16(bigEndian: true), 0)
    } else {
      (encoding, markBytes) = (Self.declared(in: start), 0)
    }
  }

  /// Decodes a part and appends it.
  mutating func decode(_ part: [UInt8], into bytes: inout [UInt8]) {
    let skipped = min(markBytes, part.count)
    markBytes -= skipped
    switch encoding {
    case .utf8, .unknown:
      if skipped == 0 { bytes += part } else { bytes += part[skipped...] }
    case .windows1252:
      bytes.reserveCapacity(bytes.count + part.count + part.count / 8)
      for byte in part[skipped...] { Self.append(Self.windows1252(byte), to: &bytes) }
    case .utf16(let bigEndian):
      rest += part[skipped...]
      decodeUnits(bigEndian: bigEndian, into: &bytes)
    }
  }

  /// Appends U+FFFD at the end of the input if a UTF-16 character is incomplete.
  mutating func finish(into bytes: inout [UInt8]) {
    if !rest.isEmpty { Self.append("\u{FFFD}", to: &bytes) }
    rest = []
  }

  /// The character of a windows-1252 byte.
  static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
    (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : Unicode.Scalar(byte)
  }

  private static let upperControls: [Unicode.Scalar] = [
    "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
    "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}",
    "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}",
    "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
  ]

  private mutating func decodeUnits(bigEndian: Bool, into bytes: inout [UInt8]) {
    func unit(_ index: Int) -> UInt32 {
      let (first, second) = (UInt32(rest[index]), UInt32(rest[index + 1]))
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    var index = 0
    while index + 1 < rest.count {
      var value = unit(index)
      var length = 2
      if (0xD800..<0xDC00).contains(value) {
        guard index + 3 < rest.count else { break }
        let low = unit(index + 2)
        if (0xDC00..<0xE000).contains(low) {
          value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
          length = 4
        }
      }
      Self.append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &bytes)
      index += length
    }
    rest.removeSubrange(..<index)
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    if scalar.isASCII { bytes.append(UInt8(scalar.value)) } else { bytes += Array(String(Character(scalar)).utf8) }
  }

  /// The encoding in the XML declaration; UTF-8 without one.
  private static func declared(in start: [UInt8]) -> Encoding {
    guard let begin = start.firstIndex(where: { !isSpace($0) }), start[begin...].starts(with: "<?xml".utf8) else {
      return .utf8
    }
    let declaration = String(decoding: start[begin...].prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
    guard let key = declaration.firstRange(of: "encoding") else { return .utf8 }
    let encoding = declaration[key.upperBound...].drop { " \t\r\n='\"".contains($0) }.prefix { !" '\"?".contains($0) }
    switch encoding {
    // The declaration is readable as ASCII, so the document is not UTF-16, even if it says so.
    case "utf-8", "utf8", "us-ascii", "ascii", "utf-16", "": return .utf8
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252": return .windows1252
    default: return .unknown(String(encoding))
    }
  }
}
