/// Text in the form that a search compares: folded words of letters and digits, separated by single blanks.
///
/// `Spider-Man`, `Spider Man` and `spider-man!` become `spider man`. Without blanks, `Spiderman` matches too.
struct MatchText {
  /// The words in UTF-8, with one blank between them.
  private(set) var words: [UInt8] = []

  /// The words without blanks.
  private(set) var compact: [UInt8] = []

  /// The words without a leading or trailing article: `matrix` for `The Matrix` and for `Matrix, The`.
  private(set) var bare: Range<Int> = 0..<0

  /// The articles of some languages, which a search ignores.
  static let articles: Set<[UInt8]> = Set(
    [
      "the", "a", "an", "der", "die", "das", "ein", "eine", "le", "la", "les", "l", "un", "une", "il", "lo", "gli",
      "el",
      "los", "las", "den", "det", "de", "het",
    ].map { Array($0.utf8) })

  /// Creates an empty text. Setting it repeatedly reuses its storage.
  init() {}

  /// Creates the text of a title or a query.
  init(_ text: String) {
    set(ArraySlice(text.utf8))
  }

  /// Replaces the text.
  mutating func set(_ text: ArraySlice<UInt8>) {
    words.removeAll(keepingCapacity: true)
    compact.removeAll(keepingCapacity: true)
    if ByteSearch.isASCII(text) {
      for byte in text { append(byte) }
    } else {
      let folded = FoldedText(String(decoding: text, as: UTF8.self))
      if ByteSearch.isASCII(folded.bytes[...]) {
        for byte in folded.bytes { append(byte) }
      } else {
        for scalar in folded.text.unicodeScalars {
          for byte in String(scalar.isASCII || Self.isInWord(scalar) ? Character(scalar) : " ").utf8 { append(byte) }
        }
      }
    }
    if words.last == 0x20 { words.removeLast() }
    bare = withoutArticles()
  }

  /// Whether the texts without articles are equal.
  func bareEquals(_ other: MatchText) -> Bool { words[bare].elementsEqual(other.words[other.bare]) }
  func bareStarts(with other: MatchText) -> Bool { words[bare].starts(with: other.words[other.bare]) }

  /// Whether the words contain these bytes, or, with `atWordStart`, whether a word begins with them.
  func contains(_ part: [UInt8], atWordStart: Bool) -> Bool { Self.find(part, in: words, atWordStart: atWordStart) }

  /// Whether one of the words is this one.
  func hasWord(_ word: [UInt8]) -> Bool { words.split(separator: 0x20).contains { $0.elementsEqual(word) } }

  /// Whether the bytes occur in the text without blanks.
  func containsCompact(_ part: [UInt8]) -> Bool { Self.find(part, in: compact, atWordStart: false) }

  /// The words one by one.
  var list: [[UInt8]] { words.split(separator: 0x20).map(Array.init) }

  /// The letters and digits of these bytes as a bit set. Both cases of a letter have the same bit. Other characters
  /// share bits with letters, and digits share theirs with the letters from `p` to `y`. So if a text lacks a bit of a
  /// word, it does not contain the word.
  static func letters(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 | 1 &<< UInt64($1 | 0x20) }
  }

  /// The letters and digits of a text as a bit set; `nil` if the text contains a non-ASCII character.
  static func letters(of text: ArraySlice<UInt8>) -> UInt64? {
    let bytes = text.span
    var (letters, all): (UInt64, UInt8) = (0, 0)
    for index in 0..<bytes.count {
      all |= bytes[index]
      letters |= 1 &<< UInt64(bytes[index] | 0x20)
    }
    guard all < 0x80 else { return nil }
    // `&` stands for the word `and`. The bit of `&` is also the bit of `f`.
    return letters & Self.ampersand == 0 ? letters : letters | Self.and
  }

  private static let ampersand = letters("&".utf8)
  private static let and = letters("and".utf8)

  /// Whether a scalar is a letter, a digit, or a mark on one, such as a tone mark of Thai.
  private static func isInWord(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    if properties.isAlphabetic || properties.numericType != nil { return true }
    return [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
  }

  private mutating func append(_ byte: UInt8) {
    switch byte {
    case 0x61...0x7A, 0x30...0x39, 0x80...:
      words.append(byte)
      compact.append(byte)
    case 0x41...0x5A:
      words.append(byte + 0x20)
      compact.append(byte + 0x20)
    case UInt8(ascii: "'"):
      // The article of `L'Avventura` is a word of its own.
      if words.last == UInt8(ascii: "l"), words.count == 1 || words[words.count - 2] == 0x20 { words.append(0x20) }
    case UInt8(ascii: "&"):
      for letter in " and ".utf8 { append(letter) }
    default: if !words.isEmpty, words.last != 0x20 { words.append(0x20) }
    }
  }

  private func withoutArticles() -> Range<Int> {
    var range = 0..<words.count
    // No article has more than four letters, so only a short first word is looked up.
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
    let (bytes, part) = (bytes.span, part.span)
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
