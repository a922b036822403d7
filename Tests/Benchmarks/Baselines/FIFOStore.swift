import Synchronization

/// The baseline `fifo`: a hand-written version of a store's guarantees about threads.
///
/// A thread that finds the store idle reduces its action. Any other thread adds its action to a queue and returns.
final class FIFOStore: Sendable {
  private struct Queue {
    var actions: [AppAction] = []
    var isRunning = false
  }

  private let queue = Mutex(Queue())
  private let contents = Mutex(AppState())

  var state: AppState { contents.withLock { $0 } }

  func dispatch(_ action: AppAction) {
    let isMine = queue.withLock { queue in
      if queue.isRunning {
        queue.actions.append(action)
        return false
      }
      queue.isRunning = true
      return true
    }
    guard isMine else { return }
    reduce(action)
    var batch: [AppAction] = []
    while true {
      batch.removeAll(keepingCapacity: true)
      queue.withLock { queue in
        swap(&queue.actions, &batch)
        if batch.isEmpty { queue.isRunning = false }
      }
      if batch.isEmpty { return }
      for action in batch { reduce(action) }
    }
  }

  private func reduce(_ action: AppAction) {
    contents.withLock { state in
      switch action {
      case .counter(let action): reduceCounter(action, &state.counter)
      case .favorites(let action): reduceFavorites(action, &state.favorites)
      case .location(let action): reduceLocation(action, &state.location)
      }
    }
  }
}
