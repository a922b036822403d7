extension Store {
  /// Calls `body` with the state in place, without copying it; `body` must only read it.
  package func withState<Result>(_ body: (State) -> Result) -> Result {
    core.cell.read { body($0.pointee) }
  }

  /// How many items the queue has room for, to be asked while it is idle; for tests of its memory.
  package var queueCapacity: Int {
    var capacity = core.queue.capacity
    core.cell.read { _ in capacity += core.memory.pointee.taken.capacity }
    return capacity
  }

  /// Whether a reader waits for a reducer to end; for tests of their order.
  package var isReaderWaiting: Bool { core.cell.gate.isReaderWaiting }

  /// How many observers the store has; to be asked while it is idle.
  package var observerCount: Int {
    var count = 0
    core.cell.read { _ in count = core.memory.pointee.observers.observers.count }
    return count
  }
}

extension Store: ActionTaskProvider {
  package func send(_ action: Action, from source: ActionSource) -> ActionTask {
    ActionTask(core.dispatch(action, from: source), core)
  }
}
