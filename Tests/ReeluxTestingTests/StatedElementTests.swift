import ReeluxCore
import ReeluxDiff
import ReeluxTesting
import ReeluxTestSupport
import Testing

/// Elements and members that a closure states, while the action adds, removes or moves others.
@Suite(.conformance(109), .timeLimit(.minutes(15))) struct StatedElementTests {
  private struct Row: Equatable, Identifiable, Sendable {
    var id: Int
    var title = ""
  }

  private struct Shelf: Equatable, Sendable {
    var rows = [Row(id: 0, title: "a"), Row(id: 1, title: "b")]
    var list = [1, 2, 3]
    var counts = ["k": 1]
    var sets: [String: Set<Int>] = ["k": [], "l": [7]]
    var setList: [Set<Int>] = [[1], [2]]
    var number = 0.0
  }

  /// The last lines of the failures of a test that sends one action and states `update`.
  private func failures(
    exhaustivity: Exhaustivity = .all.subtracting(.stateChanges), _ real: @escaping @Sendable (inout Shelf) -> Void,
    stated update: @escaping (inout Shelf) -> Void
  ) async -> [Substring] {
    let store = TestStore(
      initialState: Shelf(), reducer: Reducer<Int, Shelf> { _, state in real(&state) }, exhaustivity: exhaustivity)
    let messages = await capturingFailures { await store.send(1, update) }.map(\.message)
    return messages.map { $0.split(separator: "\n").last ?? "" }
  }

  @Test func anElementThatIsSetToItsOldValueIsComparedBesideAnAddedOne() async {
    let row = await failures {
      $0.rows[0].title = "new"
      $0.rows.append(Row(id: 5))
    } stated: {
      $0.rows[0].title = "a"
    }
    #expect(row == [#"  rows[#0].title: expected "a", is "new""#])
    let value = await failures {
      $0.counts = ["k": 2, "l": 3]
    } stated: {
      $0.counts["k"] = 1
    }
    #expect(value == ["  counts[k]: expected 1, is 2"])
  }

  @Test(arguments: [0, 1]) func aFieldIsComparedAndNotThePositionOfItsElement(row: Int) async {
    let right = await failures {
      $0.rows.swapAt(0, 1)
      $0.rows[1 - row].title = "x"
    } stated: {
      $0.rows[row].title = "x"
    }
    #expect(right == [])
    let wrong = await failures {
      $0.rows.swapAt(0, 1)
      $0.rows[1 - row].title = "x"
    } stated: {
      $0.rows[row].title = "y"
    }
    #expect(wrong == [#"  rows[#\#(row)].title: expected "y", is "x""#])
  }

  @Test func theOrderIsComparedIfTheClosureMovesElements() async {
    let wrong = await failures { _ in
    } stated: {
      $0.rows.swapAt(0, 1)
    }
    #expect(wrong.count == 1 && wrong[0].contains("expected at"))
  }

  @Test func aMemberOfASetInAnElementIsComparedAlone() async {
    #expect(await failures({ $0.sets["k"] = [1, 2] }, stated: { $0.sets["k"]?.insert(1) }) == [])
    #expect(await failures({ $0.setList = [[1, 5], [2, 6]] }, stated: { $0.setList[0].insert(5) }) == [])
    let wrong = await failures({ $0.sets["k"] = [2] }, stated: { $0.sets["k"]?.insert(1) })
    #expect(wrong == ["  sets[k]: missing 1"])
  }

  @Test func anElementOfAListIsComparedAtItsPosition() async {
    let wrong = await failures {
      $0.list = [5, 1, 2, 3]
    } stated: {
      $0.list[1] = 9
    }
    #expect(wrong == ["  list[1]: expected 9, is 1"])
    let right = await failures {
      $0.list = [5, 9, 2, 3]
    } stated: {
      $0.list[1] = 9
    }
    #expect(right == [])
  }

  @Test(arguments: [Exhaustivity.all, .all.subtracting(.stateChanges)])
  func aNaNIsEqualToANaNWithAnotherSign(exhaustivity: Exhaustivity) async {
    #expect(await failures(exhaustivity: exhaustivity, { $0.number = -Double.nan }, stated: { $0.number = .nan }) == [])
  }

  @Test(.conformance(68)) func anyPayloadIsReceivedByItsCase() async {
    enum Answer: Sendable { case go, any(any Sendable), twice(Int??) }
    let store = TestStore(
      initialState: 0, reducer: Reducer<Answer, Int> { _, _ in },
      middleware: Middleware { action, _, _ in
        if case .go = action { .merge(.send(.any(5)), .send(.twice(nil)), .send(.twice(.some(nil)))) } else { .none }
      })
    await store.send(.go)
    #expect(await store.receive(case: Answer.any) as? Int == 5)
    let first = await store.receive(case: Answer.twice)
    #expect(first == .some(.none))
    let second = await store.receive(case: Answer.twice)
    #expect(second == .some(.some(.none)))
  }
}
