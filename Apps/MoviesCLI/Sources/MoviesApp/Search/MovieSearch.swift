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
}
