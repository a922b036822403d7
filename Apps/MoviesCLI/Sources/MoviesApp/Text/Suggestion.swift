/// Suggestions for an unknown word.
package enum Suggestion {
  /// The most similar known word; `nil` if none is similar.
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
    if let best { return best.word }
    // `fav` differs from `favorite` in many letters, but only one known word begins with it.
    let beginning = folded.count > 1 ? known.filter { FoldedText($0).bytes.starts(with: folded) } : []
    return beginning.count == 1 ? beginning.first : nil
  }

  /// The largest number of edits for a word of this length.
  static func allowance(_ length: Int) -> Int {
    length < 3 ? (length < 2 ? 0 : 1) : min(4, max(1, length / 3))
  }
}

/// The number of edits of bytes between two texts: insertions, deletions, replacements and swaps of neighbours.
enum EditDistance {
  /// The distance, or `nil` if it exceeds `limit`. Costs O(product of the lengths), and nothing if the lengths differ
  /// by more than the limit.
  static func between(_ first: [UInt8], _ second: [UInt8], limit: Int) -> Int? {
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
    let (long, short) = first.count >= second.count ? (first, second) : (second, first)
    guard long.count - short.count <= 1 else { return false }
    let start = zip(long, short).prefix { $0 == $1 }.count
    let (longRest, shortRest) = (long.dropFirst(start), short.dropFirst(start))
    if long.count > short.count { return longRest.dropFirst().elementsEqual(shortRest) }
    if longRest.dropFirst().elementsEqual(shortRest.dropFirst()) { return true }
    return longRest.prefix(2).elementsEqual(shortRest.prefix(2).reversed())
      && longRest.dropFirst(2).elementsEqual(shortRest.dropFirst(2))
  }
}
