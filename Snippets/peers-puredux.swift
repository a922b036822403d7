// PureduxStore's quick start with this package: a root store for an open set of actions, an interceptor that runs
// asynchronous actions, a scoped store, an observer that unsubscribes, and a child store.
import ReeluxCore
import Synchronization

protocol AppAction: Sendable {}

/// An action that brings its own work, whose result is the next action.
protocol AsyncAction: AppAction {
  func execute() async -> any AppAction
}

struct Session: Sendable, Equatable {
  var user: String?
}

struct AppState: Sendable, Equatable {
  var session = Session()
  var opened = 0
}

struct Opened: AppAction {}
struct SignedIn: AppAction { var user: String }
struct SignIn: AsyncAction {
  var user: String
  func execute() async -> any AppAction { SignedIn(user: user) }
}

// snippet.root
let reducer = Reducer<any AppAction, AppState>.partial { action, state in
  switch action {
  case is Opened: state.opened += 1
  case let action as SignedIn: state.session.user = action.user
  default: return false
  }
  return true
}

let runsAsyncActions = Middleware<any AppAction, any AppAction, AppState> { action, source, state in
  guard let action = action as? any AsyncAction else { return .none }
  return .task { await action.execute() }
}

let store = Store(initialState: AppState(), reducer: reducer, middleware: runsAsyncActions)
// snippet.end
store.dispatch(Opened())
precondition(store.state.opened == 1, "synchronous on an idle store")

// snippet.scope
let scoped = store.projection(action: { (action: any AppAction) in action }, state: \.session)
await store.dispatch(SignIn(user: "Ada")).finish()
print(scoped.state.user ?? "nobody")  // Ada
// snippet.end
precondition(scoped.state == Session(user: "Ada"))

// snippet.observer
let watching = Task {
  var seen: [Int] = []
  for await state in store.states {  // the next value when the last one is handled, and the newest then
    seen.append(state.opened)
    if state.opened >= 3 { break }  // no more updates wanted
  }
  return seen
}
store.dispatch(Opened())
store.dispatch(Opened())
let seen = await watching.value
// snippet.end
precondition(seen.last == 3 && seen == seen.sorted(), "never an older state after a newer one")

// snippet.child
struct Form: Sendable, Equatable {
  var text = ""
}

struct Typed: AppAction { var text: String }

let formReducer = Reducer<any AppAction, Form>.partial { action, form in
  guard let action = action as? Typed else { return false }
  form.text = action.text
  return true
}

let child = store.child(initialState: Form(), reducer: formReducer, toRoot: { $0 })
let sibling = store.child(initialState: Form(), reducer: formReducer, toRoot: { $0 })
let calls = Mutex(0)
let observing = child.subscribe { state in calls.withLock { $0 += 1 } }  // once, with the current states
child.dispatch(Typed(text: "a film"))  // the child's state
child.dispatch(Opened())  // the root's state, through the child
store.dispatch(Typed(text: "not for children"))
// snippet.end
print(child.state)
precondition(child.state == ChildState(root: store.state, local: Form(text: "a film")))
precondition(sibling.state.local == Form(), "siblings never meet")
precondition(store.state.opened == 4)
precondition(calls.withLock { $0 } == 3, "one notification for each action, none for the one that changed nothing")
withExtendedLifetime(observing) {}
