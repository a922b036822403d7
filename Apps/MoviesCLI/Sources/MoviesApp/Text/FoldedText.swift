import Foundation

/// Text for comparisons, without case, diacritics, ligatures and typographic variants.
///
/// `Häxan` and `HAXAN` fold to the same text. So do `Straße` and `STRASSE`, `Cœur` and `coeur`, `Ｍ` and `m`, and
/// straight and curly apostrophes. Folding ASCII takes one pass over the bytes. Other text is decomposed first, and
/// then composed again: a syllable of Hangul and a voiced kana are one letter.
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
