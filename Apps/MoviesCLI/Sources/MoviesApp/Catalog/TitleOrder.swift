import Foundation

/// The order of titles in the alphabet of a language, as in a library.
///
/// Case, punctuation and a leading article do not matter. Accents do not matter either, unless the accented letter is a
/// letter of the language: `Ö` comes after `Z` in Swedish and is an `O` in German. Numbers come before letters and are
/// ordered by value.
///
/// Foundation has the rules of the languages, but each comparison takes microseconds. Therefore each letter that
/// occurs is ranked once. The key of a title is the sequence of its letters' ranks, and is computed once. Costs
/// O(letters of all titles) and one sort of keys.
struct TitleOrder {
  /// The rank of a blank. It is the lowest, so that `Toy Story` comes before `Toys`.
  private static let blank: UInt16 = 1
  /// The rank of the digit 0; the ranks of the other digits follow.
  private static let zero: UInt16 = 2
  /// The rank that precedes a number of one digit. It grows with the number of digits.
  private static let number: UInt16 = 12
  /// The rank of the first letter.
  private static let letter: UInt16 = 64

  /// The ranks of ASCII characters; 0 for a character that is ignored.
  private var ascii = [UInt16](repeating: blank, count: 128)

  /// The ranks of other characters: none for an apostrophe, two for an `æ` that counts as `ae`.
  private var others: [Character: [UInt16]] = [:]

  /// The ranks of pairs that are one letter in the language, such as `ch` in Czech.
  private var pairs: [UInt16: UInt16] = [:]

  private let articles: Set<String>

  /// Ranks the letters of these titles.
  ///
  /// - Parameter language: The identifier of a locale, such as `sv_SE`; empty for the order that Unicode recommends for
  ///   text of no particular language.
  init(language: String, titles: some Sequence<String>) {
    let code = language.prefix { $0 != "_" && $0 != "-" }.lowercased()
    articles = Self.articles["en", default: []].union(Self.articles[code, default: []])
    var found: Set<Character> = []
    for title in titles where !title.utf8.allSatisfy({ $0 < 0x80 }) {
      for character in title where !character.isASCII { found.insert(character) }
    }
    rank(found, Alphabet(language: language))
  }

  /// The movies in the order of their titles. Movies with equal keys keep their order.
  static func sorted(_ movies: Movies, language: String) -> Movies {
    // The memory of the keys is free again before the rows are copied.
    let places = TitleOrder(language: language, titles: movies.rows.lazy.map(movies.title)).places(of: movies)
    return movies.selecting(places.map { movies.rows[Int($0)] })
  }

  /// The elements in the order of texts such as the names of genres. Elements with equal keys keep their order.
  static func sorted<Element>(
    _ elements: [Element], by text: (Element) -> String, language: String
  ) -> [Element] {
    let movies = Movies(elements.map { Movie(id: "", title: text($0), year: nil, genres: []) })
    let order = TitleOrder(language: language, titles: movies.rows.lazy.map(movies.title))
    return order.places(of: movies).map { elements[Int($0)] }
  }

  /// The positions of the movies, in the order of their titles.
  private func places(of movies: Movies) -> [UInt32] {
    var key = Key()
    key.ranks.reserveCapacity(movies.rows.reduce(0) { $0 + $1.title.count + 1 })
    var ends: [Int] = []
    ends.reserveCapacity(movies.count)
    for row in movies.rows {
      write(movies.title(of: row), to: &key)
      ends.append(key.ranks.count)
    }
    var places = movies.indices.map { UInt32(truncatingIfNeeded: $0) }
    let ranks = key.ranks
    places.sort { one, other in
      let (one, other) = (Int(one), Int(other))
      var first = one == 0 ? 0 : ends[one - 1]
      var second = other == 0 ? 0 : ends[other - 1]
      while first < ends[one], second < ends[other] {
        if ranks[first] != ranks[second] { return ranks[first] < ranks[second] }
        first += 1
        second += 1
      }
      let (left, right) = (ends[one] - first, ends[other] - second)
      return left == right ? one < other : left < right
    }
    return places
  }

