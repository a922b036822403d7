public import Synchronization

extension StoreCore {
  /// Adds an observer and gives it the current state at once.
  ///
  /// While another thread runs the pipeline, the observer gets the state as it
  /// is now on this thread, and joins through the queue; if the state has changed
  /// by then, it gets the newest one first.
  @inlinable
  func subscribe(
    span: StateSpan, end: (@Sendable () -> Void)? = nil,
    notify: @escaping @Sendable (UnsafePointer<State>) -> Void
  ) -> Subscription {
    let observer = Observer<State>(span: span, end: end, notify: notify)
    if isClosed.load(ordering: .acquiring) {
      cell.read { notify($0) }
      end?()
      return Subscription {}
    }
    let me = ThreadID.current()
    if cell.gate.isOwned(by: me) {
      if cell.gate.isReducing { cell.misused("subscribed to the store") }
      join(observer)
    } else if cell.gate.enter(me, reducing: false) {
      join(observer)
      sweepObservers()
      if !cell.gate.leave(me, reducing: false) { drain(me, isReducing: false) }
    } else {
      joinLater(observer)
    }
    return Subscription { [weak self] in self?.remove(observer) }
  }

  @inlinable
  func join(_ observer: Observer<State>) {
    memory.pointee.observers.append(observer)
    observer.notify(UnsafePointer(cell.pointer))
  }

  @inlinable
  func joinLater(_ observer: Observer<State>) {
    let changes = cell.changes
    let (snapshot, seen) = cell.read { ($0.pointee, changes.pointee) }
    withUnsafePointer(to: snapshot) { observer.notify($0) }
    perform { [self] in
      guard observer.isAlive.load(ordering: .relaxed) else { return }
      memory.pointee.observers.append(observer)
      if cell.changes.pointee != seen { observer.notify(UnsafePointer(cell.pointer)) }
    }
  }

  /// Ends an observer's membership; no call to it begins after this returned on the pipeline's thread.
  @usableFromInline
  func remove(_ observer: Observer<State>) {
    guard observer.isAlive.exchange(false, ordering: .acquiringAndReleasing) else { return }
    if cell.gate.isOwned(by: ThreadID.current()) {
      memory.pointee.observers.needsSweep = true
    } else {
      perform { [self] in memory.pointee.observers.needsSweep = true }
    }
  }

  /// Removes cancelled observers; never in the middle of a round.
  @inlinable
  @inline(__always)
  func sweepObservers() {
    if memory.pointee.observers.needsSweep { sweepObserversSlowly() }
  }

  @usableFromInline
  func sweepObserversSlowly() {
    let removed = memory.pointee.observers.sweep()
    // Released here, after the table is in order again: their teardown may subscribe or cancel.
    withExtendedLifetime(removed) {}
  }
}
