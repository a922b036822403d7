import Foundation
import ReeluxDiff
import ReeluxTestSupport
import Testing

private enum Level: CustomStringConvertible {
  case low
  case high
  case custom(Int)
  var description: String { "a level" }
}

private enum Flag: String, CustomStringConvertible {
  case on, off
  var description: String { "flag" }
}

private struct Holder {
  var value: Any
}

private func changes(_ old: Any, _ new: Any, budget: InspectionBudget = .standard) -> [ValueChange] {
  ValueDifference(from: old, to: new, budget: budget).changes
}

@Suite(.conformance(107), .timeLimit(.minutes(15))) struct DistinctTextTests {
  @Test func casesWithOneDescriptionAreDifferent() {
    #expect(changes(Level.low, Level.high).map(\.description) == [".low → .high"])
    #expect(changes(Level.low, Level.custom(1)).map(\.description) == [".low → .custom(1)"])
    #expect(changes(Flag.on, Flag.off).map(\.description) == [".on → .off"])
    #expect(changes([Level.low], [Level.high]).map(\.description) == ["[0]: .low → .high"])
    #expect(ValueText.caseName(of: Level.high) == "high")
  }

  private static let pairs: [(String, any Sendable, any Sendable)] = {
    let long = String(repeating: "a", count: 1_000)
    let date = Date(timeIntervalSinceReferenceDate: 785_419_200)
    return [
      ("data", Data([1, 2, 3]), Data([1, 2, 4])),
      ("long data", Data(repeating: 7, count: 9_000), Data(repeating: 7, count: 8_999) + [8]),
      ("a date within a second", date, date.addingTimeInterval(0.000001)),
      (
        "a date before the reference date", Date(timeIntervalSinceReferenceDate: -0.5),
        Date(timeIntervalSinceReferenceDate: -0.25)
      ),
      ("intervals", DateInterval(start: date, duration: 1), DateInterval(start: date, duration: 1.25)),
      ("index sets", IndexSet([1, 2, 5]), IndexSet([1, 2, 6])),
      ("Int and UInt", 1, UInt(1)),
      ("Int and UInt in an array", [1 as any Sendable], [UInt(1) as any Sendable]),
      ("Float and Double", Float(1), 1.0),
      ("String and Substring", "a", "a"[...]),
      ("nested optionals", Int??.some(nil) as any Sendable, Int??.none as any Sendable),
      ("three optionals", Int???.some(.some(nil)) as any Sendable, Int???.some(nil) as any Sendable),
      ("strings that differ after the cut", long + "b", long + "c"),
      ("strings of two lengths", long, long + "a"),
      (
        "URLs that differ after the cut", URL(fileURLWithPath: "/" + long + "b"), URL(fileURLWithPath: "/" + long + "c")
      ),
      ("invisible characters", "a", "a\u{200b}"),
    ]
  }()

  @Test(arguments: pairs.indices) func noChangeShowsOneTextOnBothSides(position: Int) {
    let (name, old, new) = Self.pairs[position]
    for budget in [InspectionBudget.standard, InspectionBudget(textLength: 0), InspectionBudget(elements: 0)] {
      for (old, new) in [(old, new), (Holder(value: old), Holder(value: new)), ([old], [new])] as [(Any, Any)] {
        let changes = changes(old, new, budget: budget)
        #expect(!changes.isEmpty, "\(name)")
        for change in changes { #expect(change.old != change.new, "\(name)") }
      }
    }
  }

  @Test func theTextsSayWhatDiffers() {
    #expect(changes(Data([1, 255]), Data([1])).map(\.description) == ["2 bytes: 01 ff → 1 bytes: 01"])
    let date = Date(timeIntervalSinceReferenceDate: 785_419_200)
    #expect(
      changes(date, date.addingTimeInterval(0.25)).map(\.description)
        == ["2025-11-21 12:00:00 +0000 → 2025-11-21 12:00:00.25 +0000"])
    #expect(changes(1, UInt(1)).map(\.description) == ["Int(1) → UInt(1)"])
    #expect(changes(Int??.some(nil) as Any, Int??.none as Any).map(\.description) == [".some(nil) → nil"])
    #expect(changes(IndexSet([1]), IndexSet([2])).map(\.description) == ["ranges[0]: 1..<2 → 2..<3"])
    let change = changes(
      String(repeating: "a", count: 1_000) + "b", String(repeating: "a", count: 1_000) + "c",
      budget: InspectionBudget(textLength: 4))
    #expect(change.map(\.description) == [#"…aab" → …aac""#])
  }

  /// Foundation on Linux cannot describe such a date.
  @Test func datesThatAreNoNumberAreShownAndCountAsEqual() {
    let date = Date(timeIntervalSinceReferenceDate: 785_419_200)
    let none = Date(timeIntervalSinceReferenceDate: .nan)
    #expect(ValueText.describing([none]) == "[nan]")
    #expect(changes(date, none).map(\.description) == ["2025-11-21 12:00:00 +0000 → nan"])
    #expect(changes([none], [date]).map(\.description) == ["[0]: nan → 2025-11-21 12:00:00 +0000"])
    #expect(changes(none, none).isEmpty)
    #expect(changes(AnyHashable(none), AnyHashable(none)).isEmpty)
    #expect(changes(Holder(value: none), Holder(value: none)).isEmpty)
    let (far, farther) = (Date(timeIntervalSinceReferenceDate: 1e300), Date(timeIntervalSinceReferenceDate: 2e300))
    for change in changes(far, farther) { #expect(change.old != change.new) }
  }

  @Test func valuesThatOnlyTheirEqualityTellsApartAreReported() {
    struct Secret: Equatable, CustomReflectable, CustomStringConvertible {
      var number: Int
      var description: String { "secret" }
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    struct Catalog: Equatable, CustomReflectable {
      var titles: [String]
      var customMirror: Mirror { Mirror(self, children: ["count": titles.count], displayStyle: .struct) }
    }
    #expect(changes(Secret(number: 1), Secret(number: 2)).map(\.description) == ["secret → secret (not equal)"])
    #expect(
      changes(Catalog(titles: ["a"]), Catalog(titles: ["b"])).map(\.description)
        == ["Catalog(count: 1) → Catalog(count: 1) (not equal)"])
  }

  @Test func notANumberInAnEquatableValueIsNoDifference() {
    struct Point: Equatable { var x: Double }
    #expect(changes(Point(x: .nan), Point(x: .nan)).isEmpty)
    #expect(changes([Point(x: .nan)], [Point(x: .nan)]).isEmpty)
    let vector = SIMD2(Double.nan, 1)
    #expect(changes(vector, vector).isEmpty)
    #expect(changes([vector], [vector]).isEmpty)
    #expect(changes(CGPoint(x: Double.nan, y: 1), CGPoint(x: Double.nan, y: 1)).isEmpty)
    #expect(
      changes(vector, SIMD2(Double.nan, 2)).map(\.description)
        == ["SIMD2<Double>(nan, 1.0) → SIMD2<Double>(nan, 2.0)"])
  }

  @Test func aHiddenPartBesideNotANumberIsCompared() {
    struct Sealed: Equatable, CustomReflectable {
      var x = Double.nan
      var number: Int
      var customMirror: Mirror { Mirror(self, children: []) }
    }
    #expect(changes(Sealed(number: 1), Sealed(number: 1)).isEmpty)
    #expect(changes([Sealed(number: 1)], [Sealed(number: 1)]).isEmpty)
    #expect(changes(Sealed(number: 1), Sealed(number: 2)).count == 1)
    #expect(changes([Sealed(number: 1)], [Sealed(number: 2)]).count == 1)
  }

  @Test func oneObjectWithNotANumberIsNoDifference() {
    final class Point: Equatable {
      let x = Double.nan
      static func == (left: Point, right: Point) -> Bool { left.x == right.x }
    }
    struct Line: Equatable {
      let end: Point?
      var length = 1
    }
    let line = Line(end: Point())
    #expect(changes(line.end as Any, line.end as Any).isEmpty)
    #expect(changes([line], [line]).isEmpty)
    for budget in [InspectionBudget(), InspectionBudget(depth: 0), InspectionBudget(visits: 0)] {
      #expect(ValueDifference(from: [line, line], to: [line, line], budget: budget).isEmpty)
      #expect(!ValueDifference(from: [line], to: [Line(end: line.end, length: 2)], budget: budget).isEmpty)
    }
  }

  @Test func hiddenPartsStayHiddenWhereTextsAreMadeDifferent() {
    struct Login: Equatable {
      var user: String
      var password: String
    }
    let difference = ValueDifference(
      from: Login(user: "a", password: "one") as Any, to: Login(user: "a", password: "two") as Any,
      budget: InspectionBudget(depth: 0), hiding: ["password"])
    #expect(difference.changes.count == 1)
    #expect(!difference.description.contains("one") && !difference.description.contains("two"))
  }
}
