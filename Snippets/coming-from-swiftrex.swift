// What a SwiftRex app composes: a feature's reducer and middleware lifted into the app's, and a store of them.
import ReeluxCore

enum CounterAction: Sendable {
  case increment
  case surprise
  case surprised(Int)
}

enum AppAction: Sendable {
  case counter(CounterAction)
}

struct AppState: Sendable, Equatable {
  var counter = 0
}

extension Prism<AppAction, CounterAction> {
  static let counter = Prism(case: AppAction.counter) { if case .counter(let action) = $0 { action } else { nil } }
}

let counterReducer = Reducer<CounterAction, Int> { action, count in
  switch action {
  case .increment: count += 1
  case .surprise: break
  case .surprised(let number): count += number
  }
}

// snippet.middleware
struct SurpriseMiddleware: MiddlewareProtocol {
  let number: @Sendable () async -> Int

  func handle(action: CounterAction, from source: ActionSource, state: GetState<Int>) -> Effect<CounterAction> {
    guard case .surprise = action else { return .none }
    return .task { .surprised(await number()) }
  }
}
// snippet.end

// snippet.store
let counter = Feature<CounterAction, Int>(
  reducer: counterReducer,
  middleware: Middleware(SurpriseMiddleware(number: { 41 })))

let app = Feature<AppAction, AppState> {
  counter.lift(action: .counter, state: \.counter)
}

let store = Store(initialState: AppState(), feature: app, emits: .whenDifferent)
store.dispatch(.counter(.increment))
await store.dispatch(.counter(.surprise)).finish()
// snippet.end
print(store.state)
precondition(store.state == AppState(counter: 42))

// snippet.projection
let projection = store.projection(
  action: { (action: CounterAction) in .counter(action) },
  state: \.counter)
projection.dispatch(.increment)
// snippet.end
precondition(projection.state == 43)
