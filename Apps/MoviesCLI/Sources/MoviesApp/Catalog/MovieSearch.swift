/// A search for movies by words of their titles.
///
/// Case, diacritics, punctuation, articles and years do not matter: `wall-e`, `walle`, `toy story (1995)` and `matrix,
/// the` find the right movies. Costs one pass over the titles, a second one if the first finds nothing, and a third one
/// if the second finds nothing.
package struct MovieSearch {
  /// The result of a search.
  package struct Result: Equatable, Sendable {
    /// The movies, best matches first. Equally good ones are in the catalogue's order.
    package var movies = Movies()
    /// The words that a found title does not contain, each with the word that was searched in its place, as the
    /// title has it. If a whole title corrects the query, all words are one key.
    package var corrections: [String: String] = [:]
    /// Similar titles, if nothing was found.
    package var suggestions: [String] = []
  }

  /// A word of the query.
  private struct Word {
    /// The word in UTF-8.
    let bytes: [UInt8]
    /// The number of its letters.
    let length: Int
    /// Whether a word of the title must begin with it. Most titles contain any one or two letters. Chinese characters
    /// are words themselves, with no blanks between them.
    let isBeginning: Bool

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      length = ByteSearch.letterCount(bytes)
      isBeginning =
        length < 3 && !String(decoding: bytes, as: UTF8.self).unicodeScalars.contains { $0.properties.isIdeographic }
    }
  }

  private let query: MatchText
  private let words: [Word]
  /// Whether the query has only articles. A title must then contain them as words.
  private let isOnlyArticles: Bool
  private let year: Int?

  /// Whether the query ends with a year, which is no word of a title.
  var hasYear: Bool { year != nil }

  /// The number of letters of the query without blanks.
  private let length: Int

  /// The query as typed, for titles such as `$` that have neither letters nor digits.
  private let symbols: [UInt8]

  /// The letters and digits that a matching title contains.
  private let letters: UInt64

  /// Prepares a search for these words.
  package init(_ words: [String]) {
    var typed = words.joined(separator: " ").split(separator: " ")
    let text = MatchText(words.joined(separator: " "))
    var list = text.list
    var year: Int?
    // In `toy story (1995)`, the year selects a movie and is not a word of its title.
    if let last = list.last, last.count == 4,
      list.count > 1 || typed.count > 1 && MatchText(String(typed[typed.count - 1])).words == last,
      let number = Int(String(decoding: last, as: UTF8.self)), (1870...2100).contains(number)
    {
      year = number
      list.removeLast()
      typed.removeLast()
    }
    symbols = list.isEmpty ? FoldedText(typed.joined(separator: " ")).bytes : []
    let named = list.filter { !MatchText.articles.contains($0) }
    isOnlyArticles = named.isEmpty
    self.words = (named.isEmpty ? list : named).map(Word.init)
    self.letters = self.words.reduce(0) { $0 | MatchText.letters($1.bytes) }
    self.year = year
    self.query =
      year == nil ? text : MatchText(list.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
    length = ByteSearch.letterCount(query.compact)
  }

  /// Returns the movies that match, the first `limit` ones.
  package func result(in movies: Movies, limit: Int? = nil) -> Result {
    func limited(_ movies: Movies) -> Movies { limit.map(movies.first) ?? movies }
    if words.isEmpty { return Result(movies: limited(withSymbols(movies))) }
    let found = ranked(movies, letters, rank: rank)
    if !found.isEmpty { return Result(movies: limited(found)) }
    let forgiven = isOnlyArticles ? Movies() : limited(ranked(movies, 0) { forgiving($0)?.count })
    if forgiven.isEmpty { return Result(suggestions: suggestions(in: movies)) }
    var corrections: [String: String] = [:]
    for movie in forgiven where corrections.count < words.count {
      for (word, close) in forgiving(MatchText(movie.title)) ?? [:] where corrections[word] == nil {
        corrections[word] = Self.spelling(of: close, in: movie.title)
      }
    }
    return Result(movies: forgiven, corrections: corrections)
  }

  /// The movies whose titles contain the symbols. Titles that equal them come first, then those of the given year.
  private func withSymbols(_ movies: Movies) -> Movies {
    if symbols.isEmpty { return Movies() }
    var ranks: [[Movies.Row]] = [[], [], [], []]
    movies.forEachTitle { row, text in
      let title = FoldedText(String(decoding: text, as: UTF8.self)).bytes
      guard title.contains(symbols) else { return }
      ranks[(title == symbols ? 0 : 2) + (year == nil || row.year == year ? 0 : 1)].append(row)
    }
    return movies.selecting(Array(ranks.joined()))
  }

  /// The movies that have a rank. Movies of the given year, or with this number in the title, come first. Then the
  /// order is by rank.
  ///
  /// - Parameter letters: Titles without one of these are skipped early.
  private func ranked(_ movies: Movies, _ letters: UInt64, rank: (MatchText) -> Int?) -> Movies {
    var ranks: [[Movies.Row]] = []
    var title = MatchText()
    movies.forEachTitle { row, text in
      if letters != 0, let own = MatchText.letters(of: text), own & letters != letters { return }
      title.set(text)
      guard var rank = rank(title).map({ min($0, 7) }) else { return }
      if let year, row.year != year, !title.contains(Array("\(year)".utf8), atWordStart: true) { rank += 8 }
      while ranks.count <= rank { ranks.append([]) }
      ranks[rank].append(row)
    }
    return movies.selecting(Array(ranks.joined()))
  }

  /// 0: the title equals the words. 1: the title begins with them. 2: each word begins a word of the title. 3: any
  /// other match. `nil`: no match.
  private func rank(_ title: MatchText) -> Int? {
    if isOnlyArticles, !words.allSatisfy({ title.hasWord($0.bytes) }) { return nil }
    let hasWords = words.allSatisfy { title.contains($0.bytes, atWordStart: $0.isBeginning) }
    guard hasWords || (length > 3 && title.containsCompact(query.compact)) else { return nil }
    if title.bareEquals(query) || title.compact == query.compact { return 0 }
    if title.bareStarts(with: query) { return 1 }
    return words.allSatisfy { title.contains($0.bytes, atWordStart: true) } ? 2 : 3
  }

  /// The corrections, at most one for each word, with which the title matches; `nil` if it does not match.
  private func forgiving(_ title: MatchText) -> [String: [UInt8]]? {
    var typed: [String: [UInt8]] = [:]
    for word in words where !title.contains(word.bytes, atWordStart: word.isBeginning) {
      guard word.length > 3,
        let close = title.words.split(separator: 0x20).first(where: { EditDistance.isAtMostOne($0, word.bytes[...]) })
      else { return forgivingWhole(title) }
      typed[Self.text(word.bytes)] = Array(close)
    }
    return typed
  }

  /// The correction with which the query without blanks equals the title: `spidermn` for `Spider-Man`.
  private func forgivingWhole(_ title: MatchText) -> [String: [UInt8]]? {
    length > 5 && EditDistance.isAtMostOne(title.compact[...], query.compact[...])
      ? [Self.text(query.words): title.words] : nil
  }

  /// The words as the title has them, if they are the whole title or stand between blanks and punctuation.
  private static func spelling(of words: [UInt8], in title: String) -> String {
    if MatchText(title).words == words { return title }
    let parts = title.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
    return parts.map(String.init).first { MatchText($0).words == words } ?? text(words)
  }

  /// Up to three titles: those that are similar as a whole, then those that contain at least half of several words.
  private func suggestions(in movies: Movies) -> [String] {
    var best: [(score: Int, title: String)] = []
    var title = MatchText()
    let limit = Suggestion.allowance(length)
    movies.forEachTitle { row, text in
      title.set(text)
      let score: Int
      if let distance = EditDistance.between(query.compact, title.compact, limit: limit) {
        score = distance
      } else {
        let missing = words.count { !title.contains($0.bytes, atWordStart: $0.isBeginning) }
        guard words.count > 1, missing * 2 <= words.count else { return }
        score = 10 + missing
      }
      guard best.count < 3 || score < best[2].score else { return }
      let place = best.firstIndex { score < $0.score } ?? best.count
      let name = String(decoding: text, as: UTF8.self)
      best.insert((score, row.year.map { "\(name) (\($0))" } ?? name), at: place)
      if best.count > 3 { best.removeLast() }
    }
    return best.map(\.title)
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
}

extension MovieSearch {
  /// The id that the user probably meant with an unknown word: that of a movie with a similar id or title, or an id
  /// that begins with the word.
  package static func suggestion(for word: String, in movies: Movies) -> Movie.ID? {
    let folded = FoldedText(word)
    let length = ByteSearch.letterCount(folded.bytes)
    // A number is similar to many other numbers, so a suggestion would be arbitrary.
    guard folded.bytes.contains(where: { $0 > 0x39 && $0 != UInt8(ascii: "t") }) else { return nil }
    var best: (id: Movie.ID, distance: Int)?
    var beginning: Movie.ID?
    for movie in movies {
      let id = FoldedText(movie.id)
      let stem = Array(id.bytes.dropLast(id.bytes.count > 5 && endsWithYear(id.bytes) ? 5 : 0))
      for name in [id.bytes, stem, FoldedText(movie.title).bytes] {
        let limit = min(Suggestion.allowance(length), (best?.distance ?? .max) - 1)
        if limit >= 0, let distance = EditDistance.between(folded.bytes, name, limit: limit) {
          best = (movie.id, distance)
        }
      }
      if beginning == nil, length > 2, id.hasPrefix(folded) { beginning = movie.id }
      if best?.distance == 0 { break }
    }
    if let best, best.distance <= 1 { return best.id }
    return beginning ?? best?.id
  }

  private static func endsWithYear(_ bytes: [UInt8]) -> Bool {
    bytes.dropLast(4).last == UInt8(ascii: "-") && bytes.suffix(4).allSatisfy { (0x30...0x39).contains($0) }
  }
}
