/// The smallest number of insertions and removals that convert one list of numbers to another.
///
/// The algorithm is from Myers, “An O(ND) Difference Algorithm and Its Variations” (1986), with a limit for the number
/// of edits.
struct EditScript {
  /// The positions of removed elements in the old list, ascending.
  private(set) var removed: [Int] = []
  /// The positions of inserted elements in the new list, ascending.
  private(set) var inserted: [Int] = []

  /// Returns `nil` if more than `limit` edits are needed. Costs O((old + new) × edits) time and O(edits²) memory.
  init?(from old: [Int], to new: [Int], limit: Int) {
    var furthest = [1: 0]
    var rounds: [[Int: Int]] = []
    for edits in 0...max(0, min(limit, old.count + new.count)) {
      rounds.append(furthest)
      for diagonal in stride(from: -edits, through: edits, by: 2) {
        var x = Self.start(diagonal, edits, furthest)
        var y = x - diagonal
        while x < old.count, y < new.count, old[x] == new[y] { (x, y) = (x + 1, y + 1) }
        furthest[diagonal] = x
        if x >= old.count, y >= new.count {
          backtrack(rounds, from: (old.count, new.count))
          return
        }
      }
    }
    return nil
  }

  /// The start of a path on the diagonal: below its farthest neighbour (an insertion) or to its right (a removal).
  private static func start(_ diagonal: Int, _ edits: Int, _ furthest: [Int: Int]) -> Int {
    let left = furthest[diagonal - 1] ?? -1
    let above = furthest[diagonal + 1] ?? -1
    return diagonal == -edits || (diagonal != edits && left < above) ? above : left + 1
  }

  private mutating func backtrack(_ rounds: [[Int: Int]], from end: (x: Int, y: Int)) {
    var (x, y) = end
    for edits in rounds.indices.reversed() where edits > 0 {
      let furthest = rounds[edits]
      let diagonal = x - y
      let left = furthest[diagonal - 1] ?? -1
      let above = furthest[diagonal + 1] ?? -1
      if diagonal == -edits || (diagonal != edits && left < above) {
        x = above
        y = x - diagonal - 1
        inserted.append(y)
      } else {
        x = left
        y = x - (diagonal - 1)
        removed.append(x)
      }
    }
    inserted.reverse()
    removed.reverse()
  }
}

extension EditScript {
  /// The positions of a longest increasing subsequence. These elements stay in place when the others move. Costs O(n
  /// log n).
  static func longestIncreasing(_ numbers: [Int]) -> Set<Int> {
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = tails[low - 1] }
      if low == tails.count { tails.append(position) } else { tails[low] = position }
    }
    var kept: Set<Int> = []
    var position = tails.last ?? -1
    while position >= 0 {
      kept.insert(position)
      position = previous[position]
    }
    return kept
  }
}
