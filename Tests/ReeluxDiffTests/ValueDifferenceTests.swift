import ReeluxDiff
import ReeluxTestSupport
import Testing

private struct Movie: Hashable, Identifiable {
  var id: Int
  var title: String
  var year = 1931
}

private struct Row: Equatable {
  var title: String
  var seats: Int
  var isOpen = true
}

private enum Phase {
  case idle
  case loading(progress: Double)
  case failed(String)
}

private struct Library {
  var movies: [Movie] = []
  var favorites: Set<String> = []
  var ratings: [String: Int] = [:]
  var phase = Phase.idle
  var selected: Int?
  var note: String?
}

private func lines(_ old: Any, _ new: Any, budget: InspectionBudget = .standard) -> [String] {
  ValueDifference(from: old, to: new, budget: budget).changes.map(\.description)
}

@Suite(.conformance(73), .timeLimit(.minutes(15))) struct ValueDifferenceTests {
  @Test func oneChangedFieldReportsJustThatPath() {
    var library = Library(movies: [Movie(id: 1, title: "M")], ratings: ["M": 4])
    let before = library
    library.movies[0].year = 1932
    #expect(lines(before, library) == ["movies[#1].year: 1931 → 1932"])
  }

  @Test func equalValuesAreAskedForEqualityAndNotLookedInto() {
    struct Opaque: Equatable, CustomReflectable {
      static func == (left: Opaque, right: Opaque) -> Bool { true }
      var customMirror: Mirror {
        Issue.record("was looked into")
        return Mirror(self, children: [:])
      }
    }
    #expect(ValueDifference(from: Opaque(), to: Opaque()).isEmpty)
    #expect(ValueDifference(from: [Opaque()] as Any, to: [Opaque()] as Any).isEmpty)
  }

  @Test func structurallyEqualValuesWithoutEqualityHaveNoDifference() {
    let library = Library(movies: [Movie(id: 1, title: "M")], favorites: ["a", "b"], ratings: ["x": 1])
    #expect(ValueDifference(from: library, to: library).isEmpty)
  }

  @Test func anEnumCaseChangeNamesBothSides() {
    #expect(lines(Phase.idle, Phase.failed("offline")) == [#".idle → .failed("offline")"#])
    #expect(
      lines(Library(), Library(phase: .loading(progress: 0.5))) == ["phase: .idle → .loading(progress: 0.5)"])
  }

  @Test func aChangeInsideTheSameCaseReportsThePayload() {
    #expect(
      lines(Phase.loading(progress: 0.25), Phase.loading(progress: 0.5)) == ["loading.progress: 0.25 → 0.5"])
    #expect(lines(Phase.failed("a"), Phase.failed("b")) == [#"failed: "a" → "b""#])
  }

  @Test func aNilTransitionNamesBothSides() {
    #expect(lines(Library(), Library(selected: 3)) == ["selected: nil → 3"])
    #expect(lines(Library(note: "x"), Library()) == [#"note: "x" → nil"#])
    #expect(lines(Library(selected: 3), Library(selected: 4)) == ["selected: 3 → 4"])
  }

  @Test func dictionariesAreComparedByKeyInTheOrderOfTheirTexts() {
    let old = ["b": 1, "a": 1, "gone": 9, "same": 0]
    let new = ["a": 2, "b": 2, "new": 7, "same": 0]
    #expect(lines(old, new) == ["[a]: 1 → 2", "[b]: 1 → 2", "[gone]: - 9", "[new]: + 7"])
  }

  @Test func dictionariesOfValuesWithoutEqualityAreComparedByKey() {
    struct Loose { var value: Int }
    let old = ["a": Loose(value: 1), "b": Loose(value: 1), "gone": Loose(value: 9)]
    let new = ["a": Loose(value: 1), "b": Loose(value: 2), "new": Loose(value: 7)]
    #expect(
      lines(old, new) == ["[b].value: 1 → 2", "[gone]: - Loose(value: 9)", "[new]: + Loose(value: 7)"])
    #expect(lines(new, new).isEmpty)
  }

  @Test func numericKeysAreInTheOrderOfTheirValues() {
    let old = Dictionary(uniqueKeysWithValues: (1...12).map { ($0, 0) })
    let new = old.mapValues { _ in 1 }
    #expect(lines(old, new).map { String($0.prefix { $0 != ":" }) } == (1...12).map { "[\($0)]" })
  }

  @Test func keysWithOneCutTextAreInTheOrderOfTheirWholeTexts() {
    struct Key: Hashable { var text: String }
    let keys = (0..<8).map { Key(text: "a long key \($0)") }
    let old = Dictionary(uniqueKeysWithValues: zip(keys, 0..<8))
    let budget = InspectionBudget(textLength: 10)
    let changes = ValueDifference(from: old, to: old.mapValues { $0 + 10 }, budget: budget).changes
    #expect(changes.map(\.old) == (0..<8).map { "\($0)" })
  }

  @Test(arguments: 0..<20) func setsAndDictionariesDoNotDependOnHashOrder(seed: Int) {
    let words = (0..<50).map { "w\($0 * 7919 + seed)" }
    let set = Set(words)
    let reserved = Set<String>(minimumCapacity: 1 << (seed % 12)).union(words.reversed())
    #expect(ValueDifference(from: set as Any, to: reserved as Any).isEmpty)
    #expect(ValueText.describing(set) == ValueText.describing(reserved))
    var grown = reserved
    grown.remove(words[3])
    grown.insert("added")
    #expect(lines(set, grown) == [#"- "\#(words[3])""#, #"+ "added""#])
  }

  @Test func partsOfDifferentTypesAreNamedOnBothSides() {
    #expect(lines([1 as Any], ["1" as Any]) == [#"[0]: 1 → "1""#])
  }

  @Test func partsThatAreNilOfDifferentTypesAreDifferent() {
    #expect(lines(Int?.none as Any, String?.none as Any) == ["Optional<Int>(nil) → Optional<String>(nil)"])
    #expect(lines(Int?.some(1) as Any, 1) == ["Optional<Int>(1) → Int(1)"])
    #expect(lines(1, Int?.some(1) as Any) == ["Int(1) → Optional<Int>(1)"])
  }

  @Test func anObjectThatEqualsOneOfASubclassIsTheSame() {
    class Shape: Equatable {
      static func == (left: Shape, right: Shape) -> Bool { true }
    }
    final class Circle: Shape {}
    #expect(lines(Shape(), Circle()) == [])
    #expect(lines(Circle(), Shape()) == [])
    #expect(lines([Shape()], [Circle()] as [Shape]) == [])
  }

  @Test func notANumberIsTheSameAsItself() {
    #expect(ValueDifference(from: (1, Double.nan) as Any, to: (1, Double.nan) as Any).isEmpty)
  }

  @Test func unequalValuesOfTheSameTextAreReported() {
    struct Token: Equatable, CustomReflectable {
      var secret: Int
      var customMirror: Mirror { Mirror(reflecting: "token") }
    }
    #expect(!ValueDifference(from: Token(secret: 1), to: Token(secret: 2)).isEmpty)
  }

  @Test func fieldsOfSuperclassesAreCompared() {
    class Base { var count = 1 }
    class Derived: Base { var name = "a" }
    let changed = Derived()
    changed.count = 2
    changed.name = "b"
    #expect(lines(Derived(), changed) == ["count: 1 → 2", #"name: "a" → "b""#])
  }
}
