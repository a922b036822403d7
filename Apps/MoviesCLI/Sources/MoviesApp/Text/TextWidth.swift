/// The number of columns that text takes on a terminal.
enum TextWidth {
  /// The number of columns of a text without control characters.
  static func columns(_ text: some StringProtocol) -> Int {
    // Up to U+02FF, each letter takes one column. In UTF-8, such a letter has no byte from 0xCC on.
    text.utf8.allSatisfy { $0 < 0xCC } ? ByteSearch.letterCount(text.utf8) : text.reduce(0) { $0 + columns($1) }
  }

  /// The number of columns of a character: two for wide East Asian characters and emoji, none for combining characters.
  /// A character of an Indic script or of Thai may have several letters and spacing marks. Each takes a column.
  static func columns(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") || isWide(first.value) { return 2 }
    return character.unicodeScalars.count { !isCombining($0) }
  }

  /// Whether the scalar takes no column: it is shown with the one before it.
  private static func isCombining(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    case .format: !isVisibleFormat(scalar.value)
    // The vowels and final consonants of Hangul.
    case .otherLetter: (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value)
    default: false
    }
  }

  /// Whether a format character takes a column: the soft hyphen, and the signs around numbers in Arabic and Syriac.
  private static func isVisibleFormat(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x00AD, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2: true
    default: false
    }
  }

  /// The text, cut and ended with `…` if it is wider than this.
  static func shortened(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    guard width > 0 else { return "" }
    var result = ""
    var taken = 0
    for character in text {
      let columns = columns(character)
      if taken + columns > width - 1 { break }
      result.append(character)
      taken += columns
    }
    return result + "…"
  }

  /// The end of the text after `…`, if the text is wider than this.
  static func end(of text: String, within width: Int) -> String {
    guard columns(text) > width else { return text }
    guard width > 0 else { return "" }
    var taken = 1
    let end = text.reversed().prefix { character in
      taken += columns(character)
      return taken <= width
    }
    return "…" + String(end.reversed())
  }

  /// The text, filled with blanks up to this width.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
  }

  /// East Asian Width W and F, and emoji that are shown as pictures by default (Unicode 16, ranges merged).
  private static func isWide(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x1100 else { return false }
    var (low, high) = (0, wideRanges.count - 1)
    while low <= high {
      let middle = (low + high) / 2
      if scalar < wideRanges[middle].lowerBound {
        high = middle - 1
      } else if scalar > wideRanges[middle].upperBound {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }

  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0...0x23F0, 0x23F3...0x23F3,
    0x25FD...0x25FE, 0x2614...0x2615, 0x2648...0x2653, 0x267F...0x267F, 0x2693...0x2693, 0x26A1...0x26A1,
    0x26AA...0x26AB, 0x26BD...0x26BE, 0x26C4...0x26C5, 0x26CE...0x26CE, 0x26D4...0x26D4, 0x26EA...0x26EA,
    0x26F2...0x26F3, 0x26F5...0x26F5, 0x26FA...0x26FA, 0x26FD...0x26FD, 0x2705...0x2705, 0x270A...0x270B,
    0x2728...0x2728, 0x274C...0x274C, 0x274E...0x274E, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
    0x27B0...0x27B0, 0x27BF...0x27BF, 0x2B1B...0x2B1C, 0x2B50...0x2B50, 0x2B55...0x2B55, 0x2E80...0x303E,
    0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F004...0x1F004, 0x1F0CF...0x1F0CF, 0x1F18E...0x1F18E, 0x1F191...0x1F19A,
    0x1F1E6...0x1F202, 0x1F210...0x1F23B, 0x1F240...0x1F248, 0x1F250...0x1F251, 0x1F260...0x1F265,
    0x1F300...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
    0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4...0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440...0x1F440,
    0x1F442...0x1F4FC, 0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A...0x1F57A,
    0x1F595...0x1F596, 0x1F5A4...0x1F5A4, 0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC...0x1F6CC,
    0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF, 0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC,
    0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF,
    0x1FA70...0x1FAFF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
