// The cookbook's program about screens. It checks its own results.
import ReeluxCore
import ReeluxUI

struct Film: Equatable, Identifiable {
  let id: String
}

struct Failure: Equatable {
  let text: String
}

// snippet.navigation
enum Screen: Hashable {
  case settings
  case film(String)
}

struct AppState: Equatable {
  var path: [Screen] = []  // the screens above the first one
  var sheet: Film?
  var failure: Failure?
  var name = ""
}

enum AppAction {
  case pathChanged([Screen])
  case open(link: String)
  case show(Film)
  case closeSheet
  case fail(String)
  case dismissFailure
  case nameChanged(String)
}

let navigation = Reducer<AppAction, AppState>.partial { action, state in
  switch action {
  case .pathChanged(let path):
    state.path = path
  case .open(let link):  // filmnight://settings or filmnight://film/metropolis-1927
    switch link.split(separator: "/").dropFirst().map(String.init) {
    case ["settings"]: state.path = [.settings]
    case let names where names.first == "film" && names.count == 2: state.path = [.film(names[1])]
    default: return false
    }
  default: return false
  }
  return true
}
// snippet.end

// snippet.sheet
let sheets = Reducer<AppAction, AppState>.partial { action, state in
  switch action {
  case .show(let film): state.sheet = film
  case .closeSheet: state.sheet = nil
  case .fail(let text): state.failure = Failure(text: text)
  case .dismissFailure: state.failure = nil
  default: return false
  }
  return true
}
// snippet.end

// snippet.binding
extension Prism<AppAction, String> {
  static let nameChanged = Prism(case: AppAction.nameChanged) {
    if case .nameChanged(let name) = $0 { name } else { nil }
  }
}

let naming = Reducer<AppAction, AppState>(.nameChanged) { name, state in
  state.name = String(name.prefix(20))
}
// snippet.end

let view = MainActorStore(Store(initialState: AppState(), reducer: navigation <> sheets <> naming))

// snippet.navigate
view.send(.open(link: "filmnight://film/metropolis-1927"))
print(view.path)  // one screen: the film's
let path = view.pathBinding(\.path, send: AppAction.pathChanged)
path.wrappedValue = []  // what a navigation stack does when the user goes back
// snippet.end
precondition(view.path == [])
view.send(.open(link: "filmnight://nowhere"))
precondition(view.path == [])

// snippet.present
view.send(.show(Film(id: "metropolis-1927")))
let sheet = view.presentation(\.sheet, dismiss: .closeSheet)
print(sheet.item?.id ?? "closed")  // metropolis-1927
sheet.dismiss()
// snippet.end
precondition(view.sheet == nil)
view.send(.fail("The server did not answer."))
precondition(view.failure != nil)
view.send(.dismissFailure)
precondition(view.failure == nil)

// snippet.write
let name = view.fieldBinding(\.name, send: AppAction.nameChanged)
name.wrappedValue = "Friedrich Wilhelm Murnau"
print(name.wrappedValue)  // Friedrich Wilhelm Mu
// snippet.end
precondition(name.wrappedValue == "Friedrich Wilhelm Mu")
print("screens: as the cookbook shows")
