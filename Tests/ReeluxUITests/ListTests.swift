import Observation
import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Synchronization
import Testing

/// Rows of a list.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ListTests {
  typealias Row = MainActorStore<Shelf.FilmAction, Shelf.Film>

  static func view(_ count: Int) -> MainActorStore<Shelf.Action, Shelf> {
    var shelf = Shelf()
    shelf.films = (0..<count).map { Shelf.Film(id: $0, title: "film \($0)") }
    return MainActorStore(Shelf.store(shelf))
  }

  static func row(_ id: Int, of view: MainActorStore<Shelf.Action, Shelf>) -> Row? {
    view.projection(element: id, of: \.films, action: Shelf.Action.film)
  }

  @Test func aRowOfTenThousandIsInvalidatedOnlyByItsOwnChange() {
    let view = Self.view(10_000)
    let changes = Changes()
    for id in view.elementIDs(of: \.films) {
      changes.track("row \(id)") { Self.row(id, of: view)?.title }
    }
    changes.track("list") { view.elementIDs(of: \.films) }
    view.send(.film(ElementAction(1_927, .title("Metropolis"))))
    #expect(changes.names == ["row 1927"])
    #expect(Self.row(1_927, of: view)?.title == "Metropolis")
    view.send(.film(ElementAction(7, .toggle)))
    #expect(changes.names == ["row 1927"])
  }

  @Test func aRowSendsToItsElement() {
    let view = Self.view(3)
    Self.row(1, of: view)?.send(.toggle)
    #expect(view.films.map(\.isFavorite) == [false, true, false])
  }

  @Test func theListIsInvalidatedByElementsThatComeGoOrMove() {
    let view = Self.view(3)
    var films = view.films
    let changes = Changes()
    changes.track("changed") { view.elementIDs(of: \.films) }
    films[0].title = "other"
    view.send(.films(films))
    #expect(changes.names == [])
    films.swapAt(0, 2)
    view.send(.films(films))
    #expect(changes.names == ["changed"])
    changes.track("removed") { view.elementIDs(of: \.films) }
    films.removeLast()
    view.send(.films(films))
    changes.track("added") { view.elementIDs(of: \.films) }
    films.append(Shelf.Film(id: 9))
    view.send(.films(films))
    #expect(changes.names == ["changed", "removed", "added"])
    #expect(view.elementIDs(of: \.films) == [2, 1, 9])
  }

  @Test(arguments: [[1, 4, 1], [1, 4, 4, 1], [4, 1, 1]])
  func aRowKeepsItsStoreWhileAnElementWithItsIDRemains(ids: [Int]) {
    let view = Self.view(0)
    view.send(.films(ids.map { Shelf.Film(id: $0) }))
    let row = Self.row(1, of: view)
    view.send(.films(Array(view.films.dropLast())))
    row?.send(.title("first"))
    #expect(view.films.first { $0.id == 1 }?.title == "first")
    #expect(Self.row(1, of: view) === row)
    view.send(.films(view.films.filter { $0.id != 1 }))
    #expect(Self.row(1, of: view) == nil)
  }

  @Test func aRowThatMovesKeepsItsStoreAndIsNotInvalidated() {
    let view = Self.view(5)
    let row = Self.row(1, of: view)
    let changes = Changes()
    changes.track("row") { Self.row(1, of: view)?.title }
    view.send(.films(Array(view.films.reversed().dropFirst())))
    #expect(Self.row(1, of: view) === row)
    #expect(changes.names == [])
    row?.send(.title("moved"))
    #expect(changes.names == ["row"])
    #expect(row?.title == "moved")
    #expect(view.films.map(\.title) == ["film 3", "film 2", "moved", "film 0"])
  }

  @Test func aRowChangesAndMovesInOneUpdate() {
    let view = Self.view(3)
    let changes = Changes()
    for id in 0..<3 { changes.track("row \(id)") { Self.row(id, of: view)?.title } }
    var films = Array(view.films.reversed())
    films[0].title = "last becomes first"
    view.send(.films(films))
    #expect(changes.names == ["row 2"])
    #expect(Self.row(2, of: view)?.title == "last becomes first")
  }

  /// SwiftUI draws a deleted row once more, with the store that the row retains.
  @Test func aDeletedRowShowsItsLastValueAndSendsNothing() {
    let view = Self.view(3)
    let row = Self.row(1, of: view)
    let changes = Changes()
    changes.track("row") { Self.row(1, of: view)?.title }
    view.send(.films([]))
    #expect(changes.names == ["row"])
    #expect(row?.title == "film 1")
    #expect(Self.row(1, of: view) == nil)
    row?.send(.title("late"))
    view.send(.films([Shelf.Film(id: 1, title: "new")]))
    row?.send(.title("later"))
    #expect(view.films.map(\.title) == ["new"])
    #expect(row?.title == "film 1")
    #expect(Self.row(1, of: view)?.title == "new")
  }

  @Test func aRowThatIsAskedForTooEarlyIsInvalidatedWhenItsElementComes() {
    let view = Self.view(0)
    let changes = Changes()
    changes.track("row") { Self.row(1, of: view)?.title }
    view.send(.films([Shelf.Film(id: 2)]))
    #expect(changes.names == [])
    view.send(.films([Shelf.Film(id: 2), Shelf.Film(id: 1, title: "here")]))
    #expect(changes.names == ["row"])
    #expect(Self.row(1, of: view)?.title == "here")
  }

  /// An id that counts how often an id is hashed.
  struct CountedID: Hashable, Sendable {
    static let hashes = Mutex(0)
    var number: Int
    func hash(into hasher: inout Hasher) {
      Self.hashes.withLock { $0 += 1 }
      hasher.combine(number)
    }
  }

  struct CountedRow: Identifiable, Equatable, Sendable {
    var id: CountedID
  }

  @Test func rowsThatAreGoneDoNotSlowTheListDown() {
    let store = Store<Int, [CountedRow]>(
      initialState: [],
      reducer: Reducer { count, rows in rows = (0..<count).map { CountedRow(id: CountedID(number: $0)) } })
    let view = MainActorStore(store)
    let changes = Changes()
    for number in 0..<1_000 {
      let id = CountedID(number: number)
      changes.track("\(number)") {
        view.projection(element: id, of: \.self, action: { (_: ElementAction<CountedID, Never>) in 0 }) == nil
      }
    }
    view.send(1)
    #expect(changes.names.contains("0"))
    let before = CountedID.hashes.withLock { $0 }
    for count in [2, 1, 2, 1] { view.send(count) }
    #expect(CountedID.hashes.withLock { $0 } - before < 100)
  }

  @Test func theSameCallGivesTheSameStore() {
    let view = Self.view(2)
    #expect(Self.row(0, of: view) === Self.row(0, of: view))
    #expect(Self.row(0, of: view) !== Self.row(1, of: view))
    let one = view.projection(element: 0, of: \.films) { (it: ElementAction<Int, Shelf.FilmAction>) in .film(it) }
    let two = view.projection(element: 0, of: \.films) { (it: ElementAction<Int, String>) in
      .film(ElementAction(it.id, .title(it.action)))
    }
    two?.send("by the other way")
    #expect(one?.title == "by the other way")
  }

  /// A reducer that is lifted by id reduces the first element with the id, too.
  @Test func aRowShowsTheFirstElementWithItsID() {
    let view = Self.view(0)
    let changes = Changes()
    func show(_ films: KeyValuePairs<Int, String>) -> String? {
      view.send(.films(films.map { Shelf.Film(id: $0.key, title: $0.value) }))
      changes.track("row") { Self.row(1, of: view)?.title }
      return Self.row(1, of: view)?.title
    }
    #expect(show([1: "a", 1: "b"]) == "a")
    #expect(show([1: "a", 1: "B"]) == "a")
    #expect(changes.names == [])
    #expect(show([1: "A", 1: "B"]) == "A")
    // The duplicate changes before and after the place where others move, and after the elements have moved.
    #expect(show([2: "", 1: "A", 1: "B"]) == "A")
    #expect(show([2: "", 1: "A", 1: "C"]) == "A")
    #expect(show([2: "", 1: "D", 1: "C"]) == "D")
    #expect(show([1: "D", 1: "C", 2: "", 3: ""]) == "D")
    #expect(show([1: "D", 1: "E", 3: "", 2: ""]) == "D")
    #expect(show([3: "", 1: "D", 2: "", 1: "F"]) == "D")
    Self.row(1, of: view)?.send(.title("G"))
    #expect(Self.row(1, of: view)?.title == "G")
    #expect(show([3: "", 2: "", 1: "F"]) == "F")
  }

  @Test func theSectionsOfNestedListsAreFoundWithoutASearch() {
    struct Entry: Sendable, Equatable, Identifiable { var id = 0 }
    struct Section: Sendable, Equatable, Identifiable {
      static let reads = Atomic(0)
      let number: Int
      var entries = [Entry()]
      var id: Int {
        Self.reads.add(1, ordering: .relaxed)
        return number
      }
    }
    struct Page: Sendable {
      var sections = (0..<500).map { Section(number: $0) }
      var title = ""
    }
    let store = Store(initialState: Page(), reducer: Reducer<String, Page> { $1.title = $0 })
    let view = MainActorStore(store)
    for number in 0..<500 {
      let section = view.projection(element: number, of: \.sections) { (_: ElementAction<Int, Int>) in "" }
      _ = section?.projection(element: 0, of: \.entries) { (_: ElementAction<Int, Int>) in 0 }
    }
    view.send("first")
    Section.reads.store(0, ordering: .relaxed)
    view.send("second")
    #expect(Section.reads.load(ordering: .relaxed) <= 3 * 500)
  }
}
