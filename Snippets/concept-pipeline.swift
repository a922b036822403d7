// Every stage of the pipeline notes its name. The program checks the order.
import ReeluxCore
import Synchronization

enum CounterAction: Sendable {
  case add(Int)
}

let trace = Mutex<[String]>([])

func note(_ event: String) {
  trace.withLock { $0.append(event) }
}

// snippet.trace
func witness(_ name: String) -> Middleware<CounterAction, CounterAction, Int> {
  Middleware { action, source, state in
    note("\(name) before: \(state())")
    return .afterReducer { send in note("\(name) after: \(state())") }
  }
}

let counter = Feature<CounterAction, Int>(
  reducer: Reducer { action, count in
    note("reducer")
    switch action {
    case .add(let number): count += number
    }
  },
  middleware: witness("first") <> witness("second"),
  interceptor: Interceptor { action, source, state in
    note("interceptor")
    return .pass
  })

let store = Store(initialState: 0, feature: counter)
let subscription = store.subscribe { note("observer: \($0)") }
store.dispatch(.add(1))
// snippet.end

let expected = [
  "observer: 0", "interceptor", "first before: 0", "second before: 0", "reducer", "observer: 1",
  "second after: 1", "first after: 1",
]
let seen = trace.withLock { $0 }
for line in seen { print(line) }
precondition(seen == expected, "the order of the pipeline is \(expected)")
precondition(store.state == 1)

// snippet.fifo
enum Step: Sendable, Equatable {
  case first, second, third
}

let steps = Store(
  initialState: [Step](),
  reducer: Reducer<Step, [Step]> { step, log in log.append(step) },
  middleware: Middleware { step, source, state in
    step == .first ? .send([.second, .third]) : .none
  })
steps.dispatch(.first)  // returns when all three are processed
print(steps.state)
// snippet.end
precondition(steps.state == [.first, .second, .third])
