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

  @usableFromInline func subscribe<Child: Sendable>(
    end: @escaping @Sendable () -> Void, _ notify: @escaping @Sendable (Child) -> Void,
    of current: @escaping @Sendable () -> Child, in links: [MemoryCell<ChildLink>]
  ) -> Subscription {
    subscribe(Observer(span: .whole, end: end) { _ in notify(current()) }, in: links) { _ in
      let copy = current()
      return { notify(copy) }
    }
  }

  /// Adds an observer.
  ///
  /// - Parameters:
  ///   - links: The child store that the observer reads, and the parents of this child that are child stores.
  ///   - snapshot: Copies the state for the observer's first call. Returns a closure that makes this call.
  private func subscribe(
    _ observer: Observer<State>, in links: [MemoryCell<ChildLink>] = [], snapshot: (Lent<State>) -> () -> Void
  ) -> Subscription {
    if effects.isClosed {
      cell.read(snapshot)()
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

  private func add(_ observer: Observer<State>, in links: [MemoryCell<ChildLink>], isCalled: Bool = true) {
    memory.value.observers.append(observer)
    guard let child = links.first else {
      if isCalled { observer.notify(cell.memory.lent) }
      return
    }
    // It is added before its first call. An observer that this call subscribes comes after it.
    let member = ChildObserver(
      id: ObjectIdentifier(observer),
      notify: { [cell] in observer.callIfAlive(cell.memory.lent) },
      finish: { [self] in
        observer.finish()
        forget(observer, in: links)
      })
    let hasEnded = child.value.hasEnded
    if !hasEnded { for link in links { link.value.observers.append(member) } }
    if isCalled { observer.notify(cell.memory.lent) }
    if hasEnded { member.finish() }
  }

  private func addLater(
    _ observer: Observer<State>, in links: [MemoryCell<ChildLink>], _ snapshot: (Lent<State>) -> () -> Void
  ) {
    let (callFirst, seen) = cell.read { (snapshot($0), (cell.changes.value, cell.childChanges.value)) }
    callFirst()
    perform("subscribed to the store") { [self] in
      guard observer.isAlive.load(ordering: .relaxed), !effects.isClosed else { return }
      let emitted = emitsWhenReduced ? cell.changes.value : memory.value.emittedChange
      let hasChildChanged = !links.isEmpty && cell.childChanges.value != seen.1
      add(observer, in: links, isCalled: emitted > seen.0 || hasChildChanged)
    }
  }

  /// Ends a subscription. After this has returned on the thread that runs the pipeline, no call of the observer starts.
  private func remove(_ observer: Observer<State>, in links: [MemoryCell<ChildLink>]) {
    diagnoseReducer("cancelled a subscription")
    guard observer.isAlive.exchange(false, ordering: .acquiringAndReleasing) else { return }
    if cell.gate.isRun(by: currentThreadID()) {
      forget(observer, in: links)
    } else {
      perform("cancelled a subscription") { [self] in forget(observer, in: links) }
    }
  }

  private func forget(_ observer: Observer<State>, in links: [MemoryCell<ChildLink>]) {
    memory.value.observers.cancel(observer)
    for link in links { link.value.observers.removeAll { $0.id == ObjectIdentifier(observer) } }
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
