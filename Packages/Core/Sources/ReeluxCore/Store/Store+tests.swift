extension Store {
  /// Calls `body` with the state in place, without copying it. `body` must only read it.
  package func withState<Result>(_ body: (State) -> Result) -> Result {
    core.cell.read { body($0.value) }
  }

  /// Sets what is called when a reader begins to wait for a reducer to end, for tests of the order.
  package func whenAReaderWaits(_ body: @escaping @Sendable () -> Void) {
    core.cell.gate.shutOutLock.withLock { _ in core.cell.gate.shutOutReads.whenAReaderWaits = body }
  }

  /// The number of observers. It may be read only while the store is idle.
  package var observerCount: Int {
    var count = 0
    core.cell.read { _ in count = core.memory.value.observers.observers.count }
    return count
  }
}
