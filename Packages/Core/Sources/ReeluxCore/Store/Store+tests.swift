extension Store {
  /// The number of observers. It may be read only while the store is idle.
  package var observerCount: Int {
    var count = 0
    core.cell.read { _ in count = core.memory.value.observers.observers.count }
    return count
  }
}
