import Foundation

/// The order of titles in a language, as a library of that country has it.
///
/// Case, punctuation and a leading article do not matter, nor do accents, unless the language has the letter: `Ö` comes
/// after `Z` in Swedish and is an `O` in German. Numbers come before letters, by their value.
///
/// Foundation knows the rules of the languages, but a comparison costs microseconds. Therefore each letter that occurs is
/// ranked once, and a title's key is the sequence of its letters' ranks, computed once a title. Costs O(letters of all
/// titles) and one sort of keys.
struct TitleOrder {
  /// The rank of a blank; below all others, so that `Toy Story` comes before `Toys`.
  private static let blank: UInt16 = 1
  /// The rank of the digit 0; those of the others follow.
  private static let zero: UInt16 = 2
  /// The rank in front of a number of one digit; a longer number is a larger one.
  private static let number: UInt16 = 12
  /// The rank of the first letter.
  private static let letter: UInt16 = 64

  /// The ranks of ASCII; 0 for what does not count.
  private var ascii = [UInt16](repeating: blank, count: 128)

  /// The ranks of other characters: none for an apostrophe, two for an `æ` that is an `ae`.
  private var others: [Character: [UInt16]] = [:]

  /// The ranks of two letters that are one in the language: `ch` in Czech.
  private var pairs: [UInt16: UInt16] = [:]

  private let articles: Set<String>

  /// Ranks the letters of some titles.
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

  /// The movies in the order of their titles; those with equal keys stay in their order.
  static func sorted(_ movies: [Movie], language: String) -> [Movie] {
    // The keys are gone before the movies are copied.
    let places = TitleOrder(language: language, titles: movies.lazy.map(\.title)).places(of: movies)
    return places.map { movies[Int($0)] }
  }

  /// The places of the movies, in the order of their titles.
  private func places(of movies: [Movie]) -> [UInt32] {
    var key = Key()
    key.ranks.reserveCapacity(movies.reduce(0) { $0 + $1.title.utf8.count + 1 })
    var ends: [Int] = []
    ends.reserveCapacity(movies.count)
    for movie in movies {
      write(movie.title, to: &key)
      ends.append(key.ranks.count)
    }
    var places = movies.indices.map { UInt32(truncatingIfNeeded: $0) }
    key.ranks.withUnsafeBufferPointer { ranks in
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
    }
    return places
  }

  // MARK: Keys

  /// The keys of titles, one behind the other. A rank takes one byte, one of the many of Chinese characters two.
  private struct Key {
    /// The first rank that takes two bytes.
    private static let double: UInt16 = 192

    var ranks: [UInt8] = []
    private var endsWithBlank = false
    /// Where the number that is being written begins.
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

    /// A number is written as the count of its digits, and then the digits.
    private mutating func putDigit(_ rank: UInt8) {
      endsWithBlank = false
      if let start = numberStart {
        // A zero in front changes nothing.
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
    let isASCII = text.utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes where byte >= 0x80 { return false }
      var index = 0
      while index < bytes.count {
        index += write(bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0, to: &key, start: start)
      }
      return true
    }
    if isASCII != true {
      var last: UInt8?
      for character in text {
        if let byte = character.asciiValue {
          // Two letters are one only side by side.
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

  /// Writes a byte, or two if they are one letter; returns how many.
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

  /// The title from where its order begins: no punctuation, and no article unless it is all there is.
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

  /// The articles of some languages. English titles are everywhere.
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

  /// What Foundation says about the letters of a language.
  private struct Alphabet {
    let locale: Locale

    init(language: String) { locale = Locale(identifier: language) }

    func isBefore(_ one: String, _ other: String) -> Bool {
      one.compare(other, options: [], range: nil, locale: locale) == .orderedAscending
    }

    /// Whether two texts differ in nothing that decides before the next letter does: in accents at most.
    func isSame(_ one: String, _ other: String) -> Bool {
      isBefore(one + "1", other + "2") && isBefore(other + "1", one + "2")
    }
  }

  /// Two letters that are one in some language.
  private static let digraphs = ["aa", "ch", "cs", "gy", "lj", "ll", "ly", "nj", "ny", "rr", "sz", "ty", "zs"]

  private mutating func rank(_ characters: Set<Character>, _ alphabet: Alphabet) {
    for digit in 0...9 { ascii[0x30 + digit] = Self.zero + UInt16(digit) }
    ascii[0x27] = 0
    let joined = Self.digraphs.filter { alphabet.isBefore(String($0.prefix(1)) + "z", $0) }
    // Letters of their own, beside those of ASCII.
    var own: [Character: String] = [:]
    var spelled: [Character: String] = [:]
    for character in characters {
      let small = character.lowercased()
      let folded = FoldedText(small).text
      let isLetter = folded.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
      if !isLetter || (folded.utf8.allSatisfy { $0 < 0x80 } && alphabet.isSame(small, folded)) {
        spelled[character] = folded
      } else {
        own[character] = small
      }
    }
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init) + joined + Set(own.values)
    var ranks: [String: UInt16] = [:]
    var last: (text: String, rank: UInt16)?
    for text in letters.sorted(by: alphabet.isBefore) {
      let rank = last.map { alphabet.isSame($0.text, text) ? $0.rank : min($0.rank, .max - 1) + 1 } ?? Self.letter
      ranks[text] = rank
      last = (text, rank)
    }
    for byte in 0x61...0x7A {
      let rank = ranks[String(UnicodeScalar(UInt8(byte)))] ?? Self.letter
      ascii[byte] = rank
      ascii[byte - 0x20] = rank
    }
    for text in joined { pairs[Self.pair(text.utf8.first ?? 0, text.utf8.last ?? 0)] = ranks[text] }
    for (character, text) in own { others[character] = ranks[text].map { [$0] } }
    for (character, text) in spelled {
      others[character] = text.utf8.allSatisfy { $0 < 0x80 } ? text.utf8.map { ascii[Int($0)] } : [Self.blank]
    }
  }
}
