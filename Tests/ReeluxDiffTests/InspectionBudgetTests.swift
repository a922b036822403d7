import ReeluxDiff
import ReeluxTestSupport
import Testing

private final class Node {
  var name: String
  var next: Node?
  init(_ name: String) { self.name = name }
}

private indirect enum Chain {
  case end
  case link(Int, Chain)

  static func of(_ count: Int, last: Int) -> Chain {
    (0..<count).reduce(.link(last, .end)) { .link($1, $0) }
  }
}

@Suite(.conformance(73)) struct InspectionBudgetTests {
  @Test func cyclesOfReferencesEnd() {
    func ring(_ name: String) -> Node {
      let (first, second) = (Node("first"), Node(name))
      first.next = second
      second.next = first
      return first
    }
    let (old, new) = (ring("second"), ring("other"))
    let difference = ValueDifference(from: old, to: new)
    #expect(difference.changes.map(\.description) == [#"next.name: "second" → "other""#])
    #expect(ValueText.describing(old) == #"Node(name: "first", next: Node(name: "second", next: Node(↺)))"#)
    old.next?.next = nil
    new.next?.next = nil
  }

  @Test func theSameObjectIsNotLookedInto() {
    let node = Node("same")
    #expect(ValueDifference(from: node, to: node).isEmpty)
  }

  @Test func veryDeepValuesEndAndAreMarkedAsTruncated() {
    let difference = ValueDifference(from: Chain.of(5_000, last: 1), to: Chain.of(5_000, last: 2))
    #expect(difference.isTruncated)
    #expect(difference.changes.isEmpty)
    #expect(!difference.isEmpty)
    #expect(ValueText.describing(Chain.of(5_000, last: 1)).count <= 201)
  }

  @Test func changesBeyondTheLimitAreLeftOutAndSaidSo() {
    let old = Dictionary(uniqueKeysWithValues: (0..<50).map { ($0, 0) })
    let difference = ValueDifference(
      from: old, to: old.mapValues { $0 + 1 }, budget: InspectionBudget(changes: 10))
    #expect(difference.changes.count == 10)
    #expect(difference.isTruncated)
    #expect(difference.description.hasSuffix("\n…"))
  }

  @Test func visitsBeyondTheLimitAreLeftOutAndSaidSo() {
    struct Loose { var value: Int }
    let old = (0..<1_000).map(Loose.init)
    let new = (1..<1_001).map(Loose.init)
    let difference = ValueDifference(from: (old, 1), to: (new, 2), budget: InspectionBudget(visits: 100, edits: 4))
    #expect(difference.isTruncated)
  }

  @Test func oneChangeMoreThanTheLimitIsNotSilent() {
    let difference = ValueDifference(from: [1, 2], to: [3, 4], budget: InspectionBudget(changes: 1))
    #expect(difference.changes.count == 1)
    #expect(difference.isTruncated)
  }

  @Test func negativeLimitsCountAsZero() {
    let difference = ValueDifference(
      from: [1], to: [2, 3],
      budget: InspectionBudget(depth: -1, visits: -1, changes: -1, textLength: -1, elements: -1, edits: -1))
    #expect(difference.isTruncated)
  }
}
