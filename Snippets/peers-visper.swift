// VISPER-Redux's SetUsername feature with this package: an open set of actions, a reducer for one action type and one
// part of the state, and a feature that is added to a running store. The final assert is true immediately after the
// dispatch.
import ReeluxCore
import Synchronization

protocol AppAction: Sendable {}

struct UserState: Sendable, Equatable {
  var userName = ""
  var isAuthenticated = false
}

struct AppState: Sendable, Equatable {
  var userState = UserState()
  var todos: [String] = []
}

struct SetUsernameAction: AppAction {
  var newUsername: String
}

struct AddTodoAction: AppAction {
  var text: String
}

// snippet.feature
extension Feature where Action == any AppAction, State == AppState {
  static var setUsername: Feature {
    Feature(
      reducer: Reducer<SetUsernameAction, UserState> { action, user in user.userName = action.newUsername }
        .lift(action: .cast { $0 }, state: \.userState))
  }
}

let store = Store(initialState: AppState(), feature: Feature<any AppAction, AppState>.identity)
let installation = store.install(.setUsername)

let action = SetUsernameAction(newUsername: "Max Mustermann")
store.dispatch(action)
assert(store.state.userState.userName == "Max Mustermann")
// snippet.end
precondition(store.state.userState.userName == "Max Mustermann", "in a release build too")
print(store.state.userState)

store.dispatch(AddTodoAction(text: "nobody handles this"))
precondition(store.state.todos.isEmpty, "an action of another type leaves the state alone")

// snippet.both
let names = Mutex<[String]>([])
let counting = Feature<any AppAction, AppState>(
  reducer: Reducer<SetUsernameAction, UserState> { action, user in user.isAuthenticated = true }
    .lift(action: .cast { $0 }, state: \.userState))
store.install(counting)  // two reducers of one action type: both take effect
let subscription = store.select(\.userState.userName).subscribe { name in names.withLock { $0.append(name) } }
store.dispatch(SetUsernameAction(newUsername: "Erika"))
// snippet.end
precondition(store.state.userState == UserState(userName: "Erika", isAuthenticated: true))
precondition(names.withLock { $0 } == ["Max Mustermann", "Erika"])

installation.remove()
store.dispatch(SetUsernameAction(newUsername: "Otto"))
precondition(store.state.userState.userName == "Erika", "the feature is gone")
print(names.withLock { $0 })
withExtendedLifetime(subscription) {}
