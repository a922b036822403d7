import Synchronization

extension StoreCore {
  /// Adds an observer and calls it immediately with the current state.
  ///
  /// While another thread runs the pipeline, this thread calls the observer with the current state, and the observer is
  /// added through the queue. If a change was emitted in the meantime, the observer is called again when it is added.
  @inlinable func subscribe(
    span: StateSpan, end: @escaping @Sendable () -> Void, notify: @escaping @Sendable (Lent<State>) -> Void
  ) -> Subscription {
    let cell = cell
    return subscribe(Observer(span: span, end: end) { notify(cell.state.lent) }, in: []) {
      let copy = cell.state.value
      return { lend(copy, to: notify) }
    }
  }

  @usableFromInline func subscribe(
    _ observer: Observer, in links: [MemoryCell<ChildLink>], snapshot: () -> () -> Void
  ) -> Subscription {
    if effects.isClosed {
      read(snapshot)()
      observer.finish()
      return Subscription {}
    }
    let me = currentThreadID()
    if cell.gate.isRun(by: me) {
      if cell.gate.isReducing { cell.misused("subscribed to the store") }
      add(observer, in: links)
    } else if enter(me) {
      add(observer, in: links)
      drainAndLeave(me)
    } else {
      addLater(observer, in: links, snapshot)
    }
    // The references are weak, so a subscription that outlives the store retains nothing else.
    return Subscription { [weak self, weak observer] in
      if let self, let observer { self.remove(observer, in: links) }
    }
  }

  private func add(_ observer: Observer, in links: [MemoryCell<ChildLink>], isCalled: Bool = true) {
    // It is added before its first call. An observer that this call subscribes comes after it.
    memory.value.observers.append(observer)
    let hasEnded = links.first?.value.hasEnded == true
    if !hasEnded { for link in links { link.value.observers.append(observer) } }
    if isCalled { observer.notify() }
    if hasEnded {
      observer.finish()
      forget(observer, in: links)
    }
  }

  private func addLater(
    _ observer: Observer, in links: [MemoryCell<ChildLink>], _ snapshot: () -> () -> Void
  ) {
    let (callFirst, seen) = read { (snapshot(), (cell.changes.value, cell.childChanges.value)) }
    callFirst()
    perform("subscribed to the store") { [self] in
      guard observer.isAlive.load(ordering: .relaxed), !effects.isClosed else { return }
      let emitted = emitsWhenReduced ? cell.changes.value : memory.value.emittedChange
      let hasChildChanged = !links.isEmpty && cell.childChanges.value != seen.1
      add(observer, in: links, isCalled: emitted > seen.0 || hasChildChanged)
    }
  }

  /// Ends a subscription. After this has returned on the thread that runs the pipeline, no call of the observer starts.
  private func remove(_ observer: Observer, in links: [MemoryCell<ChildLink>]) {
    diagnoseReducer("cancelled a subscription")
    guard observer.isAlive.exchange(false, ordering: .acquiringAndReleasing) else { return }
    perform("cancelled a subscription") { [self] in forget(observer, in: links) }
  }

  @usableFromInline func forget(_ observer: Observer, in links: [MemoryCell<ChildLink>]) {
    memory.value.observers.cancel(observer)
    for link in links { link.value.observers.removeAll { $0 === observer } }
  }

  /// Removes cancelled observers, after each item of the queue and before the thread leaves. It is never called during
  /// a notification.
  @inlinable @inline(__always) func removeCancelledObservers() {
    if memory.value.observers.hasCancelled { removeCancelledObserversSlowly() }
  }

  @usableFromInline func removeCancelledObserversSlowly() {
    // The release of an observer may cancel another one.
    while memory.value.observers.hasCancelled {
      let removed = memory.value.observers.removeCancelled()
      for reducer in memory.value.reducers { reducer.watchers.value = Watchers() }
      // The observers are released when the table is consistent again, because their release may subscribe or cancel.
      withExtendedLifetime(removed) {}
    }
  }
}