  // MARK: Keys

  /// The keys of all titles in one array. A rank takes one byte, or two if it is high, as for Chinese characters.
  private struct Key {
    /// The first rank that takes two bytes.
    private static let double: UInt16 = 192

    var ranks: [UInt8] = []
    private var endsWithBlank = false
    /// The start of the number that is being written.
    private var numberStart: Int?

    mutating func put(_ rank: UInt16, start: Int) {
      if rank == 0 { return numberStart = nil }
      if rank >= TitleOrder.zero, rank < TitleOrder.number { return putDigit(UInt8(rank)) }
      numberStart = nil
      if rank == TitleOrder.blank, endsWithBlank || ranks.count == start { return }
      endsWithBlank = rank == TitleOrder.blank
      if rank < Self.double {
        ranks.append(UInt8(rank))
      } else {
        let rest = min(rank - Self.double, 63 << 8 | 0xFF)
        ranks.append(UInt8(Self.double + rest >> 8))
        ranks.append(UInt8(rest & 0xFF))
      }
    }

    mutating func end() {
      numberStart = nil
      endsWithBlank = false
    }

    /// Writes a digit. A number is written as the count of its digits, followed by the digits.
    private mutating func putDigit(_ rank: UInt8) {
      endsWithBlank = false
      if let start = numberStart {
        // Leading zeros are skipped.
        if ranks.count == start + 2, ranks[start + 1] == TitleOrder.zero { return ranks[start + 1] = rank }
        if UInt16(ranks[start]) < TitleOrder.letter - 1 { ranks[start] += 1 }
      } else {
        numberStart = ranks.count
        ranks.append(UInt8(TitleOrder.number))
      }
      ranks.append(rank)
    }
  }

  private func write(_ title: String, to key: inout Key) {
    let start = key.ranks.count
    let text = withoutArticle(title)
    let bytes = Array(text.utf8)
    if ByteSearch.isASCII(bytes[...]) {
      var index = 0
      while index < bytes.count {
        index += write(bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0, to: &key, start: start)
      }
    } else {
      var last: UInt8?
      for character in text {
        if let byte = character.asciiValue {
          // Only adjacent characters can form one letter.
          if let before = last {
            last = write(before, byte, to: &key, start: start) == 2 ? nil : byte
          } else {
            last = byte
          }
        } else {
          if let before = last { _ = write(before, 0, to: &key, start: start) }
          last = nil
          for rank in others[character] ?? [] { key.put(rank, start: start) }
        }
      }
      if let last { _ = write(last, 0, to: &key, start: start) }
    }
    key.end()
  }

