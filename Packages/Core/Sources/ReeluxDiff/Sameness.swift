/// A comparison of two values by structure, without a limit on depth.
///
/// It keeps its position in a list and not on the call stack, so the depth of a value is not limited. Two objects that
/// were compared before count as equal. If they differ, the first comparison has found or will find the difference.
struct Sameness {
  /// The first different part.
  struct Difference {
    var path: [ValuePath.Component]
    /// The ids of elements in the path; see ``ValuePathPattern``. They are found only if parts are redacted.
    var otherNames: [Int: [ValuePath.Component]]
    var old: Any
    var new: Any
  }

  /// Two parts at the same place, with the steps from the enclosing value to this place.
  private typealias Pair = (steps: [ValuePath.Component], old: Any, new: Any)

  /// Two values whose parts are being compared.
  private struct Frame {
    var steps: [ValuePath.Component]
    var old: Any
    var new: Any
    /// Whether `==` says that the values differ, so that one of their parts must differ.
    var isUnequal: Bool
    /// Whether a difference inside is reported as one of the whole value, because its mirror does not show the parts.
    var hidesParts: Bool
    /// The values, if they are objects.
    var objects: ObjectPair?
    /// The value of the counter of the same name before this value.
    var notNumbers: Int
    var parts: [Pair]
    var next = 0
  }

  /// The result of comparing two values without their parts.
  private enum Verdict {
    case same
    case different
    case undecided([Pair], isHidden: Bool = false)
  }

  private let types: TypeFacts
  /// The parts that the names of keys must not show.
  private let hidden: [ValuePathPattern]
  /// Whether a difference inside a value of a redacted type counts as a difference of the whole value.
  private let hidesTypes: Bool
  private var frames: [Frame] = []
  private var objects: Set<ObjectPair> = []
  /// The objects under comparison. If a pair occurs again inside, there is a cycle.
  private var ancestors: Set<ObjectPair> = []
  /// The number of pairs that count as equal although `==` returns false: two NaN values, or one object with NaN.
  private(set) var notNumbers = 0
  /// The number of visited parts.
  private(set) var visits = 0
  private let visitLimit: Int

  /// - Parameter visits: The largest number of visited parts. The comparison ends there.
  init(
    types: TypeFacts, hiding hidden: [ValuePathPattern] = [], hidesTypes: Bool = true, visits: Int = .max
  ) {
    self.types = types
    self.hidden = hidden
    self.hidesTypes = hidesTypes
    visitLimit = visits
  }

  /// The first different part; `nil` if there is none among the visited parts. Costs time linear in their number.
  mutating func firstDifference(_ old: Any, _ new: Any) -> Difference? {
    if let difference = enter([], old, new) { return difference }
    while let last = frames.indices.last, visits <= visitLimit {
      let frame = frames[last]
      if frame.next < frame.parts.count {
        frames[last].next += 1
        let part = frame.parts[frame.next]
        if let difference = enter(part.steps, part.old, part.new) { return difference }
      } else {
        if frame.isUnequal, frame.notNumbers == notNumbers { return difference([], frame.old, frame.new) }
        if let pair = frames.removeLast().objects { ancestors.remove(pair) }
      }
    }
    return nil
  }

  private mutating func enter(_ steps: [ValuePath.Component], _ old: Any, _ new: Any) -> Difference? {
    visits += 1
    let isEqual = types.isEqual(old, new)
    if isEqual == true || visits > visitLimit { return nil }
    guard type(of: old) == type(of: new) else { return difference(steps, old, new) }
    if hidesTypes, types.isHidden(old) {
      var sameness = Sameness(types: types, hidesTypes: false)
      return sameness.firstDifference(old, new) == nil ? nil : difference(steps, old, new)
    }
    var pair: ObjectPair?
    if let oldObject = Equality.identity(of: old), let newObject = Equality.identity(of: new) {
      let met = ObjectPair(old: oldObject, new: newObject)
      let isNew = objects.insert(met).inserted
      if oldObject == newObject || !isNew {
        // A cycle does not explain why `==` returned false.
        if isEqual == false, !ancestors.contains(met) { notNumbers += 1 }
        return nil
      }
      pair = met
    }
    let before = notNumbers
    switch examine(old, new, at: steps, isEqual: isEqual) {
    case .same: return nil
    case .different: return difference(steps, old, new)
    case .undecided(let parts, let isHidden):
      if let pair { ancestors.insert(pair) }
      frames.append(
        Frame(
          steps: steps, old: old, new: new, isUnequal: isEqual == false, hidesParts: isHidden, objects: pair,
          notNumbers: before, parts: parts))
      return nil
    }
  }

