/// Suggestions for an unknown word.
package enum Suggestion {
  /// The only known word that begins with `word`, otherwise the most similar one; `nil` if none is similar.
  package static func closest(to word: String, among known: some Sequence<String>) -> String? {
    let folded = FoldedText(word).bytes
    let length = ByteSearch.letterCount(folded)
    var best: (word: String, distance: Int)?
    // `fav` differs from `favorite` in many letters, but only one known word begins with it.
    var beginnings = (count: 0, word: "")
    for candidate in known {
      let letters = FoldedText(candidate).bytes
      if length > 1, letters.starts(with: folded) { beginnings = (beginnings.count + 1, candidate) }
      let limit = min(allowance(length), (best?.distance ?? .max) - 1)
      if limit >= 0, let distance = EditDistance.between(folded, letters, limit: limit) { best = (candidate, distance) }
    }
    return beginnings.count == 1 ? beginnings.word : best?.word
  }

  /// The largest number of edits for a word of this length.
  static func allowance(_ length: Int) -> Int {
    length < 3 ? (length < 2 ? 0 : 1) : min(4, max(1, length / 3))
  }
}

/// The number of edits of letters between two texts in UTF-8: insertions, deletions, replacements and swaps of
/// neighbours.
enum EditDistance {
  /// The distance, or `nil` if it exceeds `limit`. Costs O(product of the lengths), and one pass if the lengths differ
  /// by more than the limit.
  static func between(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int? {
    if ByteSearch.isASCII(first[...]), ByteSearch.isASCII(second[...]) {
      return betweenLetters(first, second, limit: limit)
    }
    guard abs(ByteSearch.letterCount(first) - ByteSearch.letterCount(second)) <= limit else { return nil }
    return betweenLetters(letters(first), letters(second), limit: limit)
  }

  private static func letters(_ bytes: [UInt8]) -> [Unicode.Scalar] {
    Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  private static func betweenLetters<Letter: Equatable>(
    _ first: [Letter], _ second: [Letter], limit: Int
  ) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for row in 1...first.count {
      var current = [row]
      current.reserveCapacity(second.count + 1)
      var smallest = row
      for column in 1...second.count {
        let same = first[row - 1] == second[column - 1]
        var distance = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1))
        if row > 1, column > 1, first[row - 1] == second[column - 2], first[row - 2] == second[column - 1] {
          distance = min(distance, beforeLast[column - 2] + 1)
        }
        current.append(distance)
        smallest = min(smallest, distance)
      }
      if smallest > limit { return nil }
      beforeLast = last
      last = current
    }
    let distance = last[second.count]
    return distance <= limit ? distance : nil
  }

  /// Whether at most one insertion, deletion, replacement or swap of neighbours makes the texts equal.
  static func isAtMostOne(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
    // A letter has one byte in ASCII, and at most four otherwise.
    let difference = abs(first.count - second.count)
    guard difference <= 1 || (difference <= 4 && !(ByteSearch.isASCII(first) && ByteSearch.isASCII(second))) else {
      return false
    }
    var start = zip(first, second).prefix { $0 == $1 }.count
    // Two letters may begin with the same bytes.
    while start > 0, let byte = first.dropFirst(start).first, ByteSearch.isContinuation(byte) { start -= 1 }
    let (one, other) = (first.dropFirst(start), second.dropFirst(start))
    let (letter, otherLetter) = (firstLetter(one), firstLetter(other))
    let (rest, otherRest) = (one.dropFirst(letter.count), other.dropFirst(otherLetter.count))
    if rest == otherRest || rest == other || one == otherRest { return true }
    return rest.starts(with: otherLetter) && otherRest.starts(with: letter)
      && rest.dropFirst(otherLetter.count) == otherRest.dropFirst(letter.count)
  }

  private static func firstLetter(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.prefix(1 + text.dropFirst().prefix(while: ByteSearch.isContinuation).count)
  }
}
