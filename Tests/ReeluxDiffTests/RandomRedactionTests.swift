import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Random values and patterns. The names of each step to a text are the model: a text is shown unless a pattern matches
/// a beginning of its steps.
@Suite(.conformance(74), .timeLimit(.minutes(15))) struct RandomRedactionTests {
  private struct Record: CustomReflectable {
    var parts: [String: Any]
    var customMirror: Mirror {
      Mirror(self, children: parts.sorted { $0.key < $1.key }.map { ($0, $1) }, displayStyle: .struct)
    }
  }

  private struct Row: Identifiable {
    var id: String
    var value: Any
  }

  private enum Choice { case one(Any), named(x: Any) }

  /// The value before a change and after it, and the names of each step to its texts.
  private struct Tree {
    var old: Any
    var new: Any
    var leaves: [String: [Set<String>]] = [:]

    func wrapped(_ steps: Set<String>..., by wrap: (Any) -> Any) -> Tree {
      Tree(old: wrap(old), new: wrap(new), leaves: leaves.mapValues { steps + $0 })
    }

    static func list(_ trees: [Tree], _ wrap: ([Any]) -> Any) -> Tree {
      let leaves = trees.reduce(into: [:]) { $0.merge($1.leaves) { $1 } }
      return Tree(old: wrap(trees.map(\.old)), new: wrap(trees.map(\.new)), leaves: leaves)
    }
  }

  @Test func aTextIsShownUnlessAPatternMatchesABeginningOfItsPath() {
    for seed in 1...250 as ClosedRange<UInt64> {
      let random = SeededRandom(seed: seed)
      var count = 0
      let tree = Self.tree(random, &count, depth: 4)
      let patterns = (0...random.below(2)).map { _ in Self.pattern(random, tree) }
      let hidden = patterns.map { ValuePathPattern($0) }
      let redacted = tree.leaves.filter { leaf in patterns.contains { Self.matches($0, leaf.value) } }.keys
      let whole = InspectionBudget(depth: 100, changes: 10_000, textLength: 100_000, elements: 1_000)
      let text = ValueText.describing(tree.old, budget: whole, hiding: hidden)
      let change = ValueDifference(from: tree.old, to: tree.new, budget: whole, hiding: hidden).description
      for leaf in tree.leaves.keys {
        #expect(text.contains("old \(leaf)\"") != redacted.contains(leaf), "seed \(seed): \(patterns) in \(text)")
        #expect(change.contains("new \(leaf)\"") != redacted.contains(leaf), "seed \(seed): \(patterns) in \(change)")
      }
      for budget in [InspectionBudget(visits: 0), InspectionBudget(visits: 8), InspectionBudget(depth: 1)] {
        for new in [tree.new, [tree.new]] {
          let change = ValueDifference(from: tree.old, to: new, budget: budget, hiding: hidden).description
          let shown = redacted.filter { change.contains("old \($0)\"") }
          #expect(shown.isEmpty, "seed \(seed): \(patterns) in \(change)")
        }
      }
    }
  }

  private static let names = ["a", "token", "0", "i"]

  private static func tree(_ random: SeededRandom, _ count: inout Int, depth: Int) -> Tree {
    func parts() -> [(name: String, tree: Tree)] {
      names.filter { _ in random.below(2) == 0 }.map { ($0, tree(random, &count, depth: depth - 1)) }
    }
    switch depth == 0 ? 0 : random.below(8) {
    case 1, 2:
      let parts = parts()
      return Tree.list(parts.map { part in part.tree.wrapped([part.name]) { $0 } }) {
        Record(parts: Dictionary(uniqueKeysWithValues: zip(parts.map(\.name), $0)))
      }
    case 3:
      let parts = parts()
      return Tree.list(parts.map { part in part.tree.wrapped([part.name]) { $0 } }) {
        Dictionary(uniqueKeysWithValues: zip(parts.map(\.name), $0))
      }
    case 4:
      return Tree.list(
        parts().enumerated().map { position, part in
          part.tree.wrapped(["\(position)", part.name], ["value"]) { Row(id: part.name, value: $0) }
        }
      ) { $0.compactMap { $0 as? Row } }
    case 5: return Tree.list(parts().enumerated().map { place, part in part.tree.wrapped(["\(place)"]) { $0 } }) { $0 }
    case 6: return tree(random, &count, depth: depth - 1).wrapped(["one"]) { Choice.one($0) }
    case 7: return tree(random, &count, depth: depth - 1).wrapped(["named"], ["x"]) { Choice.named(x: $0) }
    default:
      count += 1
      return Tree(old: "old \(count)", new: "new \(count)", leaves: ["\(count)": []])
    }
  }

  /// A beginning of a path in the tree, with some steps replaced by stars.
  private static func pattern(_ random: SeededRandom, _ tree: Tree) -> String {
    let paths = tree.leaves.sorted { $0.key < $1.key }.map(\.value)
    guard !paths.isEmpty, case let path = paths[random.below(paths.count)], !path.isEmpty else { return "token" }
    var steps = path.prefix(1 + random.below(path.count)).map { names in
      random.below(4) == 0 ? "*" : names.sorted()[random.below(names.count)]
    }
    if random.below(3) == 0 { steps.insert("**", at: random.below(steps.count + 1)) }
    return steps.joined(separator: ".")
  }

  private static func matches(_ pattern: String, _ path: [Set<String>]) -> Bool {
    func matches(_ steps: ArraySlice<String>, _ path: ArraySlice<Set<String>>) -> Bool {
      guard let step = steps.first else { return true }
      if step == "**" { return (0...path.count).contains { matches(steps.dropFirst(), path.dropFirst($0)) } }
      guard let names = path.first, step == "*" || names.contains(step) else { return false }
      return matches(steps.dropFirst(), path.dropFirst())
    }
    let steps = pattern.split(separator: ".").map(String.init)
    return matches((steps.count == 1 ? ["**"] + steps : steps)[...], path[...])
  }
}

extension SeededRandom {
  fileprivate func below(_ limit: Int) -> Int { integer(in: 0...(limit - 1)) }
}
