/// Text as a search compares it: folded words of letters and digits with one blank between them, and nothing else.
///
/// `Spider-Man`, `Spider Man` and `spider-man!` give `spider man`; without blanks, `Spiderman` is the same text, too.
struct MatchText {
  /// The words in UTF-8, with one blank between them.
  private(set) var words: [UInt8] = []

  /// The same without blanks.
  private(set) var compact: [UInt8] = []

  /// The words without an article at the start or the end: `matrix` of `The Matrix` and of `Matrix, The`.
  private(set) var bare: Range<Int> = 0..<0

  /// The articles that do not matter, in some languages of titles.
  static let articles: Set<[UInt8]> = Set(
    [
      "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "l", "un", "une", "il", "lo", "gli",
      "el",
      "los", "las", "den", "det", "de", "het",
    ].map { Array($0.utf8) })

  /// An empty text, to be set again and again without making new storage.
  init() {}

  /// The text of a title or a query.
  init(_ text: String) { set(text) }

  /// Takes another text.
  mutating func set(_ text: String) {
    words.removeAll(keepingCapacity: true)
    compact.removeAll(keepingCapacity: true)
    var text = text
    let isASCII = text.withUTF8 { bytes in
      for byte in bytes where byte >= 0x80 { return false }
      for byte in bytes { append(byte) }
      return true
    }
    if !isASCII {
      for scalar in FoldedText(text).text.unicodeScalars {
        let isLetter = scalar.isASCII || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        for byte in String(isLetter ? Character(scalar) : " ").utf8 { append(byte) }
      }
    }
    if words.last == 0x20 { words.removeLast() }
    bare = withoutArticles()
  }

  /// Whether the text without articles is this one, or begins with it.
  func bareEquals(_ other: MatchText) -> Bool { words[bare].elementsEqual(other.words[other.bare]) }
  func bareStarts(with other: MatchText) -> Bool { words[bare].starts(with: other.words[other.bare]) }

  /// Whether the bytes occur in the words; at the start of a word only, if so asked.
  func contains(_ part: [UInt8], atWordStart: Bool) -> Bool { Self.find(part, in: words, atWordStart: atWordStart) }

  /// Whether the bytes occur in the text without blanks.
  func containsCompact(_ part: [UInt8]) -> Bool { Self.find(part, in: compact, atWordStart: false) }

  /// The words one by one.
  var list: [[UInt8]] { words.split(separator: 0x20).map(Array.init) }

  /// The letters and digits of some bytes as a set of bits.
  static func letters(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var letters: UInt64 = 0
    for byte in bytes {
      switch byte {
      case 0x61...0x7A: letters |= 1 << UInt64(byte - 0x61)
      case 0x41...0x5A: letters |= 1 << UInt64(byte - 0x41)
      case 0x30...0x39: letters |= 1 << UInt64(byte - 0x30 + 26)
      case UInt8(ascii: "&"): letters |= 1 << 0 | 1 << 13 | 1 << 3
      default: break
      }
    }
    return letters
  }

  /// The letters and digits of a text as a set of bits; `nil` for a text that has others than those of ASCII.
  static func letters(of text: String) -> UInt64? {
    text.utf8.withContiguousStorageIfAvailable { bytes in
      var all: UInt8 = 0
      for byte in bytes { all |= byte }
      return all < 0x80 ? letters(bytes) : nil
    } ?? nil
  }

  private mutating func append(_ byte: UInt8) {
    switch byte {
    case 0x61...0x7A, 0x30...0x39, 0x80...:
      words.append(byte)
      compact.append(byte)
    case 0x41...0x5A:
      words.append(byte + 0x20)
      compact.append(byte + 0x20)
    case UInt8(ascii: "'"): break
    case UInt8(ascii: "&"):
      for letter in " and ".utf8 { append(letter) }
    default: if !words.isEmpty, words.last != 0x20 { words.append(0x20) }
    }
  }

  private func withoutArticles() -> Range<Int> {
    var range = 0..<words.count
    // No article has more than four letters: the other words are not looked up.
    if let blank = words.prefix(5).firstIndex(of: 0x20), Self.articles.contains(Array(words[..<blank])) {
      range = (blank + 1)..<range.upperBound
    }
    if let blank = words.suffix(5).lastIndex(of: 0x20), blank > range.lowerBound,
      Self.articles.contains(Array(words[(blank + 1)...]))
    {
      range = range.lowerBound..<blank
    }
    return range
  }

  private static func find(_ part: [UInt8], in bytes: [UInt8], atWordStart: Bool) -> Bool {
    guard let first = part.first else { return true }
    guard bytes.count >= part.count else { return false }
    return bytes.withUnsafeBufferPointer { bytes in
      part.withUnsafeBufferPointer { part in
        var start = 0
        let last = bytes.count - part.count
        while start <= last {
          if bytes[start] == first, !atWordStart || start == 0 || bytes[start - 1] == 0x20 {
            var length = 1
            while length < part.count, bytes[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
          }
          start += 1
        }
        return false
      }
    }
  }
}