  /// Writes one byte, or two that form one letter. Returns their number.
  private func write(_ byte: UInt8, _ next: UInt8, to key: inout Key, start: Int) -> Int {
    if !pairs.isEmpty, let rank = pairs[Self.pair(byte | 0x20, next | 0x20)] {
      key.put(rank, start: start)
      return 2
    }
    if byte == UInt8(ascii: "&") {
      for letter in " and ".utf8 { key.put(ascii[Int(letter)], start: start) }
    } else {
      key.put(ascii[Int(byte & 0x7F)], start: start)
    }
    return 1
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> UInt16 { UInt16(first) << 8 | UInt16(second) }

  /// The title without leading punctuation and without its article, unless the article is the whole title.
  private func withoutArticle(_ title: String) -> Substring {
    let text = title.drop { !$0.isLetter && !$0.isNumber }
    let word = text.prefix { $0.isLetter }
    guard word.utf8.count <= 5, let next = text[word.endIndex...].first else { return text }
    let isElided = next == "'" || next == "’"
    guard isElided || next.isWhitespace, articles.contains(word.lowercased() + (isElided ? "'" : "")) else {
      return text
    }
    let rest = text[word.endIndex...].drop { !$0.isLetter && !$0.isNumber }
    return rest.isEmpty ? text : rest
  }

  /// The articles of some languages. English ones count in every language, because English titles occur everywhere.
  private static let articles: [String: Set<String>] = [
    "en": ["the", "a", "an"],
    "de": ["der", "die", "das", "ein", "eine"],
    "fr": ["le", "la", "les", "l'", "un", "une", "des"],
    "es": ["el", "la", "los", "las", "un", "una", "unos", "unas"],
    "it": ["il", "lo", "la", "i", "gli", "le", "l'", "un", "uno", "una"],
    "pt": ["o", "os", "as", "um", "uma"],
    "nl": ["de", "het", "een"],
    "sv": ["en", "ett", "den", "det", "de"],
    "da": ["en", "et", "den", "det", "de"],
    "nb": ["en", "et", "ei", "den", "det", "de"],
    "no": ["en", "et", "ei", "den", "det", "de"],
  ]

  // MARK: Ranks

  /// Foundation's rules for the letters of a language.
  private struct Alphabet {
    let locale: Locale

    /// Foundation crashes if an identifier is very long. A text that is not the identifier of a locale counts as empty.
    init(language: String) {
      let parts = language.split(omittingEmptySubsequences: false) { $0 == "_" || $0 == "-" }
      let isIdentifier =
        parts.count <= 4 && parts[0].allSatisfy(\.isLetter)
        && parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(Self.isLetterOrDigit) }
      locale = Locale(identifier: isIdentifier ? language : "")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: false
      }
    }

    func isBefore(_ one: String, _ other: String) -> Bool {
      one.compare(other, options: [], range: nil, locale: locale) == .orderedAscending
    }

    /// The small letters. In Turkish, the small letter of `I` is `ı`.
    func lowercased(_ text: String) -> String { text.lowercased(with: locale) }

    /// Whether two texts differ in accents at most.
    func isSame(_ one: String, _ other: String) -> Bool {
      isBefore(one + "1", other + "2") && isBefore(other + "1", one + "2")
    }
  }

  /// Pairs of characters that are one letter in some language.
  private static let digraphs = ["aa", "ch", "cs", "gy", "lj", "ll", "ly", "nj", "ny", "rr", "sz", "ty", "zs"]

  private mutating func rank(_ characters: Set<Character>, _ alphabet: Alphabet) {
    for digit in 0...9 { ascii[0x30 + digit] = Self.zero + UInt16(digit) }
    ascii[0x27] = 0
    let joined = Self.digraphs.filter { alphabet.isBefore(String($0.prefix(1)) + "z", $0) }
    // Letters of the language that are not in ASCII.
    var own: [Character: String] = [:]
    var spelled: [Character: String] = [:]
    for character in characters {
      let small = alphabet.lowercased(String(character))
      let folded = FoldedText(small).text
      let isLetter = folded.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      if !isLetter || (folded.utf8.allSatisfy { $0 < 0x80 } && alphabet.isSame(small, folded)) {
        spelled[character] = folded
      } else {
        own[character] = small
      }
    }
    let latin = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let letters = Set(latin + latin.map { alphabet.lowercased($0.uppercased()) } + joined + own.values)
    var ranks: [String: UInt16] = [:]
    var last: (text: String, rank: UInt16)?
    for text in letters.sorted(by: alphabet.isBefore) {
      let rank = last.map { alphabet.isSame($0.text, text) ? $0.rank : min($0.rank, .max - 1) + 1 } ?? Self.letter
      ranks[text] = rank
      last = (text, rank)
    }
    for (byte, letter) in zip(0x61..., latin) {
      ascii[byte] = ranks[letter] ?? Self.letter
      ascii[byte - 0x20] = ranks[alphabet.lowercased(letter.uppercased())] ?? Self.letter
    }
    for text in joined { pairs[Self.pair(text.utf8.first ?? 0, text.utf8.last ?? 0)] = ranks[text] }
    for (character, text) in own { others[character] = ranks[text].map { [$0] } }
    for (character, text) in spelled {
      others[character] = text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.map { ascii[Int($0)] } : [Self.blank]
    }
  }
}
