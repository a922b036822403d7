// FilmShelf in SwiftUI. The same app on a terminal is FilmShelfTerminal; both use the features of FilmShelf, unchanged.
#if canImport(SwiftUI)
  import FilmShelf
  import ReeluxCore
  import ReeluxFavorites
  import ReeluxUI
  import SwiftUI

  typealias ShelfStore = MainActorStore<ShelfAction, ShelfState>

  extension MainActorStore<ShelfAction, ShelfState> {
    var search: MainActorStore<SearchAction, SearchState> {
      projection(action: ShelfAction.search, state: \.search)
    }
  }

  // snippet.app
  @main
  struct FilmShelfApp: App {
    @State private var store = ShelfStore(
      Store(initialState: ShelfState(), feature: .shelf(favorites: .example, search: Film.search)))

    var body: some Scene {
      WindowGroup { ShelfView(store: store) }
    }
  }
  // snippet.end

  // snippet.view
  struct ShelfView: View {
    let store: ShelfStore

    var body: some View {
      NavigationStack {
        VStack {
          SearchField(store: store.search)
          List(store.search.films) { film in FilmRow(film: film, store: store) }
        }
        .navigationTitle("Films")
      }
      .sheet(item: store.binding(item: \.details, dismiss: .closeDetails)) { film in
        Text("\(film.title), \(film.year)")
      }
      .alert(
        "Favourites", isPresented: store.binding(isPresented: \.alert, dismiss: .dismissAlert), presenting: store.alert
      ) { alert in
        Button("Try again") { store.send(.favorites(.retry(alert.id))) }
        Button("OK", role: .cancel) {}
      } message: { alert in
        Text(alert.message)
      }
    }
  }
  // snippet.end

  // snippet.parts
  /// The search field. It is redrawn for each letter. The list is not redrawn.
  struct SearchField: View {
    let store: MainActorStore<SearchAction, SearchState>

    var body: some View {
      HStack {
        TextField("Search", text: store.binding(\.query, send: SearchAction.queryChanged))
        if store.isRunning { ProgressView() }
      }
    }
  }

  /// The row of a film. It is redrawn when its own film is added to the favourites or removed from them.
  struct FilmRow: View {
    let film: Film
    let store: ShelfStore

    var body: some View {
      HStack {
        Button(film.title) { store.send(.open(film)) }
        Spacer()
        Button(store[\.favorites[isFavorite: film.id]] ? "★" : "☆") {
          withAnimation { _ = store.send(.favorites(.toggle(film.id))) }
        }
      }
    }
  }
  // snippet.end

  // snippet.preview
  /// A store without middlewares: nothing but the state is needed.
  struct ShelfPreview: PreviewProvider {
    static var previews: some View {
      ShelfView(store: ShelfStore(Store(initialState: ShelfState(), reducer: .identity)))
    }
  }
// snippet.end
#else
  @main
  struct FilmShelfApp {
    static func main() { print("SwiftUI is not available here. Try FilmShelfTerminal.") }
  }
#endif
