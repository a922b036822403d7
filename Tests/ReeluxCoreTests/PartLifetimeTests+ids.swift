import ReeluxTestSupport
import Testing

@testable import ReeluxCore

/// Elements whose actions change ids, and elements that keep theirs.
extension PartLifetimeTests {
  /// Rows that count how often an element is looked up.
  struct CountedRows: IdentifiedCollection, RandomAccessCollection, Sendable {
    var rows: [Row]
    let looks: Journal<Int>

    var startIndex: Int { rows.startIndex }
    var endIndex: Int { rows.endIndex }
    subscript(position: Int) -> Row {
      get { rows[position] }
      _modify { yield &rows[position] }
    }
    func index(id: Int) -> Int? {
      looks.write(id)
      return rows.firstIndex { $0.id == id }
    }
  }

  struct Table: Sendable {
    var rows: CountedRows
  }

  private func running<Action, State>(_ store: Store<Action, State>) -> Int { store.effects.running.count }

  @Test(.conformance(89)) func anActionOfAnElementLooksUpNoOtherElement() async {
    let (parts, looks) = (Parts(), Journal<Int>())
    let store = Store(
      initialState: Table(rows: CountedRows(rows: (0..<50).map { Row(id: $0) }, looks: looks)),
      feature: parts.feature.lift(action: Prism<ElementAction<Int, Local>, _>.identity, element: .byID(\Table.rows)))
    for id in 0..<50 { store.dispatch(ElementAction(id, .load)) }
    #expect(running(store) == 50)
    let before = looks.count
    store.dispatch(ElementAction(7, .answer("new")))
    #expect(store.state.rows.rows[7].answers == ["new"])
    #expect(Set(looks.entries.dropFirst(before)) == [7])
    parts.door.open()
    await store.settle()
    #expect(store.state.rows.rows.map(\.answers.count) == (0..<50).map { $0 == 7 ? 2 : 1 })
  }

  /// A lift by whose reducer a row gets another id.
  enum Rename: CaseIterable {
    case byID, byProperty, byIndex
  }

  @Test(.conformance(88), arguments: Rename.allCases)
  func theEffectsOfAnElementThatGetsAnotherIDEnd(by rename: Rename) async {
    struct NamedRow: Sendable, Identifiable {
      var id: Int
      var name: String
      var answers: [String] = []
    }
    enum Change: Sendable {
      case id(Int), load, answer(String)
    }
    let door = Door()
    let row = Feature<Change, NamedRow>(
      reducer: Reducer { action, row in
        switch action {
        case .id(let id): row.id = id
        case .answer(let text): row.answers.append(text)
        case .load: break
        }
      },
      middleware: Middleware { action, _, _ in
        guard case .load = action else { return .none }
        return .run { send in
          await door.pass()
          send(.answer("late"))
        }
      })
    enum Whole: Sendable {
      case id(ElementAction<Int, Change>), name(ElementAction<String, Change>), index(ElementAction<Int, Change>)
    }
    let store = Store(
      initialState: [NamedRow(id: 1, name: "a"), NamedRow(id: 2, name: "b")],
      feature: Feature<Whole, [NamedRow]> {
        row.lift(
          action: Prism(case: Whole.id) { if case .id(let it) = $0 { it } else { nil } }, element: .byID(\.self))
        Feature(reducer: row.reducer).lift(
          action: Prism(case: Whole.name) { if case .name(let it) = $0 { it } else { nil } },
          element: .byID(\.self, \.name))
        Feature(reducer: row.reducer).lift(
          action: Prism(case: Whole.index) { if case .index(let it) = $0 { it } else { nil } },
          element: .byIndex(\.self))
      })
    store.dispatch(.id(ElementAction(1, .load)))
    store.dispatch(.id(ElementAction(2, .load)))
    #expect(running(store) == 2)
    switch rename {
    case .byID: store.dispatch(.id(ElementAction(1, .id(5))))
    case .byProperty: store.dispatch(.name(ElementAction("a", .id(5))))
    case .byIndex: store.dispatch(.index(ElementAction(0, .id(5))))
    }
    #expect(running(store) == 1)
    // An element with the old id is another one.
    store.dispatch(.id(ElementAction(5, .id(1))))
    door.open()
    await store.settle()
    #expect(store.state.map(\.answers) == [[], ["late"]])
  }

  @Test(.conformance(88)) func anEffectOfEachElementEndsWhenAnIndexGivesItAnotherID() {
    let parts = Parts()
    let store = Store(
      initialState: [Row(id: 1), Row(id: 2)],
      feature: Feature<Action, [Row]> {
        parts.feature.lift(action: Self.sheet, each: \.self)
        Feature<Local, Row>(reducer: Reducer { _, row in row.id = 9 }).lift(action: Self.row, element: .byIndex(\.self))
      })
    store.dispatch(.sheet(.load))
    #expect(running(store) == 2)
    store.dispatch(.row(ElementAction(0, .tick)))
    #expect(running(store) == 1)
    parts.door.open()
  }
}
