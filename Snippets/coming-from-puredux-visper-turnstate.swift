// One example for each of three systems: a child store, a feature for an open set of actions, and a counter whose
// interceptor changes or drops actions.
import ReeluxCore
import Synchronization

struct AppState: Sendable, Equatable {
  var user = UserState()
  var visits = 0
}

struct UserState: Sendable, Equatable {
  var name = ""
}

struct Draft: Sendable, Equatable {
  var text = ""
}

protocol AppAction: Sendable {}
struct Visit: AppAction {}
struct Write: AppAction { var text: String }
struct SetUsername: AppAction { var name: String }

let visits = Reducer<any AppAction, AppState>.partial { action, state in
  guard action is Visit else { return false }
  state.visits += 1
  return true
}

let drafts = Reducer<any AppAction, Draft>.partial { action, draft in
  guard let action = action as? Write else { return false }
  draft.text = action.text
  return true
}

// snippet.puredux
let store = Store(initialState: AppState(), reducer: visits)
let scope = store.projection(action: { (action: any AppAction) in action }, state: \.user)
let child = store.child(initialState: Draft(), reducer: drafts, toRoot: { $0 })

let texts = Mutex<[String]>([])
let subscription = child.subscribe { state in
  texts.withLock { $0.append("\(state.root.visits) \(state.local.text)") }
}
child.dispatch(Write(text: "hello"))
child.dispatch(Visit())
// snippet.end
precondition(texts.withLock { $0 } == ["0 ", "0 hello", "1 hello"])

// snippet.visper
let setUsername = Reducer<SetUsername, UserState> { action, user in user.name = action.name }

let installation = store.install(
  Feature(reducer: setUsername.lift(action: .cast { $0 }, state: \.user)))

store.dispatch(SetUsername(name: "Max"))
assert(store.state.user.name == "Max")
installation.remove()
// snippet.end
precondition(scope.state.name == "Max")

enum CounterAction: Sendable {
  case add(Int)
}

let counts = Mutex<[Int]>([])

// snippet.turnstate
let counter = Reducer<CounterAction, Int> { action, count in
  switch action {
  case .add(let number): count += number
  }
}

let small = Interceptor<CounterAction, Int> { action, source, state in
  guard case .add(let number) = action else { return .pass }
  return number == 0 ? .drop : .replace(.add(min(number, 10)))
}

let counterStore = Store(initialState: 0, feature: Feature(reducer: counter, interceptor: small))
let unsubscribe = counterStore.subscribe { count in counts.withLock { $0.append(count) } }
counterStore.dispatch(.add(99))
unsubscribe.cancel()
// snippet.end
precondition(counts.withLock { $0 } == [0, 10])
print("\(texts.withLock { $0 }) \(scope.state) \(counts.withLock { $0 })")
withExtendedLifetime(subscription) {}
