import Synchronization

/// The baseline `fifo`: what a store's promise about threads costs when it is written by hand.
///
/// A thread that finds it idle reduces. Another thread puts its action into a queue
/// meanwhile, and goes on.
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
