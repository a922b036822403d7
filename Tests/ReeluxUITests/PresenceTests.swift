import Observation
import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Testing

/// Parts that are removed and added again before the main actor shows a state.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct PresenceTests {
  typealias View = MainActorStore<Shelf.Action, Shelf>

  private static func sheet(of view: View) -> MainActorStore<Shelf.SheetAction, Shelf.Sheet>? {
    view.projection(action: Shelf.Action.sheet, optional: \.sheet)
  }

  private static func row(_ id: Int, of view: View) -> MainActorStore<Shelf.FilmAction, Shelf.Film>? {
    view.projection(element: id, of: \.films, action: Shelf.Action.film)
  }

  @Test func aSheetThatWasOpenedAgainBetweenTwoTurnsHasAnotherStore() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.open(Shelf.Sheet(id: 1, text: "first")))
    let first = Self.sheet(of: view)
    let changes = Changes()
    changes.track("sheet") { Self.sheet(of: view) }
    shelf.dispatch(.close)
    shelf.dispatch(.open(Shelf.Sheet(id: 1, text: "second")))
    await changes.turn()
    #expect(changes.names == ["sheet"])
    #expect(first?.text == "first")
    #expect(Self.sheet(of: view) !== first)
    #expect(Self.sheet(of: view)?.text == "second")
  }

  @Test func aSheetWhoseIdentityChangedAndReturnedBetweenTwoTurnsHasAnotherStore() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.open(Shelf.Sheet(id: 1)))
    let first = Self.sheet(of: view)
    shelf.dispatch(.open(Shelf.Sheet(id: 2)))
    shelf.dispatch(.open(Shelf.Sheet(id: 1)))
    await Changes().turn()
    #expect(Self.sheet(of: view) !== first)
  }

  @Test func aSheetThatAnActionClosedAndOpenedHasAnotherStoreWhenSendReturns() {
    let view = MainActorStore(
      Shelf.store(
        middleware: Middleware { action, _, _ in
          if case .count = action { .send(.close) <> .send(.open(Shelf.Sheet(id: 1))) } else { .none }
        }))
    view.send(.open(Shelf.Sheet(id: 1)))
    let first = Self.sheet(of: view)
    view.send(.count(1))
    #expect(Self.sheet(of: view) !== first)
  }

  @Test func anActionOfASheetDoesNotReachTheOneThatIsNotShownYet() {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.open(Shelf.Sheet(id: 1)))
    let first = Self.sheet(of: view)
    shelf.dispatch(.close)
    shelf.dispatch(.open(Shelf.Sheet(id: 1, text: "second")))
    first?.send(.text("of the first"))
    #expect(shelf.state.sheet?.text == "second")
  }

  @Test func aDismissalDoesNotReachThePartThatIsNotShownYet() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.fail("first"))
    let alert = view.presentation(\.failure, dismiss: .fail(nil))
    #expect(alert.item == "first")
    shelf.dispatch(.fail(nil))
    shelf.dispatch(.fail("second"))
    alert.dismiss()
    #expect(shelf.state.failure == "second")
    await Changes().turn()
    alert.dismiss()
    #expect(shelf.state.failure == "second")
    #expect(alert.item == "second")
    alert.dismiss()
    #expect(shelf.state.failure == nil)
  }

  @Test func aChangeOfAPartBetweenTwoTurnsKeepsItsStore() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.open(Shelf.Sheet(id: 1)))
    let first = Self.sheet(of: view)
    shelf.dispatch(.sheet(.text("a")))
    shelf.dispatch(.open(Shelf.Sheet(id: 1, text: "b")))
    await Changes().turn()
    #expect(Self.sheet(of: view) === first)
    #expect(first?.text == "b")
  }

  @Test func aPartOfAProjectionIsNoticedToo() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    let whole = view.projection(action: { (action: Shelf.Action) in action }, state: \.self)
    view.send(.open(Shelf.Sheet(id: 1, note: "first")))
    let sheet = Self.sheet(of: whole)
    let note = sheet?.presentation(\.note, dismiss: .note(nil))
    #expect(note?.item == "first")
    shelf.dispatch(.sheet(.note(nil)))
    shelf.dispatch(.sheet(.note("second")))
    await Changes().turn()
    note?.dismiss()
    #expect(Self.sheet(of: whole) === sheet)
    #expect(shelf.state.sheet?.note == "second")
    shelf.dispatch(.close)
    shelf.dispatch(.open(Shelf.Sheet(id: 1)))
    await Changes().turn()
    #expect(Self.sheet(of: whole) !== sheet)
  }

  @Test func aSheetThatIsFirstReadWhenItIsClosedAlreadyDoesNotReachTheNextOne() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.open(Shelf.Sheet(id: 1, text: "first")))
    shelf.dispatch(.close)
    let first = Self.sheet(of: view)
    #expect(first?.text == "first")
    shelf.dispatch(.open(Shelf.Sheet(id: 1, text: "second")))
    first?.send(.text("of the first"))
    #expect(shelf.state.sheet?.text == "second")
    await Changes().turn()
    #expect(Self.sheet(of: view) !== first)
    #expect(Self.sheet(of: view)?.text == "second")
    #expect(first?.text == "first")
  }

  @Test func aRowThatIsFirstReadWhenItIsRemovedAlreadyDoesNotReachTheNextOne() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.films((0..<3).map { Shelf.Film(id: $0, note: "first") }))
    let before = Self.row(0, of: view)
    shelf.dispatch(.films([Shelf.Film(id: 0), Shelf.Film(id: 2)]))
    let rows = [1, 2].map { Self.row($0, of: view) }
    let note = rows[1]?.presentation(\.note, dismiss: .note(nil))
    #expect(note?.item == "first")
    shelf.dispatch(.films((0..<3).map { Shelf.Film(id: $0, title: "new", note: "second") }))
    for row in rows { row?.send(.title("sent")) }
    note?.dismiss()
    #expect(shelf.state.films.map(\.title) == ["new", "new", "sent"])
    #expect(shelf.state.films.map(\.note) == ["second", "second", "second"])
    await Changes().turn()
    #expect(Self.row(0, of: view) === before)
    #expect(Self.row(1, of: view) !== rows[0])
    #expect(Self.row(2, of: view) === rows[1])
    #expect(rows[0]?.title == "")
  }

  @Test func aRowThatWasRemovedAndAddedBetweenTwoTurnsHasAnotherStore() async {
    var state = Shelf()
    state.films = (0..<5).map { Shelf.Film(id: $0, title: "old") }
    let shelf = Shelf.store(state)
    let view = MainActorStore(shelf)
    let rows = (0..<5).map { Self.row($0, of: view) }
    let changes = Changes()
    for id in 0..<5 { changes.track("row \(id)") { Self.row(id, of: view)?.id } }
    shelf.dispatch(.films([0, 3, 2, 4].map { Shelf.Film(id: $0, title: "less") }))
    shelf.dispatch(.films((0..<5).map { Shelf.Film(id: $0, title: "new") }))
    rows[1]?.send(.title("of the removed row"))
    #expect(shelf.state.films[1].title == "new")
    await changes.turn()
    #expect(changes.names == ["row 1"])
    #expect(rows.map { $0?.title } == ["new", "old", "new", "new", "new"])
    #expect((0..<5).map { Self.row($0, of: view) === rows[$0] } == [true, false, true, true, true])
    #expect(Self.row(1, of: view)?.title == "new")
  }

  /// The removal of an element of a computed collection is not looked for between two turns.
  @Test func aRowOfARowOfAComputedCollectionThatIsFirstReadBeforeATurnSends() {
    struct Shelves: Sendable {
      var all = [Group(id: 1)]
      var count = 0
      var shown: [Group] { all }
    }
    struct Group: Sendable, Equatable, Identifiable {
      let id: Int
      var films = [Shelf.Film(id: 2)]
    }
    let shelves = Store(
      initialState: Shelves(),
      reducer: Reducer<String?, Shelves> { title, state in
        if let title { state.all[0].films[0].title = title } else { state.count += 1 }
      })
    let view = MainActorStore(shelves)
    shelves.dispatch(nil)
    let group = view.projection(element: 1, of: \.shown) { (action: ElementAction<Int, String>) in action.action }
    let film = group?.projection(element: 2, of: \.films) { (action: ElementAction<Int, String>) in action.action }
    film?.send("Metropolis")
    #expect(shelves.state.all[0].films[0].title == "Metropolis")
    #expect(film?.title == "Metropolis")
  }

  @Test func aRowAfterATimeWithoutRowsHasAnotherStoreAfterItsRemoval() {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.films([Shelf.Film(id: 1)]))
    _ = Self.row(1, of: view)
    view.send(.films([]))
    view.send(.films([Shelf.Film(id: 2)]))
    let row = Self.row(2, of: view)
    shelf.dispatch(.films([]))
    shelf.dispatch(.films([Shelf.Film(id: 2, title: "new")]))
    row?.send(.title("of the removed row"))
    #expect(shelf.state.films[0].title == "new")
  }

  @Test func theStoreOfARemovedRowOfAComputedCollectionDropsActions() {
    struct Shelves: Sendable {
      var all = [Shelf.Film(id: 1)]
      var shown: [Shelf.Film] { all }
    }
    // `nil` removes the row, or adds it again.
    let view = MainActorStore(
      Store(
        initialState: Shelves(),
        reducer: Reducer<String?, Shelves> { title, state in
          if let title { state.all[0].title = title } else { state.all = state.all.isEmpty ? Shelves().all : [] }
        }))
    let row = view.projection(element: 1, of: \.shown) { (action: ElementAction<Int, String>) in action.action }
    for _ in 1...2 { view.send(nil) }
    row?.send("late")
    #expect(view.all[0].title == "")
  }

  @Test func rowsThatStayAreNotInvalidatedByElementsAroundThem() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.films([Shelf.Film(id: 5)]))
    let row = Self.row(5, of: view)
    let changes = Changes()
    changes.track("row") { Self.row(5, of: view)?.title }
    for ids in [[4, 5], [4, 5, 6], [6, 5, 4], [5, 6], [5]] {
      shelf.dispatch(.films(ids.map { Shelf.Film(id: $0) }))
    }
    await changes.turn()
    #expect(changes.names == [])
    #expect(Self.row(5, of: view) === row)
  }

  @Test func aPartOfARowIsNoticedToo() async {
    var state = Shelf()
    state.films = [Shelf.Film(id: 0), Shelf.Film(id: 1, note: "first")]
    let shelf = Shelf.store(state)
    let view = MainActorStore(shelf)
    let note = Self.row(1, of: view)?.presentation(\.note, dismiss: .note(nil))
    #expect(note?.item == "first")
    shelf.dispatch(.film(ElementAction(1, .note(nil))))
    shelf.dispatch(.film(ElementAction(1, .note("second"))))
    await Changes().turn()
    note?.dismiss()
    #expect(shelf.state.films[1].note == "second")
  }

  @Test(arguments: [false, true])
  func aPartOfARowOfAComputedCollectionIsNoticedToo(isRowRemovedBefore: Bool) async {
    struct Shelves: Sendable {
      var all = [Shelf.Film(id: 1, note: "first")]
      var shown: [Shelf.Film] { all }
    }
    // `nil` removes the row, or adds it again.
    let shelves = Store(
      initialState: Shelves(),
      reducer: Reducer<Shelf.FilmAction?, Shelves> { action, state in
        switch action {
        case .note(let note): state.all[0].note = note
        case nil: state.all = state.all.isEmpty ? Shelves().all : []
        default: break
        }
      })
    let view = MainActorStore(shelves)
    let row = view.projection(element: 1, of: \.shown) { (action: ElementAction<Int, Shelf.FilmAction>) in action.action
    }
    let note = row?.presentation(\.note, dismiss: .note(nil))
    #expect(note?.item == "first")
    if isRowRemovedBefore {
      for _ in 1...2 { shelves.dispatch(nil) }
      await Changes().turn()
    }
    shelves.dispatch(.note(nil))
    shelves.dispatch(.note("second"))
    note?.dismiss()
    #expect(shelves.state.all[0].note == "second")
    await Changes().turn()
    note?.dismiss()
    #expect(shelves.state.all[0].note == "second")
  }

  @Test func aPartOfARowThatWasRemovedAndAddedWithAnEqualValueCanBeDismissed() async {
    var state = Shelf()
    state.films = [Shelf.Film(id: 1, note: "note")]
    let shelf = Shelf.store(state)
    let view = MainActorStore(shelf)
    let changes = Changes()
    let note = { Self.row(1, of: view)?.presentation(\.note, dismiss: .note(nil)) }
    changes.track("note") { note()?.item }
    shelf.dispatch(.film(ElementAction(1, .note(nil))))
    shelf.dispatch(.film(ElementAction(1, .note("note"))))
    await changes.turn()
    #expect(changes.names == ["note"])
    note()?.dismiss()
    #expect(shelf.state.films[0].note == nil)
  }

  @Test func sheetsMayComeAndGoDuringAFlood() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    let presentation = { view.presentation(\.sheet, dismiss: .close) }
    let flood = Task.detached {
      for number in 1...5_000 {
        shelf.dispatch(.open(Shelf.Sheet(id: number % 2, note: "note")))
        if number.isMultiple(of: 3) { shelf.dispatch(.sheet(.note(nil))) }
        if number.isMultiple(of: 5) { shelf.dispatch(.close) }
      }
    }
    for number in 0..<200 {
      let sheet = Self.sheet(of: view)
      _ = sheet?.presentation(\.note, dismiss: .note(nil)).item
      sheet?.send(.text("\(number)"))
      if number.isMultiple(of: 10) { presentation().dismiss() }
      await Task.yield()
    }
    await flood.value
    await shelf.settle()
    view.send(.open(Shelf.Sheet(id: 7)))
    let last = presentation()
    #expect(last.item?.id == 7)
    #expect(Self.sheet(of: view)?.id == 7)
    last.dismiss()
    #expect(shelf.state.sheet == nil)
  }

  @Test(.conformance(64)) func theStoreOfARemovedPartIsReleased() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    view.send(.open(Shelf.Sheet(id: 1)))
    view.send(.films([Shelf.Film(id: 1)]))
    let sheet = WeakReference(Self.sheet(of: view))
    let row = WeakReference(Self.row(1, of: view))
    #expect(sheet.object != nil && row.object != nil)
    view.send(.close)
    view.send(.films([]))
    #expect(sheet.object == nil)
    #expect(row.object == nil)
  }
}
