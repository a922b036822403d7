/// The search for movies by words of their titles, as people type them.
///
/// Case, diacritics, punctuation, articles and years do not matter: `wall-e`, `walle`, `toy story (1995)` and `matrix, the` find what
/// they mean. Costs one pass over the titles, and a second one only when nothing is found.
package struct MovieSearch {
  /// The result of a search.
  package struct Result: Hashable, Sendable {
    /// The movies, best matches first; within equally good ones in the catalogue's order.
    package var movies: [Movie] = []
    /// A word that no title has, and the closest one in its place, when a typing mistake was forgiven.
    package var corrections: [String: String] = [:]
    /// Titles that may have been meant, when nothing was found.
    package var suggestions: [String] = []
  }

  private let query: MatchText
  private let words: [[UInt8]]
  private let year: Int?

  /// The letters and digits that a title must have.
  private let letters: UInt64

  /// Prepares a search for these words.
  package init(_ words: [String]) {
    let text = MatchText(words.joined(separator: " "))
    var list = text.list
    var year: Int?
    // `toy story (1995)`: a year at the end says which movie, not what its title holds.
    if list.count > 1, let last = list.last, last.count == 4,
      let number = Int(String(decoding: last, as: UTF8.self)), (1870...2100).contains(number)
    {
      year = number
      list.removeLast()
    }
    let named = list.filter { !MatchText.articles.contains($0) }
    self.words = named.isEmpty ? list : named
    self.letters = self.words.reduce(0) { $0 | MatchText.letters($1) }
    self.year = year
    self.query =
      year == nil ? text : MatchText(list.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
  }

  /// Searches.
  package func result(in movies: [Movie]) -> Result {
    guard !words.isEmpty else { return Result() }
    let found = ranked(movies, letters) { rank($0) }
    if !found.isEmpty { return Result(movies: found) }
    var corrections: [String: String] = [:]
    let forgiven = ranked(movies, 0) { title in
      guard let typed = forgiving(title) else { return nil }
      corrections.merge(typed) { first, _ in first }
      return typed.count
    }
    if !forgiven.isEmpty { return Result(movies: forgiven, corrections: corrections) }
    return Result(suggestions: suggestions(in: movies))
  }

  /// The movies with a rank, sorted by whether their year is the one that was named, then by the rank.
  ///
  /// - Parameter letters: A title without one of these is not looked at more closely.
  private func ranked(_ movies: [Movie], _ letters: UInt64, rank: (MatchText) -> Int?) -> [Movie] {
    var ranks: [[Int]] = []
    var title = MatchText()
    for (place, movie) in movies.enumerated() {
      if letters != 0, let own = MatchText.letters(of: movie.title), own & letters != letters { continue }
      title.set(movie.title)
      guard var rank = rank(title) else { continue }
      if let year, movie.year != year, !title.contains(Array("\(year)".utf8), atWordStart: true) { rank += 8 }
      while ranks.count <= rank { ranks.append([]) }
      ranks[rank].append(place)
    }
    return ranks.joined().map { movies[$0] }
  }

  /// 0: it is the title; 1: the title begins with it; 2: each word begins a word; 3: the rest. `nil`: no match.
  private func rank(_ title: MatchText) -> Int? {
    // A word of one or two letters occurs in most titles: it must begin a word.
    let hasWords = words.allSatisfy { title.contains($0, atWordStart: $0.count < 3) }
    guard hasWords || (query.compact.count > 3 && title.containsCompact(query.compact)) else { return nil }
    if title.bareEquals(query) || title.compact == query.compact { return 0 }
    if title.bareStarts(with: query) { return 1 }
    return words.allSatisfy { title.contains($0, atWordStart: true) } ? 2 : 3
  }

  /// The typing mistakes, at most one a word, with which the title matches; `nil` when it does not.
  private func forgiving(_ title: MatchText) -> [String: String]? {
    var typed: [String: String] = [:]
    for word in words where !title.contains(word, atWordStart: word.count < 3) {
      guard word.count > 3,
        let close = title.words.split(separator: 0x20).first(where: { EditDistance.isAtMostOne($0, word[...]) })
      else { return forgivingWhole(title) }
      typed[Self.text(word)] = Self.text(close)
    }
    return typed
  }

  /// The typing mistake with which the text without blanks is the title: `spidermn` for `Spider-Man`.
  private func forgivingWhole(_ title: MatchText) -> [String: String]? {
    query.compact.count > 5 && EditDistance.isAtMostOne(title.compact[...], query.compact[...])
      ? [Self.text(query.words): Self.text(title.words)] : nil
  }

  /// Up to three titles: those that are close as a whole, then those that have most of the words.
  private func suggestions(in movies: [Movie]) -> [String] {
    var best: [(score: Int, title: String)] = []
    var title = MatchText()
    let limit = Suggestion.allowance(query.compact.count)
    for movie in movies {
      title.set(movie.title)
      let score: Int
      if let distance = EditDistance.between(query.compact, title.compact, limit: limit) {
        score = distance
      } else {
        let missing = words.count { !title.contains($0, atWordStart: $0.count < 3) }
        guard words.count > 1, missing * 2 <= words.count else { continue }
        score = 10 + missing
      }
      guard best.count < 3 || score < best[2].score else { continue }
      let place = best.firstIndex { score < $0.score } ?? best.count
      best.insert((score, movie.year.map { "\(movie.title) (\($0))" } ?? movie.title), at: place)
      if best.count > 3 { best.removeLast() }
    }
    return best.map(\.title)
  }

  private static func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
}

extension MovieSearch {
  /// The id of the movie that was meant by an unknown one: its id or its title is close, or begins with the word.
  package static func suggestion(for word: String, in movies: [Movie]) -> Movie.ID? {
    let folded = FoldedText(word)
    // Numbers are close to many others, and none of them is what was meant.
    guard folded.bytes.contains(where: { $0 > 0x39 && $0 != UInt8(ascii: "t") }) else { return nil }
    var best: (id: Movie.ID, distance: Int)?
    var beginning: Movie.ID?
    for movie in movies {
      let id = FoldedText(movie.id)
      let stem = Array(id.bytes.dropLast(id.bytes.count > 5 && endsWithYear(id.bytes) ? 5 : 0))
      for name in [id.bytes, stem, FoldedText(movie.title).bytes] {
        let limit = min(Suggestion.allowance(folded.bytes.count), (best?.distance ?? .max) - 1)
        if limit >= 0, let distance = EditDistance.between(folded.bytes, name, limit: limit) {
          best = (movie.id, distance)
        }
      }
      if beginning == nil, folded.bytes.count > 2, id.hasPrefix(folded) { beginning = movie.id }
      if best?.distance == 0 { break }
    }
    if let best, best.distance <= 1 { return best.id }
    return beginning ?? best?.id
  }

  private static func endsWithYear(_ bytes: [UInt8]) -> Bool {
    bytes.dropLast(4).last == UInt8(ascii: "-") && bytes.suffix(4).allSatisfy { (0x30...0x39).contains($0) }
  }
}
