import Synchronization

extension StoreCore {
  /// Adds an observer and calls it at once with the current state.
  ///
  /// While another thread runs the pipeline, this thread calls the observer with
  /// the current state, and the observer is added through the queue. If the state
  /// has changed by then, the observer is first called with the newest one.
  @inlinable
  func subscribe(
    span: StateSpan, end: (@Sendable () -> Void)? = nil,
    notify: @escaping @Sendable (UnsafePointer<State>) -> Void
  ) -> Subscription {
    subscribe(Observer<State>(span: span, end: end, notify: notify)) { state in
      let copy = state.pointee
      return { withUnsafePointer(to: copy) { notify($0) } }
    }
  }

  /// The same, with two parameters for child stores.
  ///
  /// - Parameters:
  ///   - joined: Called on the pipeline when the observer has joined, before it is called there.
  ///   - snapshot: Copies the state for the observer's first call, and returns a closure
  ///     that calls it.
  ///   - seesChildren: Whether this observer is called for a change of a child's own
  ///     state.
  @usableFromInline
  func subscribe(
    _ observer: Observer<State>, joined: @escaping @Sendable () -> Void = {},
    snapshot: (UnsafePointer<State>) -> () -> Void, seesChildren: Bool = false
  ) -> Subscription {
    if isClosed.load(ordering: .acquiring) {
      cell.read(snapshot)()
      observer.end?()
      return Subscription {}
    }
    let me = ThreadID.current()
    if cell.gate.isOwned(by: me) {
      if cell.gate.isReducing { cell.misused("subscribed to the store") }
      join(observer, joined)
    } else if enter(me) {
      join(observer, joined)
      sweepObservers()
      leave(me)
    } else {
      joinLater(observer, joined, snapshot, seesChildren)
    }
    // Weak: a subscription that outlives the store keeps nothing else alive.
    return Subscription { [weak self, weak observer] in
      if let self, let observer { self.remove(observer) }
    }
  }

  @usableFromInline
  func join(_ observer: Observer<State>, _ joined: () -> Void) {
    memory.pointee.observers.append(observer)
    joined()
    observer.notify(UnsafePointer(cell.pointer))
  }

  @usableFromInline
  func joinLater(
    _ observer: Observer<State>, _ joined: @escaping @Sendable () -> Void,
    _ snapshot: (UnsafePointer<State>) -> () -> Void, _ seesChildren: Bool
  ) {
    let (tell, seen) = cell.read { (snapshot($0), changes(ofChildren: seesChildren)) }
    tell()
    perform("subscribed to the store") { [self] in
      guard observer.isAlive.load(ordering: .relaxed) else { return }
      if isClosed.load(ordering: .acquiring) {
        if observer.isAlive.exchange(false, ordering: .relaxed) { observer.end?() }
        return
      }
      memory.pointee.observers.append(observer)
      joined()
      if changes(ofChildren: seesChildren) != seen { observer.notify(UnsafePointer(cell.pointer)) }
    }
  }

  /// How many changes there were; to be called by the owner or inside a read.
  private func changes(ofChildren: Bool) -> UInt64 {
    ofChildren ? cell.changes.pointee &+ cell.childChanges.pointee : cell.changes.pointee
  }

  /// Ends a subscription. After this has returned on the thread that runs the pipeline, no call of the
  /// observer begins.
  @usableFromInline
  func remove(_ observer: Observer<State>) {
    diagnoseReducer("cancelled a subscription")
    guard observer.isAlive.exchange(false, ordering: .acquiringAndReleasing) else { return }
    if cell.gate.isOwned(by: ThreadID.current()) {
      memory.pointee.observers.needsSweep = true
    } else {
      perform("cancelled a subscription") { [self] in memory.pointee.observers.needsSweep = true }
    }
  }

  /// Removes cancelled observers; never during a notification.
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
