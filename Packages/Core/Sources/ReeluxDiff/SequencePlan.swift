/// The changes of a sequence's elements in the order of the report.
///
/// If all elements have ids, and no id occurs twice on a side, they are matched by id. Otherwise they are matched with
/// the smallest number of edits, or by position if this would cost too much.
struct SequencePlan {
  /// An element that is on one side only, has moved, or is on both sides and may differ. Positions are those in the
  /// trimmed sequences.
  enum Step {
    case removed(Int)
    case added(Int)
    case moved(Int, Int)
    case compared(Int, Int)
  }

  /// The steps, with the ids of the elements if they are matched by id.
  private(set) var steps: [(id: AnyHashable?, step: Step)] = []

  /// - Parameters:
  ///   - edits: The largest number of insertions and removals.
  ///   - text: The text of an element. Elements that cannot be hashed count as different if their texts differ.
  ///   - isSame: Whether two elements are equal.
  init(
    _ sequences: TrimmedSequences, edits: Int, types: TypeFacts, text: (Any) -> String, isSame: (Any, Any) -> Bool
  ) {
    let (old, new) = (sequences.old, sequences.new)
    if old.isEmpty && new.isEmpty { return }
    if let oldIDs = Self.ids(of: old), let newIDs = Self.ids(of: new) {
      matchIdentified(oldIDs, newIDs)
    } else if let classes = EqualityClasses(old, new, types, text: text, isSame: isSame),
      let script = EditScript(from: classes.old, to: classes.new, limit: edits)
    {
      var pairing = EditPairing(script, classes, oldCount: old.count)
      pairing.pairReplacements { Self.similarity(old[$0], new[$1], types: types) }
      steps = pairing.edits.map { (nil, $0) }
    } else {
      matchByPosition(old.count, new.count)
    }
  }

  private mutating func matchByPosition(_ oldCount: Int, _ newCount: Int) {
    let common = min(oldCount, newCount)
    for position in 0..<common { steps.append((nil, .compared(position, position))) }
    for position in common..<max(common, oldCount) { steps.append((nil, .removed(position))) }
    for position in common..<max(common, newCount) { steps.append((nil, .added(position))) }
  }

  private mutating func matchIdentified(_ oldIDs: [AnyHashable], _ newIDs: [AnyHashable]) {
    let oldPlaces = Dictionary(uniqueKeysWithValues: zip(oldIDs, oldIDs.indices))
    let newPlaces = Dictionary(uniqueKeysWithValues: zip(newIDs, newIDs.indices))
    for (position, id) in oldIDs.enumerated() where newPlaces[id] == nil {
      steps.append((id, .removed(position)))
    }
    let inPlace = EditScript.longestIncreasing(newIDs.compactMap { oldPlaces[$0] })
    var rank = 0
    for (position, id) in newIDs.enumerated() {
      guard let oldPosition = oldPlaces[id] else {
        steps.append((id, .added(position)))
        continue
      }
      if !inPlace.contains(rank) { steps.append((id, .moved(oldPosition, position))) }
      rank += 1
      steps.append((id, .compared(oldPosition, position)))
    }
  }

  /// The ids of all elements; `nil` if an element has none, or if two elements have the same.
  private static func ids(of elements: [Any]) -> [AnyHashable]? {
    var ids: [AnyHashable] = []
    var unique: Set<AnyHashable> = []
    for element in elements {
      guard let id = Equality.id(of: element), unique.insert(id).inserted else { return nil }
      ids.append(id)
    }
    return ids
  }

  /// The similarity of two elements: the share of equal parts, from 0 to 1. It is 0 for values without parts or of
  /// different types.
  private static func similarity(_ old: Any, _ new: Any, types: TypeFacts) -> Double {
    guard type(of: old) == type(of: new),
      case .fields(_, let oldParts) = ValueShape(old, types: types),
      case .fields(_, let newParts) = ValueShape(new, types: types),
      oldParts.count == newParts.count, !oldParts.isEmpty
    else { return 0 }
    let equal = zip(oldParts, newParts).filter { types.isEqual($0.value, $1.value) == true }.count
    return Double(equal) / Double(oldParts.count)
  }
}

/// Elements of two sequences as numbers: equal elements have the same number.
private struct EqualityClasses {
  /// The type is part of the key, because `AnyHashable` considers some values of different types as equal, such as 1
  /// and 1.0.
  private struct Key: Hashable {
    var type: ObjectIdentifier
    var value: AnyHashable
  }

  private(set) var old: [Int] = []
  private(set) var new: [Int] = []

  /// Returns `nil` if there are more than 2,000 elements and one of them cannot be hashed.
  init?(
    _ oldElements: [Any], _ newElements: [Any], _ types: TypeFacts, text: (Any) -> String, isSame: (Any, Any) -> Bool
  ) {
    var byHash: [Key: Int] = [:]
    var byText: [String: [(element: Any, number: Int)]] = [:]
    var count = 0
    func number(_ element: Any) -> Int {
      // NaN is not equal to itself, so it would get a new number each time.
      if let value = types.hashable(element), value == value {
        let key = Key(type: ObjectIdentifier(type(of: element)), value: value)
        let number = byHash[key, default: count]
        byHash[key] = number
        count = max(count, number + 1)
        return number
      }
      let text = text(element)
      if let known = byText[text]?.first(where: { isSame($0.element, element) }) { return known.number }
      byText[text, default: []].append((element, count))
      count += 1
      return count - 1
    }
    let isLarge = oldElements.count + newElements.count > 2_000
    if isLarge, (oldElements + newElements).contains(where: { types.hashable($0) == nil }) { return nil }
    old = oldElements.map(number)
    new = newElements.map(number)
  }
}

/// The insertions and removals of an edit script, combined to moves and replacements.
private struct EditPairing {
  /// The removals and insertions between two elements that stay.
  private struct Gap {
    var removed: [Int] = []
    var inserted: [Int] = []
  }

  private(set) var edits: [SequencePlan.Step] = []
  private var gaps: [Gap] = []

  /// An element that is removed at one place and inserted at another has moved.
  init(_ script: EditScript, _ classes: EqualityClasses, oldCount: Int) {
    var unpaired: [Int: [Int]] = [:]
    for old in script.removed.reversed() { unpaired[classes.old[old], default: []].append(old) }
    var movedFrom: Set<Int> = []
    var movedTo: [Int: Int] = [:]
    for new in script.inserted {
      guard let old = unpaired[classes.new[new]]?.popLast() else { continue }
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

  /// Decides which removed elements of each gap were replaced by which inserted ones. If there are as many removed as
  /// inserted elements, they are paired in order. Otherwise the most similar ones are paired without crossings, unless
  /// there are more than 1,024 possible pairs.
  mutating func pairReplacements(similarity: (Int, Int) -> Double) {
    for gap in gaps {
      if gap.removed.count == gap.inserted.count {
        edits += zip(gap.removed, gap.inserted).map { .compared($0, $1) }
        continue
      }
      let pairs = gap.removed.count * gap.inserted.count <= 1_024 ? Self.align(gap, similarity) : []
      let old = Set(pairs.map(\.0))
      let new = Set(pairs.map(\.1))
      edits += gap.removed.filter { !old.contains($0) }.map { .removed($0) }
      edits += pairs.map { .compared($0, $1) }
      edits += gap.inserted.filter { !new.contains($0) }.map { .added($0) }
    }
    gaps = []
  }

  /// The pairs with the greatest sum of similarities, each at least one half. Costs O(removed × inserted).
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
