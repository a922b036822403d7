// The cookbook's program about a stack of different screens. It checks its own results.
import ReeluxCore
import ReeluxUI

struct FilmScreen: Equatable {
  let film: String
  var text = "loading"
}
enum FilmAction {
  case appeared
  case loaded(String)
}

struct NotesScreen: Equatable {
  var notes = ""
}
enum NotesAction {
  case changed(String)
}

func filmScreen(load: @escaping @Sendable (String) async -> String) -> Feature<FilmAction, FilmScreen> {
  Feature(
    reducer: Reducer { action, screen in if case .loaded(let text) = action { screen.text = text } },
    middleware: Middleware { action, source, state in
      guard case .appeared = action else { return .none }
      return .task { [film = state().film] in .loaded(await load(film)) }
    })
}

let notesScreen = Feature<NotesAction, NotesScreen>(
  reducer: Reducer { action, screen in if case .changed(let notes) = action { screen.notes = notes } })

// snippet.stack
struct Screen: Identifiable, Equatable {
  enum Content: Equatable {
    case film(FilmScreen)
    case notes(NotesScreen)

    var film: FilmScreen? {
      get { if case .film(let it) = self { it } else { nil } }
      set { if let newValue { self = .film(newValue) } }
    }
    var notes: NotesScreen? {
      get { if case .notes(let it) = self { it } else { nil } }
      set { if let newValue { self = .notes(newValue) } }
    }
  }

  let id: Int
  var content: Content
}

enum ScreenAction {
  case film(FilmAction)
  case notes(NotesAction)
}

extension Prism<ScreenAction, FilmAction> {
  static let film = Prism(case: ScreenAction.film) { if case .film(let it) = $0 { it } else { nil } }
}
extension Prism<ScreenAction, NotesAction> {
  static let notes = Prism(case: ScreenAction.notes) { if case .notes(let it) = $0 { it } else { nil } }
}

struct AppState: Equatable {
  var screens: [Screen] = []
  var lastID = 0
  var ids: [Int] { screens.map(\.id) }
}

enum AppAction {
  case open(Screen.Content)
  case idsChanged([Int])
  case screen(ElementAction<Int, ScreenAction>)
}

extension Prism<AppAction, ElementAction<Int, ScreenAction>> {
  static let screen = Prism(case: AppAction.screen) { if case .screen(let it) = $0 { it } else { nil } }
}

func makeApp(load: @escaping @Sendable (String) async -> String) -> Feature<AppAction, AppState> {
  let screen = Feature<ScreenAction, Screen> {
    filmScreen(load: load).lift(action: .film, optional: \.content.film)
    notesScreen.lift(action: .notes, optional: \.content.notes)
  }
  return Feature {
    screen.lift(action: .screen, element: .byID(\.screens))
    Reducer.partial { action, state in
      switch action {
      case .open(let content):
        state.lastID += 1
        state.screens.append(Screen(id: state.lastID, content: content))
      case .idsChanged(let ids): state.screens.removeAll { !ids.contains($0.id) }
      case .screen: return false
      }
      return true
    }
    // The id of the new screen is known after the reducer.
    Middleware { action, source, state in
      guard case .open(.film) = action else { return .none }
      return .afterReducer { send in send(.screen(ElementAction(state().lastID, .film(.appeared)))) }
    }
  }
}
// snippet.end

@MainActor func check() async {
  let store = Store(initialState: AppState(), feature: makeApp(load: { film in "about \(film)" }))
  let view = MainActorStore(store)
  await view.send(.open(.film(FilmScreen(film: "metropolis-1927")))).finish()
  view.send(.open(.notes(NotesScreen())))
  // snippet.stack-view
  let path = view.pathBinding(\.ids, send: AppAction.idsChanged)
  let screen = view.projection(element: 1, of: \.screens, action: AppAction.screen)
  let film = screen?.projection(action: ScreenAction.film, optional: \.content.film)
  print(film?.text ?? "closed")  // about metropolis-1927
  path.wrappedValue = [1]  // the user goes back
  // snippet.end
  precondition(film?.text == "about metropolis-1927")
  precondition(store.state.ids == [1])
}
await check()
