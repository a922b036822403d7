// Turnstate's counter with this package. A middleware drops some actions and replaces others.
import ReeluxCore
import Synchronization

enum CounterAction: Sendable, Equatable {
  case increment
  case decrement
  case add(Int)
}

// snippet.counter
let counter = Reducer<CounterAction, Int> { action, count in
  switch action {
  case .increment: count += 1
  case .decrement: count -= 1
  case .add(let number): count += number
  }
}

let rules = Interceptor<CounterAction, Int> { action, source, state in
  switch action {
  case .decrement where state() == 0: .drop  // never below zero
  case .add(let number) where number > 10: .replace(.add(10))  // at most ten at once
  default: .pass
  }
}

let store = Store(initialState: 0, feature: Feature(reducer: counter, interceptor: rules))
let counts = Mutex<[Int]>([])
let subscription = store.subscribe { count in counts.withLock { $0.append(count) } }

store.dispatch(.increment)  // 1
store.dispatch(.decrement)  // 0
store.dispatch(.decrement)  // dropped: no observer is called
store.dispatch(.add(100))  // rewritten: 10
subscription.cancel()
store.dispatch(.increment)  // 11, but no observer is called
// snippet.end
print("counts \(counts.withLock { $0 }), in the end \(store.state)")
precondition(counts.withLock { $0 } == [0, 1, 0, 10])
precondition(store.state == 11)

// Two middlewares of one type, with an order, and not merged into one.
let heard = Mutex<[String]>([])

struct Witness: MiddlewareProtocol {
  let name: String
  func handle(action: CounterAction, from source: ActionSource, state: GetState<Int>) -> Effect<CounterAction> {
    heard.withLock { $0.append("\(name) \(action)") }
    return .none
  }
}

let watched = Store(
  initialState: 0,
  feature: Feature(
    reducer: counter, middleware: Middleware(Witness(name: "first")) <> Middleware(Witness(name: "second")),
    interceptor: rules))
watched.dispatch(.add(11))
print(heard.withLock { $0 })
precondition(heard.withLock { $0 } == ["first add(10)", "second add(10)"], "both see what the interceptor decided")
