import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

private struct Movie: Hashable, Identifiable {
  var id: String
  var year = 1931
}

private struct Row: Equatable {
  var title: String
  var seats: Int
  var isOpen = true
}

/// A type without `==`, which is compared only by structure.
private struct Loose {
  var name: String
  var size = 0
}

private func lines(_ old: Any, _ new: Any, budget: InspectionBudget = .standard) -> [String] {
  ValueDifference(from: old, to: new, budget: budget).changes.map(\.description)
}

@Suite(.conformance(73), .timeLimit(.minutes(15))) struct SequenceDifferenceTests {
  @Test func anAppendIsOneAddition() {
    #expect(lines([1, 2], [1, 2, 3]) == ["[2]: + 3"])
  }

  @Test func aRemovalInTheMiddleIsOneRemoval() {
    #expect(lines(["a", "b", "c"], ["a", "c"]) == [#"[1]: - "b""#])
  }

  @Test func anInsertionInTheMiddleIsOneAddition() {
    #expect(lines(Array(0..<1_000), Array(0..<500) + [-1] + Array(500..<1_000)) == ["[500]: + -1"])
  }

  @Test func aMoveByEqualityIsOneMove() {
    #expect(lines(["a", "b", "c", "d"], ["b", "c", "d", "a"]) == ["[3]: moved [0] → [3]"])
  }

  @Test func aMoveByIdentityIsOneMove() {
    let movies = ["a", "b", "c", "d", "e"].map { Movie(id: $0) }
    let moved = [movies[0], movies[4], movies[1], movies[2], movies[3]]
    #expect(lines(movies, moved) == ["[#e]: moved [4] → [1]"])
  }

  @Test func anElementThatMovesAndChangesReportsBoth() {
    let movies = ["a", "b", "c"].map { Movie(id: $0) }
    let changed = [Movie(id: "c", year: 1932), movies[0], movies[1]]
    #expect(lines(movies, changed) == ["[#c]: moved [2] → [0]", "[#c].year: 1931 → 1932"])
  }

  @Test func removalsAdditionsAndChangesByIdentityAreTold() {
    let old = ["a", "b", "c"].map { Movie(id: $0) }
    let new = [Movie(id: "a", year: 1), Movie(id: "x"), Movie(id: "c")]
    #expect(
      lines(old, new) == [
        #"[#b]: - Movie(id: "b", year: 1931)"#, "[#a].year: 1931 → 1", #"[#x]: + Movie(id: "x", year: 1931)"#,
      ])
  }

  @Test func oneFieldOfOneElementWithoutIdentityReportsJustThatPath() {
    let old = (0..<100).map { Row(title: "r\($0)", seats: $0) }
    var new = old
    new[57].seats = -1
    #expect(lines(old, new) == ["[57].seats: 57 → -1"])
  }

  @Test func aChangedElementIsRecognisedBesideAnInsertion() {
    let old = [Row(title: "a", seats: 1), Row(title: "b", seats: 2), Row(title: "c", seats: 3)]
    let new = [old[0], Row(title: "x", seats: 9, isOpen: false), Row(title: "b", seats: 20), old[2]]
    #expect(
      lines(old, new) == ["[2].seats: 2 → 20", #"[1]: + Row(title: "x", seats: 9, isOpen: false)"#])
  }

  @Test func elementsWithoutEqualityAreComparedByStructure() {
    let old = ["a", "b", "c"].map { Loose(name: $0) }
    let new = [Loose(name: "a"), Loose(name: "new"), Loose(name: "b"), Loose(name: "c", size: 2)]
    #expect(lines(old, new).contains(#"[1]: + Loose(name: "new", size: 0)"#))
    #expect(lines(old, new).contains("[3].size: 0 → 2"))
    #expect(lines(old, new).count == 2)
  }

  @Test func elementsWithTheSameIdAreComparedByEquality() {
    let movies = [1, 2, 3].map { Movie(id: "a", year: $0) }
    #expect(
      lines([movies[0], movies[1]], [movies[1], movies[2]])
        == [#"[0]: - Movie(id: "a", year: 1)"#, #"[1]: + Movie(id: "a", year: 3)"#])
  }

  @Test func aSequenceFarApartIsComparedByPositionAndEndsWithinTheBudget() {
    let old = Array(0..<50_000)
    let difference = ValueDifference(from: old, to: old.map { $0 + 1_000_000 })
    #expect(difference.changes.count == 100)
    #expect(difference.changes[0].description == "[0]: 0 → 1000000")
    #expect(difference.isTruncated)
  }

  @Test func emptyAndFullDifferByEveryElement() {
    #expect(lines([Int](), [1, 2]) == ["[0]: + 1", "[1]: + 2"])
    #expect(lines([1, 2], [Int]()) == ["[0]: - 1", "[1]: - 2"])
  }

  @Test(arguments: 0..<200) func theChangesOfRandomSequencesAccountForEveryElement(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let old = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...5, using: &random) }
    let new = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...5, using: &random) }
    var rest = old
    func take(_ text: String?) {
      guard let number = Int(text ?? ""), let place = rest.firstIndex(of: number) else {
        Issue.record("\(text ?? "nothing") is not in \(rest): \(old) to \(new)")
        return
      }
      rest.remove(at: place)
    }
    for change in ValueDifference(from: old, to: new).changes {
      guard case .index(let index)? = change.path.components.first else { continue }
      switch change.kind {
      case .added:
        #expect(change.new == "\(new[index])")
        rest.append(new[index])
      case .removed:
        #expect(change.old == "\(old[index])")
        take(change.old)
      case .moved:
        #expect(old[Int(change.old?.dropFirst().dropLast() ?? "") ?? 0] == new[index])
      case .changed:
        #expect(change.new == "\(new[index])")
        take(change.old)
        rest.append(new[index])
      }
    }
    #expect(rest.sorted() == new.sorted(), "\(old) to \(new)")
  }

  @Test(.conformance(107)) func anElementThatOthersPassIsNotReportedAtItsOldPosition() {
    let movies = ["a", "b", "c"].map { Movie(id: $0) }
    let changes = ValueDifference(from: movies, to: Array(movies.reversed())).changes
    #expect(!changes.isEmpty && changes.allSatisfy { $0.old != $0.new })
    let tags = ValueDifference(from: ["a", "b", "c"], to: ["c", "b", "a"]).changes
    #expect(!tags.isEmpty && tags.allSatisfy { $0.old != $0.new })
  }

  @Test(.conformance(108)) func anInsertionBetweenValuesThatAreNoNumbersIsOneAddition() {
    #expect(lines([Double.nan, .nan], [1, .nan, .nan]) == ["[0]: + 1.0"])
    let many = [Double](repeating: .nan, count: 300)
    #expect(lines(many, [1] + many) == ["[0]: + 1.0"])
    struct Point: Hashable { var x: Double }
    let points = many.map(Point.init)
    #expect(lines(points, [Point(x: 1)] + points) == ["[0]: + Point(x: 1.0)"])
  }
}
