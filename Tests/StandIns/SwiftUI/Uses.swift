// Uses of ReeluxUI's SwiftUI code that FilmShelf does not have; Scripts/test-apple compiles them.
import ReeluxCore
import ReeluxUI
import SwiftUI

struct Film: Identifiable, Equatable, Sendable {
  var id: Int
  var title: String
}

struct ShelfState: Sendable {
  var films: [Film] = []
  var path: [Int] = []
  var failure: String?
  var details: Film?
  var tab = 0
}

enum FilmAction: Sendable { case rename(String) }

enum ShelfAction: Sendable {
  case film(ElementAction<Int, FilmAction>)
  case path([Int])
  case tab(Int)
  case details(FilmAction)
  case close
}

struct ShelfView: View {
  let store: MainActorStore<ShelfAction, ShelfState>

  var body: some View {
    NavigationStack(path: store.binding(path: \.path, send: ShelfAction.path)) {
      List {
        ForEach(store, \.films, action: ShelfAction.film) { row in
          TextField("Title", text: row.binding(\.title, send: FilmAction.rename))
        }
      }
    }
    .sheet(item: store.binding(item: \.details, dismiss: .close)) { _ in
      if let details = store.projection(action: ShelfAction.details, optional: \.details) {
        TextField("Title", text: details.binding(\.title, send: FilmAction.rename))
      }
    }
    .alert(
      "Failure", isPresented: store.binding(isPresented: \.failure, dismiss: .close), presenting: store.failure
    ) { _ in
      Button("OK") {}
    } message: {
      Text($0)
    }
  }
}

@MainActor
func selection(of store: MainActorStore<ShelfAction, ShelfState>) -> Binding<Int> {
  store.binding(\.tab, send: ShelfAction.tab, sendsEqual: true)
}
