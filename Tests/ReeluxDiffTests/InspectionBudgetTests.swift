import Foundation
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

@Suite(.conformance(73), .timeLimit(.minutes(15))) struct InspectionBudgetTests {
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

  @Test func cyclesThroughErasedReferencesEnd() {
    final class Item: Hashable {
      var next: AnyHashable?
      static func == (left: Item, right: Item) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    let (old, new) = (Item(), Item())
    old.next = AnyHashable(old)
    new.next = AnyHashable(new)
    for budget in [InspectionBudget.standard, InspectionBudget(depth: 1), InspectionBudget(visits: 1)] {
      #expect(ValueDifference(from: old as Any, to: new as Any, budget: budget).changes.count == 1)
      #expect(ValueDifference(from: old as Any, to: old as Any, budget: budget).isEmpty)
    }
    old.next = nil
    new.next = nil
  }

  /// Threads of some systems have a stack of 512 kB.
  @Test(arguments: [20, 60, 1_000]) func nestedListsOfAnyDepthNeedASmallStack(depth: Int) async {
    struct Comment: Sendable {
      var replies: [Comment] = []
      var likes = 0

      static func chain(_ depth: Int, likes: Int) -> Comment {
        (0..<depth).reduce(Comment(likes: likes)) { comment, _ in Comment(replies: [comment]) }
      }
    }
    let changes = await withCheckedContinuation { continuation in
      let thread = Thread {
        let difference = ValueDifference(from: Comment.chain(depth, likes: 1), to: Comment.chain(depth, likes: 2))
        continuation.resume(returning: difference.changes)
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(changes.count == 1)
    #expect(changes.first?.new != changes.first?.old)
  }

  @Test func theSameObjectIsNotLookedInto() {
    let node = Node("same")
    #expect(ValueDifference(from: node, to: node).isEmpty)
  }

  @Test func veryDeepValuesEndAndAreMarkedAsTruncated() {
    let difference = ValueDifference(from: Chain.of(5_000, last: 1), to: Chain.of(5_000, last: 2))
    #expect(difference.isTruncated)
    #expect(difference.changes.count == 1)
    #expect(difference.description.hasSuffix(".…: 1 → 2\n…"))
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

  /// A list of earlier states, as for undo: the states are long and equatable, and differ in one part only.
  @Test func aShiftedListOfLongStatesFitsIntoTheBudget() {
    struct Item: Equatable {
      var title = ""
      var count = 0
    }
    struct State: Equatable { var items: [Item] }
    let states = (0...100).map { number in
      State(items: (0..<100).map { Item(count: $0 == 99 ? number : 0) })
    }
    let difference = ValueDifference(from: Array(states[0..<100]), to: Array(states[1...100]))
    #expect(!difference.isTruncated)
    #expect(difference.changes.map(\.kind) == [.removed, .added])
    #expect(difference.changes.map(\.path.description) == ["[0]", "[99]"])
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

  @Test(.conformance(108)) func equalValuesAreEqualWhateverTheBudget() {
    struct Loose { var value: Int }
    let values: [(Any, Any)] = [
      (Chain.of(10_000, last: 1), Chain.of(10_000, last: 1)),
      ((0..<2_000).map(Loose.init), (0..<2_000).map(Loose.init)),
      (["a": Loose(value: 1)], ["a": Loose(value: 1)]),
      ((Loose(value: 1), Set([1, 2]), Double.nan), (Loose(value: 1), Set([2, 1]), Double.nan)),
    ]
    let budgets = [
      InspectionBudget.standard, InspectionBudget(visits: 10), InspectionBudget(depth: 0),
      InspectionBudget(depth: 0, visits: 0, changes: 0, textLength: 0, elements: 0, edits: 0),
    ]
    for (old, new) in values {
      for budget in budgets {
        let difference = ValueDifference(from: old, to: new, budget: budget)
        #expect(difference.isEmpty && !difference.isTruncated)
      }
    }
  }

  @Test(.conformance(108)) func aDifferenceBehindTheBudgetIsFound() {
    struct Loose { var value: Int }
    let old = (0..<1_000).map(Loose.init)
    var new = old
    new[900].value = -1
    let difference = ValueDifference(from: (old, 1), to: (new, 1), budget: InspectionBudget(visits: 100))
    #expect(difference.changes.map(\.description) == ["0[900].value: 900 → -1"])
    #expect(difference.isTruncated)
    let cyclic = Node("a")
    cyclic.next = cyclic
    let other = Node("a")
    other.next = Node("a")
    other.next?.next = other
    #expect(ValueDifference(from: cyclic, to: other, budget: InspectionBudget(visits: 1)).isEmpty)
    cyclic.next = nil
    other.next = nil
  }

  @Test(.conformance(108)) func anObjectInACycleEqualsOnlyItself() {
    final class Item: Equatable {
      var me: Item?
      static func == (left: Item, right: Item) -> Bool { left === right }
    }
    struct Row { var item: Item }
    let items = [Item(), Item()]
    for item in items { item.me = item }
    let rows = items.map(Row.init)
    for budget in [InspectionBudget.standard, InspectionBudget(depth: 1), InspectionBudget(visits: 1)] {
      #expect(ValueDifference(from: rows[0], to: rows[1], budget: budget).changes.count == 1)
      #expect(ValueDifference(from: [rows[0]], to: [rows[1]], budget: budget).changes.count == 1)
      #expect(ValueDifference(from: [rows[0]], to: [rows[0]], budget: budget).isEmpty)
    }
    for item in items { item.me = nil }
  }

  @Test(.conformance(108)) func noKindOfDifferenceBehindTheBudgetIsLost() {
    struct Loose { var value: Any }
    struct Sized: Equatable, CustomReflectable {
      var titles: [String]
      var customMirror: Mirror { Mirror(self, children: ["count": titles.count], displayStyle: .struct) }
    }
    struct Open: CustomReflectable {
      var parts: KeyValuePairs<String, Any>
      var customMirror: Mirror { Mirror(self, children: parts, displayStyle: .struct) }
    }
    let pairs: [(Any, Any)] = [
      ([Loose(value: 1)], [Loose(value: 1), Loose(value: 2)]),
      ([Loose(value: 1), Loose(value: 2)], [Loose(value: 1)]),
      (Sized(titles: ["a"]), Sized(titles: ["b"])),
      (Set([1]), Set([1, 2])), (Set([1, 2]), Set([1])),
      (["a": Loose(value: 1)], ["a": Loose(value: 1), "b": Loose(value: 2)]),
      (["a": Loose(value: 1), "b": Loose(value: 2)], ["a": Loose(value: 1)]),
      (Open(parts: ["a": 1]), Open(parts: ["a": 1, "b": 2])),
      (Int??.some(nil) as Any, Int??.none as Any),
      (Chain.end, Chain.link(1, .end)), (1, UInt(1)),
    ]
    for (old, new) in pairs {
      for budget in [InspectionBudget.standard, InspectionBudget(visits: 0), InspectionBudget(depth: 1)] {
        #expect(!ValueDifference(from: Loose(value: old), to: Loose(value: new), budget: budget).isEmpty)
        #expect(ValueDifference(from: Loose(value: old), to: Loose(value: old), budget: budget).isEmpty)
      }
    }
  }

  @Test(.conformance(108)) func whatTheBudgetDoesNotReachStaysHidden() {
    indirect enum Nested {
      case leaf(password: String)
      case inner(Nested)
    }
    let old = Nested.inner(.inner(.leaf(password: "one")))
    let new = Nested.inner(.inner(.leaf(password: "two")))
    for hidden in ["password", "leaf.password", "**.leaf.password"] as [ValuePathPattern] {
      let difference = ValueDifference(from: old, to: new, budget: InspectionBudget(depth: 1), hiding: [hidden])
      #expect(!difference.isEmpty)
      if hidden.description != "leaf.password" { #expect(!difference.description.contains("one")) }
    }
  }

  @Test(.conformance(108)) func aDifferenceBelowTheDepthInsideOfAListIsFound() {
    struct Style { var value: Int }
    struct Row { var style: Style }
    func row(_ value: Int) -> Row { Row(style: Style(value: value)) }
    let shallow = InspectionBudget(depth: 1)
    let change = ValueDifference(from: [row(1)], to: [row(2)], budget: shallow)
    #expect(!change.isEmpty && change.isTruncated)
    #expect(ValueDifference(from: [row(1)], to: [row(1)], budget: shallow).isEmpty)
    #expect(!ValueDifference(from: [row(1), row(2)], to: [row(2), row(1)], budget: shallow).isEmpty)
    #expect(!ValueDifference(from: [row(1)], to: [row(2)], budget: shallow, hiding: ["style"]).isEmpty)
    #expect(!ValueDifference(from: [Chain.of(40, last: 1)], to: [Chain.of(40, last: 2)]).isEmpty)
    #expect(ValueDifference(from: [Chain.of(40, last: 1)], to: [Chain.of(40, last: 1)]).isEmpty)
  }

  @Test func limitsThatAreSetLaterAreCorrectedToo() {
    var budget = InspectionBudget()
    budget.depth = -1
    budget.visits = -1
    budget.changes = -1
    budget.textLength = -1
    budget.elements = -1
    budget.edits = -1
    #expect(budget == InspectionBudget(depth: 0, visits: 0, changes: 0, textLength: 0, elements: 0, edits: 0))
    #expect(!ValueDifference(from: 1 as Any, to: 2 as Any, budget: budget).isEmpty)
    #expect(!ValueDifference(from: [1], to: [2, 3], budget: budget).isEmpty)
  }

  @Test func theDepthHasALimit() {
    var budget = InspectionBudget(depth: .max)
    #expect(budget.depth == InspectionBudget(depth: 100_000).depth)
    budget.depth = 100_000
    #expect(budget == InspectionBudget(depth: .max))
    let difference = ValueDifference(from: Chain.of(5_000, last: 1), to: Chain.of(5_000, last: 2), budget: budget)
    #expect(difference.changes.count == 1)
    #expect(ValueText.describing(Chain.of(5_000, last: 1), budget: budget).count <= 201)
  }
}
