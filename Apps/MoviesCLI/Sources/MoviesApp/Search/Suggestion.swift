/// The guess at what was meant by a word that is not known.
package enum Suggestion {
  /// The closest of the known words; `nil` when none is close.
  package static func closest(to word: String, among known: some Sequence<String>) -> String? {
    let folded = FoldedText(word).bytes
    var best: (word: String, distance: Int)?
    for candidate in known {
      let limit = min(allowance(folded.count), (best?.distance ?? .max) - 1)
      if limit < 0 { break }
      if let distance = EditDistance.between(folded, FoldedText(candidate).bytes, limit: limit) {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// The id of the movie that was meant: its id or its title is close, or begins with the word.
  package static func movie(for word: String, in movies: [Movie]) -> Movie.ID? {
    let folded = FoldedText(word)
    guard !folded.bytes.isEmpty else { return nil }
    var best: (id: Movie.ID, distance: Int)?
    var beginning: Movie.ID?
    for movie in movies {
      let id = FoldedText(movie.id)
      let stem = Array(id.bytes.dropLast(id.bytes.count > 5 && endsWithYear(id.bytes) ? 5 : 0))
      for name in [id.bytes, stem, FoldedText(movie.title).bytes] {
        let limit = min(allowance(folded.bytes.count), (best?.distance ?? .max) - 1)
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

  /// How many edits a word of this length may be away.
  private static func allowance(_ length: Int) -> Int {
    length < 3 ? (length < 2 ? 0 : 1) : min(4, max(1, length / 3))
  }

  private static func endsWithYear(_ bytes: [UInt8]) -> Bool {
    bytes.dropLast(4).last == UInt8(ascii: "-") && bytes.suffix(4).allSatisfy { (0x30...0x39).contains($0) }
  }
}
