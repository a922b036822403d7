import Foundation

/// Text for comparisons, without case, diacritics, ligatures and typographic variants.
///
/// `Häxan` and `HAXAN` fold to the same text. So do `Straße` and `STRASSE`, `Cœur` and `coeur`, `Ｍ` and `m`, and
/// straight and curly apostrophes. The letters of the most common scripts are folded one by one. Text with any other
/// letter is decomposed first, and then composed again: a syllable of Hangul and a voiced kana are one letter.
package struct FoldedText: Hashable, Sendable {
  /// The folded text in UTF-8.
  let bytes: [UInt8]

  /// Folds a text.
  package init(_ text: String) {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    bytes = isASCII ? text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 } : Self.fold(text)
  }

  /// The folded text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether this text begins with the other.
  package func hasPrefix(_ other: FoldedText) -> Bool {
    bytes.starts(with: other.bytes)
  }

  private static func fold(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x80: bytes.append(UInt8(scalar.value) + ((0x41...0x5A).contains(scalar.value) ? 0x20 : 0))
      case low: if !append(lowFolds[Int(scalar.value - low.lowerBound)], to: &bytes) { return foldWhole(text) }
      case high: if !append(highFolds[Int(scalar.value - high.lowerBound)], to: &bytes) { return foldWhole(text) }
      // Kana, Chinese characters and syllables of Hangul fold to themselves.
      case 0x3041...0x3096, 0x309D...0x30FF, 0x4E00...0x9FFF, 0xAC00...0xD7A3:
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: return foldWhole(text)
      }
    }
    return bytes
  }

  // MARK: Single letters

  /// Latin, Greek, Cyrillic and Armenian letters, and marks on them. Each folds in the same way in any text.
  private static let low: Range<UInt32> = 0x80..<0x0590
  /// Further Latin and Greek letters, and punctuation. Each folds in the same way in any text.
  private static let high: Range<UInt32> = 0x1E00..<0x2070

  private static let lowFolds = folds(low)
  private static let highFolds = folds(high)

  /// The value for a letter that is folded with the whole text.
  private static let contextual = UInt32.max

  /// The folded letters. Each is up to four bytes of UTF-8, and the first byte is the lowest.
  private static func folds(_ letters: Range<UInt32>) -> [UInt32] {
    letters.map { value in
      guard let scalar = Unicode.Scalar(value), scalar != "½" else { return contextual }
      let bytes = foldWhole(String(Character(scalar)))
      return bytes.count > 4 ? contextual : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  /// Appends a folded letter. Returns false for a letter that is folded with the whole text.
  private static func append(_ fold: UInt32, to bytes: inout [UInt8]) -> Bool {
    if fold == contextual { return false }
    var rest = fold
    while rest != 0 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
    return true
  }

  // MARK: Whole texts

  private static func foldWhole(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var isComposed = true
    for scalar in text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars {
      if isDiacritic(scalar) { continue }
      if let replacement = replacements[scalar] {
        // `8½` is `8 1/2`, not `81/2`.
        if scalar == "½", let last = bytes.last, (0x30...0x39).contains(last) { bytes.append(0x20) }
        bytes.append(contentsOf: replacement.utf8)
      } else if (0xFF01...0xFF5E).contains(scalar.value) {
        let ascii = UInt8(truncatingIfNeeded: scalar.value - 0xFEE0)
        bytes.append((0x41...0x5A).contains(ascii) ? ascii + 0x20 : ascii)
      } else {
        // Marks of Latin, Greek and Cyrillic letters are left out, so only letters of later scripts are composed again.
        if scalar.value >= 0x0590 { isComposed = false }
        bytes.append(contentsOf: String(Character(scalar)).utf8)
      }
    }
    if isComposed { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).precomposedStringWithCanonicalMapping.utf8)
  }

  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
    case 0x00AD, 0x200B...0x200F: true  // soft hyphen, zero-width characters
    case 0xFE00...0xFE0F, 0xE0100...0xE01EF: true  // variation selectors
    default: false
    }
  }

  /// Letters without a decomposition, and variants of punctuation.
  private static let replacements: [Unicode.Scalar: String] = [
    "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i",
    "ŋ": "n", "ŧ": "t", "ĸ": "k", "ſ": "s", "ς": "σ", "ĳ": "ij", "ŀ": "l", "ŉ": "n",
    "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st",
    "‘": "'", "’": "'", "ʼ": "'", "´": "'", "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"",
    "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "…": "...", "\u{A0}": " ", "\u{2009}": " ", "\u{3000}": " ",
    "²": "2", "³": "3", "½": "1/2",
  ]
}
