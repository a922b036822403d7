// The same two programs as TCA and ReSwift users know them: a search with a debounced, cancellable effect, and a
// store with one reducer and a subscriber of a part of the state.
import ReeluxCore
import Synchronization

let titles = ["metropolis", "nosferatu", "safety last"]
let find: @Sendable (String) async throws -> [String] = { text in titles.filter { $0.contains(text) } }

// snippet.tca
struct SearchState: Sendable, Equatable {
  var query = ""
  var results: [String] = []
}

enum SearchAction: Sendable {
  case queryChanged(String)
  case found([String])
}

let reducer = Reducer<SearchAction, SearchState> { action, state in
  switch action {
  case .queryChanged(let query): state.query = query
  case .found(let results): state.results = results
  }
}

let middleware = Middleware<SearchAction, SearchAction, SearchState> { action, source, state in
  guard case .queryChanged(let query) = action else { return .none }
  return .task(catch: { error in .found([]) }) { .found(try await find(query)) }
    .cancellable(id: "search", cancelInFlight: true)
}

let store = Store(initialState: SearchState(), reducer: reducer, middleware: middleware)
await store.dispatch(.queryChanged("fer")).finish()
// snippet.end
print(store.state)
precondition(store.state == SearchState(query: "fer", results: ["nosferatu"]))

// snippet.onchange
extension Middleware {
  /// Sends an action after each action that has changed this part of the state.
  static func onChange<Value: Equatable & Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    send makeAction: @escaping @Sendable (_ old: Value, _ new: Value) -> OutputAction
  ) -> Middleware where InputAction == OutputAction {
    Middleware { action, source, state in
      let old = state()[keyPath: path]
      return .afterReducer { send in
        let new = state()[keyPath: path]
        if new != old { send(makeAction(old, new)) }
      }
    }
  }
}
// snippet.end
let words = Store(
  initialState: "", reducer: Reducer<String, String> { action, text in text += action },
  middleware: .onChange(of: \.isEmpty) { old, new in "\(old) to \(new)" })
words.dispatch("")
words.dispatch("a")
print(words.state)
precondition(words.state == "atrue to false")

struct AppState: Sendable, Equatable {
  var counter = 0
  var title = ""
}

enum AppAction: Sendable {
  case increase
  case rename(String)
}

let calls = Mutex<[Int]>([])

// snippet.reswift
let appReducer = Reducer<AppAction, AppState> { action, state in
  switch action {
  case .increase: state.counter += 1
  case .rename(let title): state.title = title
  }
}

let mainStore = Store(initialState: AppState(), reducer: appReducer)
let subscription = mainStore.select(\.counter).subscribe { counter in
  calls.withLock { $0.append(counter) }
}
mainStore.dispatch(.increase)
mainStore.dispatch(.rename("diary"))  // the counter's observer is not called
// snippet.end
print(calls.withLock { $0 })
precondition(calls.withLock { $0 } == [0, 1])
withExtendedLifetime(subscription) {}
