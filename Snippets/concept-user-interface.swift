// The concepts of ReeluxUI, each shown once. The program checks its own results.
import Observation
import ReeluxCore
import ReeluxUI

struct Book: Identifiable, Equatable, Sendable {
  var id: Int
  var title: String
}

struct Note: Identifiable, Equatable, Sendable {
  var id: Int
  var text = ""
}

struct Search: Equatable, Sendable {
  var query = ""
  var isRunning = false
}

struct AppState: Equatable, Sendable {
  var title = "Books"
  var search = Search()
  var books = [Book(id: 1, title: "Emma"), Book(id: 2, title: "Ulysses")]
  var note: Note?
  var failure: String?
}

enum SearchAction: Sendable {
  case queryChanged(String)
}

enum BookAction: Sendable {
  case rename(String)
}

enum AppAction: Sendable {
  case rename(String)
  case search(SearchAction)
  case book(ElementAction<Int, BookAction>)
  case open(Note)
  case edit(String)
  case close
  case fail(String?)
}

let reducer = Reducer<AppAction, AppState> { action, state in
  switch action {
  case .rename(let title): state.title = title
  case .search(.queryChanged(let query)): state.search.query = query
  case .book(let book):
    guard let index = state.books.firstIndex(where: { $0.id == book.id }) else { return }
    switch book.action {
    case .rename(let title): state.books[index].title = title
    }
  case .open(let note): state.note = note
  case .edit(let text): state.note?.text = text
  case .close: state.note = nil
  case .fail(let failure): state.failure = failure
  }
}

// snippet.store
let store = Store(initialState: AppState(), reducer: reducer)  // belongs to no actor
let view = MainActorStore(store)  // belongs to the main actor

view.send(.rename("Library"))
print(view.title)  // Library
// snippet.end
precondition(view.title == "Library")

var rendered: [String] = []

// snippet.track
@MainActor func render() {
  withObservationTracking {
    rendered.append(view.title)  // tracks the title
  } onChange: {
    Task { @MainActor in render() }
  }
}
render()
view.send(.search(.queryChanged("em")))  // renders nothing
view.send(.rename("Shelf"))  // renders once
// snippet.end
await Task { @MainActor in }.value
precondition(rendered == ["Library", "Shelf"])

// snippet.projection
extension MainActorStore<AppAction, AppState> {
  var search: MainActorStore<SearchAction, Search> {
    projection(action: AppAction.search, state: \.search)
  }
}
print(view.search.query)  // tracks the query, not all of the search
view.search.send(.queryChanged("emma"))
// snippet.end
precondition(view.search.query == "emma")

// snippet.binding
let query = view.search.fieldBinding(\.query, send: SearchAction.queryChanged)
query.wrappedValue = "ulysses"
print(query.wrappedValue)  // ulysses
// snippet.end
precondition(store.state.search.query == "ulysses")

// snippet.rows
for id in view.elementIDs(of: \.books) {  // tracks which books there are, and in which order
  guard let row = view.projection(element: id, of: \.books, action: AppAction.book) else { continue }
  print(row.title)  // tracks the title of this book
}
// snippet.end
view.projection(element: 1, of: \.books, action: AppAction.book)?.send(.rename("Persuasion"))
precondition(store.state.books.map(\.title) == ["Persuasion", "Ulysses"])

// snippet.presentation
view.send(.open(Note(id: 1)))
let sheet = view.presentation(\.note, dismiss: .close)
if let note = sheet.item { print(note.text) }
view.send(.open(Note(id: 2)))
sheet.dismiss()  // too late: the note of this sheet is closed already
// snippet.end
precondition(view.note?.id == 2)

// snippet.observe
let subscription = view.observe(\.failure) { failure in
  print(failure ?? "no failure")
}
view.send(.fail("no connection"))  // prints before it returns
subscription.cancel()  // no call begins after this
// snippet.end

// snippet.selection
let titles = MainActorStore(observing: store.select(\.books))
print(titles.state.count)
// snippet.end
precondition(titles.state.count == 2)
