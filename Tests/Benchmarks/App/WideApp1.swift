import ReeluxCore
import Synchronization

enum WideAction1: Sendable {
  case f0(CounterAction)
}

struct WideState1: Equatable, Sendable {
  var f0 = 0
}

extension Prism<WideAction1, CounterAction> {
  static let f0 = Prism(case: WideAction1.f0) { if case .f0(let it) = $0 { it } else { nil } }
}

extension Feature where Action == WideAction1, State == WideState1 {
  /// One lifted feature.
  static var wide: Feature {
    let counter = Feature<CounterAction, Int>.counter
    return Feature {
      counter.lift(action: .f0, state: \.f0)
    }
  }
}

/// The baseline `mutex` for 1 feature.
final class WideMutexStore1: Sendable {
  private let contents = Mutex(WideState1())

  var state: WideState1 { contents.withLock { $0 } }

  func dispatch(_ action: WideAction1) {
    contents.withLock { state in
      switch action {
      case .f0(let action): reduceCounter(action, &state.f0)
      }
    }
  }
}
