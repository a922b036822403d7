import Synchronization

/// The baseline `mutex`: a hand-written `switch` under a mutex.
final class MutexStore: Sendable {
  private let contents = Mutex(AppState())

  var state: AppState { contents.withLock { $0 } }

  func dispatch(_ action: AppAction) {
    contents.withLock { state in
      switch action {
      case .counter(let action): reduceCounter(action, &state.counter)
      case .favorites(let action): reduceFavorites(action, &state.favorites)
      case .location(let action): reduceLocation(action, &state.location)
      }
    }
  }
}
