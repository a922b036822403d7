import Foundation
import ReeluxDiff
import ReeluxTestSupport
import Testing

/// Facts that no other test checks, as deliberate defects have shown: see Scripts/reliability, `mutate`.
@Suite(.conformance(73), .timeLimit(.minutes(15))) struct RareDifferenceTests {
  private final class Node {
    var value: Int
    init(_ value: Int) { self.value = value }
  }

  @Test func objectsThatAreInTwoPlacesAreReportedInBoth() {
    let (old, new) = (Node(1), Node(2))
    let difference = ValueDifference(from: (left: old, right: old) as Any, to: (left: new, right: new) as Any)
    #expect(difference.changes.map(\.path.description) == ["left.value", "right.value"])
  }

  private struct Safe { var secret: Code }
  private struct Code { var number: Int }
  private struct Outer { var safe: Safe }

  @Test func aHiddenPartBehindTheBudgetIsNamedAndNotWhatIsInIt() {
    let difference = ValueDifference(
      from: Outer(safe: Safe(secret: Code(number: 1))) as Any, to: Outer(safe: Safe(secret: Code(number: 2))) as Any,
      budget: InspectionBudget(visits: 1), hiding: ["secret"])
    #expect(difference.changes.map(\.path.description) == ["safe.secret"])
    #expect(difference.changes.map(\.new) == [ValueText.redacted])
  }

  @Test(arguments: [(1, true), (2, false)]) func aDifferenceIsTruncatedOnlyBelowTheDepth(depth: Int, isTruncated: Bool)
  {
    let difference = ValueDifference(
      from: Safe(secret: Code(number: 1)) as Any, to: Safe(secret: Code(number: 2)) as Any,
      budget: InspectionBudget(depth: depth))
    #expect(difference.changes.count == 1)
    #expect(difference.isTruncated == isTruncated)
  }

  @Test func aValueOfARedactedTypeBehindTheBudgetIsRedacted() {
    let inspector = ValueInspector(budget: InspectionBudget(visits: 1), types: [Code.self])
    let difference = inspector.difference(
      from: Outer(safe: Safe(secret: Code(number: 1))), to: Outer(safe: Safe(secret: Code(number: 2))))
    #expect(difference.changes.map(\.path.description) == ["safe.secret"])
    #expect(difference.changes.map(\.new) == [ValueText.redacted])
  }

  /// A value that is not equal to itself, and contains an equal part without `==`.
  private struct Unequal<Part>: Equatable {
    let part: Part
    static func == (left: Unequal, right: Unequal) -> Bool { false }
  }

  @Test func equalPartsDoNotExplainThatValuesAreUnequal() {
    let node = Node(1)
    #expect(!ValueDifference(from: Unequal(part: node) as Any, to: Unequal(part: node) as Any).isEmpty)
    let type: Any.Type = Int.self
    #expect(!ValueDifference(from: Unequal(part: type) as Any, to: Unequal(part: type) as Any).isEmpty)
  }

  private struct Item: Identifiable, Equatable {
    var id: String
    var secrets: [String: String] = [:]
    var count = 1
  }

  @Test func anElementThatIsMovedToAnEndIsTheOnlyMove() {
    let (a, b, c) = (Item(id: "a"), Item(id: "b"), Item(id: "c"))
    for (order, moved) in [([b, c, a], "[#a]"), ([c, a, b], "[#c]")] {
      let changes = ValueDifference(from: [a, b, c], to: order).changes
      #expect(changes.map(\.path.description) == [moved])
      #expect(changes.map(\.kind) == [.moved])
    }
  }

  @Test(arguments: [("token", "hunter2"), ("secrets", "hunter2"), ("secrets", "token")])
  func anIDThatIsInARedactedDictionaryIsNotShown(hidden: String, id: String) {
    let old = Item(id: id, secrets: ["token": "hunter2"])
    var new = old
    new.count = 2
    let difference = ValueDifference(from: [old], to: [new], hiding: [ValuePathPattern(hidden)])
    #expect(difference.description == "[0].count: 1 → 2")
  }

  @Test func theIDOfAnElementNamesNoPartAfterItsList() {
    struct Shop { var items: [Item], other: Code }
    let old = Shop(items: [Item(id: "number")], other: Code(number: 1))
    let new = Shop(items: [Item(id: "number", count: 2)], other: Code(number: 2))
    let difference = ValueDifference(from: old as Any, to: new as Any, hiding: ["other.x", "other.0"])
    #expect(difference.changes.last?.description == "other.number: 1 → 2")
  }

  @Test func aSequenceThatIsComparedByPositionReportsItsAdditionsAndRemovals() {
    let budget = InspectionBudget(edits: 2)
    let longer = ValueDifference(from: Array(0..<5) as Any, to: Array(100..<112) as Any, budget: budget)
    #expect(longer.changes.map(\.kind).filter { $0 == .added }.count == 7)
    #expect(longer.changes.map(\.kind).filter { $0 == .changed }.count == 5)
    let shorter = ValueDifference(from: Array(100..<112) as Any, to: Array(0..<5) as Any, budget: budget)
    #expect(shorter.changes.map(\.kind).filter { $0 == .removed }.count == 7)
  }

  private struct Triple { var a: Int, b: Int, c: Int }

  @Test func elementsThatHaveLittleInCommonAreNotReplacements() {
    let difference = ValueDifference(
      from: [Triple(a: 1, b: 2, c: 3)] as Any,
      to: [Triple(a: 1, b: 9, c: 9), Triple(a: 8, b: 8, c: 8)] as Any)
    #expect(difference.changes.map(\.kind) == [.removed, .added, .added])
  }

  @Test func whatWasCutShortIsNotEmpty() {
    #expect(!ValueDifference(isTruncated: true).isEmpty)
    #expect(ValueDifference().isEmpty)
  }

  @Test func anOptionalOfNothingIsNotNothing() {
    #expect(ValueText.describing(Optional<Int?>.some(nil) as Any) == ".some(nil)")
    #expect(ValueText.describing(Optional<Int??>.some(.some(nil)) as Any) == ".some(.some(nil))")
    #expect(ValueText.describing(Optional<Int?>.none as Any) == "nil")
    #expect(ValueText.describing(Optional<Int?>.some(3) as Any) == "3")
  }

  @Test func anErasedOptionalThatIsNilEqualsItself() {
    struct Holder { var value: Any? }
    let (absent, other) = (Holder(value: Int??.none as Any), Holder(value: Int??.some(nil) as Any))
    #expect(ValueDifference(from: absent, to: absent).changes == [])
    #expect(ValueDifference(from: absent, to: other).changes.count == 1)
  }

  /// A metatype takes no memory in a struct.
  @Test func propertiesBesideAMetatypeAreCompared() {
    struct Screen { var title = "" }
    struct Route {
      var screen: Screen.Type = Screen.self
      var count = 0
      var last: Screen.Type = Screen.self
    }
    var new = Route()
    new.count = 1
    #expect(ValueDifference(from: Route(), to: new).changes.map(\.description) == ["count: 0 → 1"])
    #expect(ValueText.describing(Route()).hasPrefix("Route(screen: "))
    #expect(ValueDifference(from: [Route()], to: [new]).changes.map(\.description) == ["[0].count: 0 → 1"])
  }

  /// The runtime lists no members of a union.
  @Test func unionsOfCAreComparedByTheirBytes() {
    var new = in6_addr()
    unsafe withUnsafeMutableBytes(of: &new) { unsafe $0[0] = 1 }
    #expect(ValueDifference(from: in6_addr(), to: in6_addr()).isEmpty)
    #expect(ValueDifference(from: in6_addr(), to: new).changes.count == 1)
  }

  @Test func datesWithinASecondAreDifferentBehindTheBudget() {
    struct Event { var date: Date }
    let date = Date(timeIntervalSinceReferenceDate: 785_419_200)
    let (old, new) = (Event(date: date), Event(date: date.addingTimeInterval(0.25)))
    let budget = InspectionBudget(depth: 0)
    #expect(ValueDifference(from: [old], to: [new], budget: budget).changes.count == 1)
  }
}
