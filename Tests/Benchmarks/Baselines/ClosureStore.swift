import Synchronization

/// The baseline `closureStore`: a mutex, a list of reducers and a list of observers, all of them closures.
///
/// Every observer is called for every action, as in the usual small store. A selecting observer keeps the part of its
/// last call and compares.
final class ClosureStore<Action: Sendable, State: Sendable>: Sendable {
  private struct Contents {
    var state: State
    var reducers: [@Sendable (Action, inout State) -> Void]
    var observers: [@Sendable (State) -> Void] = []
  }

  private let contents: Mutex<Contents>

  init(_ state: State, reducers: [@Sendable (Action, inout State) -> Void]) {
    contents = Mutex(Contents(state: state, reducers: reducers))
  }

  var state: State { contents.withLock { $0.state } }

  func dispatch(_ action: Action) {
    contents.withLock { contents in
      for reduce in contents.reducers { reduce(action, &contents.state) }
      for observe in contents.observers { observe(contents.state) }
    }
  }

  func subscribe<Part: Equatable & Sendable>(
    _ select: @escaping @Sendable (State) -> Part, _ observer: @escaping @Sendable (Part) -> Void
  ) {
    contents.withLock { contents in
      let first = select(contents.state)
      observer(first)
      let last = LastPart(first)
      contents.observers.append { state in
        let part = select(state)
        if part == last.part { return }
        last.part = part
        observer(part)
      }
    }
  }
}

/// The part in the last call of an observer. It is used only under the store's mutex.
private final class LastPart<Part>: @unchecked Sendable {
  var part: Part
  init(_ part: Part) { self.part = part }
}

extension ClosureStore where Action == AppAction, State == AppState {
  /// The small app as closures.
  static func app() -> ClosureStore {
    ClosureStore(
      AppState(),
      reducers: [
        { if case .counter(let action) = $0 { reduceCounter(action, &$1.counter) } },
        { if case .favorites(let action) = $0 { reduceFavorites(action, &$1.favorites) } },
        { if case .location(let action) = $0 { reduceLocation(action, &$1.location) } },
      ])
  }
}
