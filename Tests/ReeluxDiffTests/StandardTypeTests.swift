import Foundation
import FoundationLookalike
import ReeluxDiff
import ReeluxTestSupport
import Testing

/// Types of the standard library and of Foundation that contain values of other types, or that look like it.
@Suite(.timeLimit(.minutes(15))) struct StandardTypeTests {
  /// A value whose description is the same for all values.
  private struct Secret: CustomStringConvertible, Sendable {
    var text: String
    var description: String { "Secret(\(text.isEmpty ? "" : "…"))" }
  }

  private struct Key: Hashable, Sendable {
    var text: String
  }

  private struct Word: Comparable, Sendable {
    var text: String
    static func < (left: Word, right: Word) -> Bool { left.text < right.text }
  }

  /// Wrappers of the standard library, each with a function that wraps a text.
  private static let wrappers: [(name: String, wrap: @Sendable (String) -> Any)] = [
    ("dictionary values", { ["a": Secret(text: $0)].values }), ("dictionary keys", { [Key(text: $0): 1].keys }),
    ("key-value pairs", { ["a": Secret(text: $0)] as KeyValuePairs }),
    ("one element", { CollectionOfOne(Secret(text: $0)) }),
    ("reversed", { [Secret(text: $0)].reversed() as ReversedCollection }),
    ("repeated", { repeatElement(Secret(text: $0), count: 2) }),
    ("slice", { Slice(base: [Secret(text: $0)], bounds: 0..<1) }),
    ("lazy", { [Secret(text: $0)].lazy.filter { _ in true } }),
    ("iterator", { [Secret(text: $0)].makeIterator() }), ("zipped", { zip([1], [Secret(text: $0)]) }),
    ("erased sequence", { AnySequence([Secret(text: $0)]) }), ("range", { Word(text: $0)..<Word(text: $0 + "z") }),
    ("partial range", { Word(text: $0)... }), ("result", { Result<Secret, Never>.success(Secret(text: $0)) }),
  ]

  @Test(.conformance(74), arguments: wrappers.indices) func contentOfAWrapperIsRedacted(index: Int) {
    let (name, wrap) = Self.wrappers[index]
    let inspector = ValueInspector(hiding: [], types: [Secret.self, Key.self, Word.self])
    let texts = [
      ValueText.describing(wrap("HUNTER"), hiding: ["**.text"]),
      ValueDifference(from: wrap("HUNTER"), to: wrap("HUNTER2"), hiding: ["**.text"]).description,
      inspector.text(of: wrap("HUNTER")), inspector.difference(from: wrap("HUNTER"), to: wrap("HUNTER2")).description,
    ]
    for text in texts {
      #expect(!text.contains("HUNTER"), "\(name): \(text)")
      #expect(text.contains(ValueText.redacted), "\(name): \(text)")
    }
  }

  @Test(arguments: wrappers.indices) func changedContentOfAWrapperIsADifference(index: Int) {
    let (name, wrap) = Self.wrappers[index]
    #expect(!ValueDifference(from: wrap("a"), to: wrap("b")).isEmpty, "\(name)")
    #expect(ValueDifference(from: wrap("a"), to: wrap("a")).isEmpty, "\(name)")
  }

  @Test(.conformance(74)) func keyOfKeyValuePairsCanBeRedacted() {
    let pairs: KeyValuePairs = ["user": "ada", "password": "HUNTER2"]
    #expect(ValueText.describing(pairs, hiding: ["password"]) == #"["user": "ada", "password": <redacted>]"#)
  }

  @Test(arguments: [InspectionBudget.standard, InspectionBudget(visits: 1)])
  func changedOrderOfKeyValuePairsIsADifference(budget: InspectionBudget) {
    let old: KeyValuePairs = ["a": 1, "b": 2]
    let new: KeyValuePairs = ["b": 2, "a": 1]
    let difference = ValueDifference(from: old, to: new, budget: budget)
    #expect(difference.changes.map(\.description) == [#"["a": 1, "b": 2] → ["b": 2, "a": 1]"#])
    #expect(ValueDifference(from: old, to: old, budget: budget).isEmpty)
  }

  @Test func changedPairIsNamedByItsKey() {
    let old: KeyValuePairs = ["b": 1, "a": 2, "c": 3]
    let new: KeyValuePairs = ["b": 1, "d": 4, "a": 5]
    #expect(ValueDifference(from: old, to: new).description == "[a]: 2 → 5\n[c]: - 3\n[d]: + 4")
  }

  @Test(.conformance(74), arguments: [InspectionBudget.standard, InspectionBudget(visits: 1)])
  func pairsWithEqualKeysCanBeRedacted(budget: InspectionBudget) {
    let old: KeyValuePairs = ["password": "one", "password": "HUNTER"]
    let new: KeyValuePairs = ["password": "one", "password": "HUNTER2"]
    let difference = ValueDifference(from: old, to: new, budget: budget, hiding: ["password"])
    #expect(difference.changes.count == 1)
    #expect(!difference.description.contains("HUNTER"))
    #expect(ValueDifference(from: old, to: old, budget: budget).isEmpty)
  }

  @Test func rangesOfScalarsAndKeyPathsAreShownByTheirDescription() {
    let texts = [1..<3, 0.5...1.5, "a"..."c", \Secret.text].map { (value: Any) in ValueText.describing(value) }
    #expect(texts.dropLast() == ["1..<3", "0.5...1.5", "a...c"])
    #expect(texts.last?.hasSuffix("Secret.text") == true)
  }

  @Test(.conformance(74)) func moduleWhoseNameBeginsWithFoundationIsNotFoundation() {
    let (old, new) = (LookalikeAccount(password: "one"), LookalikeAccount(password: "two"))
    #expect(ValueDifference(from: old, to: new).description == #"password: "one" → "two""#)
    #expect(
      ValueText.describing(new, hiding: ["password"]) == #"LookalikeAccount(name: "ada", password: <redacted>)"#)
  }

  private struct Grid { var cells: [3 of Int] = [1, 2, 3] }

  @Test func elementsOfAnInlineArrayAreCompared() {
    var grid = Grid()
    grid.cells[1] = 9
    #expect(ValueDifference(from: Grid(), to: grid).description == "cells[1]: 2 → 9")
    #expect(ValueText.describing(grid) == "Grid(cells: [1, 9, 3])")
  }

  @Test func changeBetweenNilInsideAnOptionalAndAValueHasBothTexts() {
    #expect(ValueDifference(from: Int??.some(nil) as Any, to: Int??.some(3) as Any).description == ".some(nil) → 3")
    #expect(ValueDifference(from: Int??.some(3) as Any, to: Int??.some(nil) as Any).description == "3 → .some(nil)")
    #expect(
      ValueDifference(from: Int???.some(.some(nil)) as Any, to: Int???.some(nil) as Any).description
        == ".some(.some(nil)) → .some(nil)")
  }

  private struct Failure: Hashable {
    var attempt = 1
    var error: NSError
  }

  private enum Status: Hashable {
    case failed(URLError)
    case done
  }

  /// On Linux, hashing one of these errors traps.
  @Test(.conformance(75)) func errorsOfFoundationInAListAreCompared() {
    let codes: [CocoaError.Code] = [.fileNoSuchFile, .fileReadCorruptFile, .fileWriteUnknown]
    let errors = codes.map { CocoaError($0) }
    let objects = codes.map { NSError(domain: "disk", code: $0.rawValue) }
    let lists: [[Any]] = [
      errors, objects, objects.map { Result<Int, NSError>.failure($0) }, objects.map { Failure(error: $0) },
      errors.map { [$0] }, errors.map { AnyHashable($0) }, errors.map { $0 as CocoaError? as Any },
      [Status.failed(URLError(.badURL)), Status.failed(URLError(.cancelled)), Status.done],
    ]
    for list in lists {
      #expect(ValueDifference(from: list, to: list).isEmpty)
      let (old, new) = (Array(list.prefix(2)), [list[1], list[2], list[0]])
      #expect(ValueDifference(from: old, to: Array(old.suffix(1))).changes.count == 1)
      #expect(!ValueDifference(from: old, to: new).isEmpty)
    }
  }
}
