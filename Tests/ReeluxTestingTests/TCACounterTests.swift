import ReeluxCore
import ReeluxTesting
import Testing

// The counter that TCA's README builds, and its test, with the same steps. The page "Coming from TCA and ReSwift" shows
// it.

// snippet.feature
struct Counter: Equatable {
  var count = 0
  var numberFact: String?
}

enum CounterAction {
  case decrementButtonTapped
  case incrementButtonTapped
  case numberFactButtonTapped
  case numberFactResponse(String)
}

extension Feature where Action == CounterAction, State == Counter {
  static func counter(numberFact: @escaping @Sendable (Int) async throws -> String) -> Feature {
    Feature(
      reducer: Reducer { action, counter in
        switch action {
        case .decrementButtonTapped: counter.count -= 1
        case .incrementButtonTapped: counter.count += 1
        case .numberFactButtonTapped: break
        case .numberFactResponse(let fact): counter.numberFact = fact
        }
      },
      middleware: Middleware { action, source, state in
        guard case .numberFactButtonTapped = action else { return .none }
        return .task(catch: { error in nil }) { [count = state().count] in
          .numberFactResponse(try await numberFact(count))
        }
      })
  }
}
// snippet.end

@Suite(.timeLimit(.minutes(15))) struct TCACounterTests {
  // snippet.test
  @Test func countingAndAskingForAFact() async {
    let store = TestStore(initialState: Counter(), feature: .counter { number in "\(number) is even" })

    await store.send(.incrementButtonTapped) { $0.count = 1 }
    await store.send(.decrementButtonTapped) { $0.count = 0 }

    await store.send(.numberFactButtonTapped)
    await store.receive(case: CounterAction.numberFactResponse) { $0.numberFact = "0 is even" }
  }
  // snippet.end
}
