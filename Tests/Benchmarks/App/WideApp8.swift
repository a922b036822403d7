import ReeluxCore
import Synchronization

enum WideAction8: Sendable {
  case f0(CounterAction)
  case f1(CounterAction)
  case f2(CounterAction)
  case f3(CounterAction)
  case f4(CounterAction)
  case f5(CounterAction)
  case f6(CounterAction)
  case f7(CounterAction)
}

struct WideState8: Equatable, Sendable {
  var f0 = 0
  var f1 = 0
  var f2 = 0
  var f3 = 0
  var f4 = 0
  var f5 = 0
  var f6 = 0
  var f7 = 0
}

extension Prism<WideAction8, CounterAction> {
  static let f0 = Prism(case: WideAction8.f0) { if case .f0(let it) = $0 { it } else { nil } }
  static let f1 = Prism(case: WideAction8.f1) { if case .f1(let it) = $0 { it } else { nil } }
  static let f2 = Prism(case: WideAction8.f2) { if case .f2(let it) = $0 { it } else { nil } }
  static let f3 = Prism(case: WideAction8.f3) { if case .f3(let it) = $0 { it } else { nil } }
  static let f4 = Prism(case: WideAction8.f4) { if case .f4(let it) = $0 { it } else { nil } }
  static let f5 = Prism(case: WideAction8.f5) { if case .f5(let it) = $0 { it } else { nil } }
  static let f6 = Prism(case: WideAction8.f6) { if case .f6(let it) = $0 { it } else { nil } }
  static let f7 = Prism(case: WideAction8.f7) { if case .f7(let it) = $0 { it } else { nil } }
}

extension Feature where Action == WideAction8, State == WideState8 {
  /// 8 lifted features.
  static var wide: Feature {
    let counter = Feature<CounterAction, Int>.counter
    return Feature {
      counter.lift(action: .f0, state: \.f0)
      counter.lift(action: .f1, state: \.f1)
      counter.lift(action: .f2, state: \.f2)
      counter.lift(action: .f3, state: \.f3)
      counter.lift(action: .f4, state: \.f4)
      counter.lift(action: .f5, state: \.f5)
      counter.lift(action: .f6, state: \.f6)
      counter.lift(action: .f7, state: \.f7)
    }
  }
}

/// The baseline `mutex` for 8 features.
final class WideMutexStore8: Sendable {
  private let contents = Mutex(WideState8())

  var state: WideState8 { contents.withLock { $0 } }

  func dispatch(_ action: WideAction8) {
    contents.withLock { state in
      switch action {
      case .f0(let action): reduceCounter(action, &state.f0)
      case .f1(let action): reduceCounter(action, &state.f1)
      case .f2(let action): reduceCounter(action, &state.f2)
      case .f3(let action): reduceCounter(action, &state.f3)
      case .f4(let action): reduceCounter(action, &state.f4)
      case .f5(let action): reduceCounter(action, &state.f5)
      case .f6(let action): reduceCounter(action, &state.f6)
      case .f7(let action): reduceCounter(action, &state.f7)
      }
    }
  }
}
