/// The search for movies by words of their titles.
package enum MovieSearch {
  /// The movies whose titles contain every word, best matches first.
  ///
  /// Order: the title itself, titles that begin with the text, titles in which each word begins a word, the rest; within each,
  /// the catalogue's order. Words are compared as ``FoldedText``. Costs one pass over the titles.
  package static func movies(matching words: [String], in movies: [Movie]) -> [Movie] {
    let query = FoldedText(words.joined(separator: " "))
    let wanted = query.words
    guard !wanted.isEmpty else { return [] }
    var ranks: [[Movie]] = [[], [], [], []]
    for movie in movies {
      let title = FoldedText(movie.title)
      guard wanted.allSatisfy(title.contains) else { continue }
      ranks[rank(title, query, wanted)].append(movie)
    }
    return ranks.flatMap { $0 }
  }

  private static func rank(_ title: FoldedText, _ query: FoldedText, _ wanted: [FoldedText]) -> Int {
    if title == query { return 0 }
    if title.hasPrefix(query) { return 1 }
    return wanted.allSatisfy(title.hasWord(startingWith:)) ? 2 : 3
  }

  /// The id of the movie that was meant: its id or its title is close, or begins with the word.
  package static func suggestion(for word: String, in movies: [Movie]) -> Movie.ID? {
    let folded = FoldedText(word)
    guard !folded.bytes.isEmpty else { return nil }
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
