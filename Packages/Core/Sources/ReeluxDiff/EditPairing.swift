/// Insertions and removals of an edit script, joined into moves and replacements where they belong together.
struct EditPairing {
  enum Edit {
    case removed(Int)
    case inserted(Int)
    case moved(Int, Int)
    case replaced(Int, Int)
  }

  /// Removals and insertions between the same two elements that stay.
  private struct Gap {
    var removed: [Int] = []
    var inserted: [Int] = []
  }

  private(set) var edits: [Edit] = []
  private var gaps: [Gap] = []

  /// An element that is removed here and inserted there has moved.
  init(_ script: EditScript, _ classes: EqualityClasses, oldCount: Int) {
    var homeless: [Int: [Int]] = [:]
    for old in script.removed.reversed() { homeless[classes.old[old], default: []].append(old) }
    var movedFrom: Set<Int> = []
    var movedTo: [Int: Int] = [:]
    for new in script.inserted {
      guard let old = homeless[classes.new[new]]?.popLast() else { continue }
      movedFrom.insert(old)
      movedTo[new] = old
    }
    edits = script.inserted.compactMap { new in movedTo[new].map { .moved($0, new) } }
    collectGaps(script, oldCount: oldCount, newCount: classes.new.count, movedFrom: movedFrom, movedTo: movedTo)
  }

  private mutating func collectGaps(
    _ script: EditScript, oldCount: Int, newCount: Int, movedFrom: Set<Int>, movedTo: [Int: Int]
  ) {
    var removals = script.removed[...]
    var insertions = script.inserted[...]
    var (old, new) = (0, 0)
    var gap = Gap()
    while old < oldCount || new < newCount {
      if removals.first == old {
        removals.removeFirst()
        if !movedFrom.contains(old) { gap.removed.append(old) }
        old += 1
      } else if insertions.first == new {
        insertions.removeFirst()
        if movedTo[new] == nil { gap.inserted.append(new) }
        new += 1
      } else {
        gaps.append(gap)
        gap = Gap()
        (old, new) = (old + 1, new + 1)
      }
    }
    gaps.append(gap)
  }

  /// Decides inside each gap which removed element became which inserted one: all of them in order if the numbers agree,
  /// otherwise the most similar ones without crossing.
  mutating func pairReplacements(similarity: (Int, Int) -> Double) {
    for gap in gaps {
      if gap.removed.count == gap.inserted.count {
        edits += zip(gap.removed, gap.inserted).map { .replaced($0, $1) }
        continue
      }
      let pairs = gap.removed.count * gap.inserted.count <= 1_024 ? Self.align(gap, similarity) : []
      let old = Set(pairs.map(\.0))
      let new = Set(pairs.map(\.1))
      edits += gap.removed.filter { !old.contains($0) }.map { .removed($0) }
      edits += pairs.map { .replaced($0, $1) }
      edits += gap.inserted.filter { !new.contains($0) }.map { .inserted($0) }
    }
    gaps = []
  }

  /// The pairs with the greatest sum of similarities, each at least one half. Cost: O(removed × inserted).
  private static func align(_ gap: Gap, _ similarity: (Int, Int) -> Double) -> [(Int, Int)] {
    let (rows, columns) = (gap.removed.count, gap.inserted.count)
    if rows == 0 || columns == 0 { return [] }
    var score = [[Double]](repeating: [Double](repeating: 0, count: columns + 1), count: rows + 1)
    var gain = score
    for row in (0..<rows).reversed() {
      for column in (0..<columns).reversed() {
        gain[row][column] = similarity(gap.removed[row], gap.inserted[column])
        let paired = gain[row][column] >= 0.5 ? gain[row][column] + score[row + 1][column + 1] : 0
        score[row][column] = max(paired, score[row + 1][column], score[row][column + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < rows, column < columns {
      if score[row][column] == score[row + 1][column] {
        row += 1
      } else if score[row][column] == score[row][column + 1] {
        column += 1
      } else {
        pairs.append((gap.removed[row], gap.inserted[column]))
        (row, column) = (row + 1, column + 1)
      }
    }
    return pairs
  }
}
