import ReeluxCore
import Synchronization

extension Group {
  /// W13: each action reaches each of 10,000 elements, of a stored and of a computed property. An element counts as an
  /// action, so the figures are for one element.
  static let eachElement = Group(
    contestants: [
      Contestant(name: "W13-stored", actions: 10_000_000) { try reachEach(\.numbers, $0) },
      Contestant(name: "W13-computed", actions: 10_000_000) { try reachEach(\.computedNumbers, $0) },
      Contestant(name: "loop", actions: 10_000_000) { elements in
        let state = NumbersStore()
        let sample = measure {
          for _ in 0..<(elements / numberOfElements) { state.dispatch(.add(1)) }
        }
        try check(state.sum, is: elements / numberOfElements * numberOfElements, "loop")
        return sample
      },
    ],
    comparisons: [
      Comparison("W13-stored", "loop", target: .more(10)), Comparison("W13-computed", "loop", target: .more(10)),
    ])
}

private let numberOfElements = 10_000

private struct NumbersState: Equatable, Sendable {
  var numbers = [Int](repeating: 0, count: numberOfElements)

  var computedNumbers: [Int] {
    get { numbers }
    set { numbers = newValue }
  }
}

private func reachEach(
  _ path: any WritableKeyPath<NumbersState, [Int]> & Sendable, _ elements: Int
) throws -> Sample {
  let store = Store(
    initialState: NumbersState(),
    feature: Feature<CounterAction, Int>.counter.lift(action: .identity, each: path))
  let sample = measure {
    for _ in 0..<(elements / numberOfElements) { store.dispatch(.add(1)) }
  }
  try check(store.state.numbers.reduce(0, +), is: elements / numberOfElements * numberOfElements, "W13")
  return sample
}

/// The baseline `loop`: a loop under a mutex.
private final class NumbersStore: Sendable {
  private let contents = Mutex(NumbersState())

  var sum: Int { contents.withLock { $0.numbers.reduce(0, +) } }

  func dispatch(_ action: CounterAction) {
    contents.withLock { state in
      for index in state.numbers.indices { reduceCounter(action, &state.numbers[index]) }
    }
  }
}