  private func difference(_ steps: [ValuePath.Component], _ old: Any, _ new: Any) -> Difference {
    let visible = frames.prefix { !$0.hidesParts }
    if visible.count < frames.count {
      let hiding = frames[visible.count]
      return difference(hiding.steps, hiding.old, hiding.new, in: visible)
    }
    return difference(steps, old, new, in: visible)
  }

  private func difference(
    _ steps: [ValuePath.Component], _ old: Any, _ new: Any, in frames: ArraySlice<Frame>
  ) -> Difference {
    let path = frames.flatMap(\.steps) + steps
    var otherNames: [Int: [ValuePath.Component]] = [:]
    if !hidden.isEmpty {
      // The values at each place of the path are the elements of the lists that it passes.
      var place = 0
      for (steps, old, new) in frames.map({ ($0.steps, $0.old, $0.new) }) + [(steps, old, new)] {
        place += steps.count
        guard case .index = steps.last else { continue }
        otherNames[place - 1] = [old, new].compactMap { ValuePath.Component.id(of: $0) }
      }
    }
    return Difference(path: path, otherNames: otherNames, old: old, new: new)
  }

  private mutating func examine(
    _ old: Any, _ new: Any, at steps: [ValuePath.Component], isEqual: Bool?
  ) -> Verdict {
    switch (ValueShape(old, types: types), ValueShape(new, types: types)) {
    case (.absent, .absent): return .same
    case (.present(let old), .present(let new)): return .undecided([([], old, new)])
    case (.fields(_, let old), .fields(_, let new)): return examine(fields: old, new)
    case (.enumeration(let oldCase, let old), .enumeration(let newCase, let new)) where oldCase == newCase:
      return examine(fields: old, new, of: oldCase)
    case (.sequence(let oldElements), .sequence(let newElements)):
      if (old as? any DirectlyComparable)?.sharesStorage(with: new) == true { return .same }
      guard oldElements.count == newElements.count else { return .different }
      return examine(sequences: oldElements.map(\.value), newElements.map(\.value))
    case (.set(let oldMembers), .set(let newMembers)):
      guard let (removed, added) = ValueShape.members(of: old, against: new) else {
        return examine(sequences: oldMembers.map(\.value), newMembers.map(\.value))
      }
      return removed.isEmpty && added.isEmpty ? .same : .different
    case (.dictionary(let oldPairs), .dictionary(let newPairs)):
      return examine(dictionaries: old, new, at: steps, oldPairs, newPairs)
    case (.leaf, .leaf):
      // Unequal values can have one description. Only values that are or contain a NaN are not equal to themselves.
      if isEqual == false, types.isEqual(old, old) == true { return .different }
      guard types.description(of: old) == types.description(of: new) else { return .different }
      if types.isShownByItsText(old) {
        if isEqual == false { notNumbers += 1 }
        return .same
      }
      guard let parts = RuntimeReflection.storedParts(old, new) else { return .different }
      return .undecided(parts.map { ([], $0.old, $0.new) }, isHidden: true)
    default: return .different
    }
  }

  private func examine(fields old: [ValueShape.Part], _ new: [ValueShape.Part], of enumCase: String? = nil) -> Verdict {
    guard let new = ValueShape.aligned(new, with: old) else { return .different }
    return .undecided(
      zip(old, new).map { old, new in
        ([enumCase, new.name].compactMap { $0 }.map { .field($0) }, old.value, new.value)
      })
  }

  private func examine(sequences old: [Any], _ new: [Any], isHidden: Bool = false) -> Verdict {
    guard old.count == new.count else { return .different }
    return .undecided(zip(old, new).enumerated().map { ([.index($0)], $1.0, $1.1) }, isHidden: isHidden)
  }

  private func examine(
    dictionaries old: Any, _ new: Any, at steps: [ValuePath.Component], _ oldPairs: Mirror.Children,
    _ newPairs: Mirror.Children
  ) -> Verdict {
    guard let pairs = ValueShape.pairs(of: old, against: new) else {
      // The path of such a pair would not contain its key, so the whole value is reported.
      return examine(sequences: ValueShape.pairs(of: oldPairs), ValueShape.pairs(of: newPairs), isHidden: true)
    }
    let path = ValuePath(frames.flatMap(\.steps) + steps)
    var parts: [Pair] = []
    for pair in pairs {
      guard let old = pair.old, let new = pair.new else { return .different }
      parts.append(([.key(SortedKeys.name(of: pair.key.base, hiding: hidden, at: path, types: types))], old, new))
    }
    return .undecided(parts)
  }
}
