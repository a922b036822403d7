import Synchronization

extension StoreCore {
  /// Adds an observer and calls it immediately with the current state.
  ///
  /// While another thread runs the pipeline, this thread calls the observer with the current state, and the observer is
  /// added through the queue. If a change was emitted in the meantime, the observer is called again when it is added.
  @usableFromInline func subscribe(
    span: StateSpan, end: @escaping @Sendable () -> Void, notify: @escaping @Sendable (Lent<State>) -> Void
  ) -> Subscription {
    subscribe(Observer<State>(span: span, end: end, notify: notify)) { state in
      let copy = state.value
      return { lend(copy, to: notify) }
    }
  }

  /// Adds an observer, with further parameters for child stores.
  ///
  /// - Parameters:
  ///   - added: Called on the pipeline's thread when the observer has been added, after the observer's first call.
  ///   - snapshot: Copies the state for the observer's first call. Returns a closure that makes this call.
  ///   - seesChildren: Whether this observer is called for a change of a child's own state.
  @usableFromInline func subscribe(
    _ observer: Observer<State>, added: @escaping @Sendable () -> Void = {},
    snapshot: (Lent<State>) -> () -> Void, seesChildren: Bool = false
  ) -> Subscription {
    if effects.isClosed {
      cell.read(snapshot)()
      observer.finish()
      return Subscription {}
    }
    let me = currentThreadID()
    if cell.gate.isRun(by: me) {
      if cell.gate.isReducing { cell.misused("subscribed to the store") }
      add(observer, added)
    } else if enter(me) {
      add(observer, added)
      leave(me)
    } else {
      addLater(observer, added, snapshot, seesChildren)
    }
    // The references are weak, so a subscription that outlives the store retains nothing else.
    return Subscription { [weak self, weak observer] in
      if let self, let observer { self.remove(observer) }
    }
  }

  @usableFromInline func add(_ observer: Observer<State>, _ added: () -> Void) {
    memory.value.observers.append(observer)
    observer.notify(cell.memory.lent)
    added()
  }

  @usableFromInline func addLater(
    _ observer: Observer<State>, _ added: @escaping @Sendable () -> Void,
    _ snapshot: (Lent<State>) -> () -> Void, _ seesChildren: Bool
  ) {
    let (callFirst, seen) = cell.read { (snapshot($0), (cell.changes.value, cell.childChanges.value)) }
    callFirst()
    perform("subscribed to the store") { [self] in
      guard observer.isAlive.load(ordering: .relaxed), !effects.isClosed else { return }
      memory.value.observers.append(observer)
      added()
      let emitted = emitsWhenReduced ? cell.changes.value : memory.value.emittedChange
      if emitted > seen.0 || seesChildren && cell.childChanges.value != seen.1 { observer.notify(cell.memory.lent) }
    }
  }

  /// Ends a subscription. After this has returned on the thread that runs the pipeline, no call of the observer starts.
  @usableFromInline func remove(_ observer: Observer<State>) {
    diagnoseReducer("cancelled a subscription")
    guard observer.isAlive.exchange(false, ordering: .acquiringAndReleasing) else { return }
    if cell.gate.isRun(by: currentThreadID()) {
      memory.value.observers.cancel(observer)
    } else {
      perform("cancelled a subscription") { [self] in memory.value.observers.cancel(observer) }
    }
  }

  /// Removes cancelled observers, after each item of the queue and before the thread leaves. It is never called during a
  /// notification.
  @inlinable @inline(__always) func removeCancelledObservers() {
    if memory.value.observers.hasCancelled { removeCancelledObserversSlowly() }
  }

  @usableFromInline func removeCancelledObserversSlowly() {
    let removed = memory.value.observers.removeCancelled()
    for reducer in memory.value.reducers { reducer.watchers.value = Watchers() }
    // The observers are released when the table is consistent again, because their release may subscribe or cancel.
    withExtendedLifetime(removed) {}
  }
}
