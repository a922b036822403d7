// FilmShelf on a terminal. The same app in SwiftUI is FilmShelfSwiftUI; both use the features of FilmShelf, unchanged.
//
//   printf 'general\n* 4\n\n* 2\nok\n? 5\nx\n' | swift run FilmShelfTerminal
//
// Its first lines explain what can be typed.
import FilmShelf
import Observation
import ReeluxCore
import ReeluxFavorites
import ReeluxUI

extension MainActorStore<ShelfAction, ShelfState> {
  var search: MainActorStore<SearchAction, SearchState> {
    projection(action: ShelfAction.search, state: \.search)
  }
}

@MainActor
struct Screen {
  let store: MainActorStore<ShelfAction, ShelfState>

  var text: String {
    var lines = ["search: \(store.search.query)\(store.search.isRunning ? " …" : "")"]
    for film in store.search.films {
      lines.append("\(store[\.favorites[isFavorite: film.id]] ? "*" : " ") \(film.id) \(film.title)")
    }
    if let film = store.presentation(\.details, dismiss: .closeDetails).item {
      lines.append("[ \(film.title), \(film.year) — x closes ]")
    }
    if let alert = store.presentation(\.alert, dismiss: .dismissAlert).item {
      lines.append("( \(alert.message) ok )")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Draws now, and again when a displayed value has changed.
  func draw() {
    let text = withObservationTracking {
      self.text
    } onChange: {
      Task { @MainActor in draw() }
    }
    print(text)
  }
}

print(
  """
  A line is a text to search for. "* 4" adds film 4 to the favourites, or removes it. "? 4" opens its details. "*" and "?"
  take the number of a film that is shown. "x" closes the details, and "ok" closes the alert.

  """)

let store = MainActorStore(
  Store(initialState: ShelfState(), feature: .shelf(favorites: .example, search: Film.search)))
Screen(store: store).draw()

let query = store.search.fieldBinding(\.query, send: SearchAction.queryChanged)
while let line = readLine() {
  let words = line.split(separator: " ")
  let film = words.last.flatMap { Int($0) }.flatMap { id in store.search.films.first { $0.id == id } }
  switch (words.first, film) {
  case ("*", let film?): await store.send(.favorites(.toggle(film.id))).finish()
  case ("?", let film?): store.send(.open(film))
  case ("x", _): store.presentation(\.details, dismiss: .closeDetails).dismiss()
  case ("ok", _): store.presentation(\.alert, dismiss: .dismissAlert).dismiss()
  default:
    // The letters are written one after the other, as a person types. The search starts after the last one.
    for end in line.indices { query.wrappedValue = String(line[...end]) }
    await store.search.send(.queryChanged(line)).finish()
  }
  await Task.yield()
}
