extension StoreCore {
  /// This store as a parent of child stores.
  @inlinable var asParent: ChildParent<Action, State> {
    ChildParent(
      self, enter: { [self] in enter($0, group: $1) }, leave: { [self] in leaveAfterAction($0) },
      current: { [self] in cell.memory.value },
      process: { [self] action, source, child in processTransaction(action, source, child) },
      dropsRunaway: { [self] in dropsRunaway($0, $1) })
  }
}

/// The pipeline of a root store, for its child stores.
extension StoreCore: ParentPipeline, RootPipeline {
  @usableFromInline var root: any RootPipeline { self }
  @usableFromInline var generation: Int { memory.value.current.generation }

  @usableFromInline func read<Result>(_ body: () -> Result) -> Result {
    cell.read { _ in body() }
  }

  @usableFromInline func enqueue(
    _ context: ActionContext, _ me: UInt, _ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void
  ) -> ActionTask.Progress {
    diagnoseReducer(operation())
    if context.origin == nil { return enqueueFresh(.work(work), me) }
    enqueue(.work(work), context, me)
    return .finished
  }

  @usableFromInline func dropsRunaway(_ action: () -> Action?, _ source: ActionSource) -> Bool {
    guard let runawayGuard, generation > runawayGuard.limit, let action = action() else { return false }
    runawayGuard.report(DispatchedAction(action, source: source))
    return true
  }

  /// Processes one transaction: a child's action and, if there is one, the action that it is mapped to.
  @inlinable func processTransaction(_ action: Action?, _ source: ActionSource, _ child: ChildStages) {
    lend(child) { lent in
      memory.value.child = lent
      if let action { process(action, source) }
      // The child's action maps to no action of the root, or the interceptors dropped that action.
      if memory.value.child != nil { processChildOnly(child) }
    }
  }

  /// An action of a child that is not mapped to an action of the root.
  ///
  /// As in ``process(_:_:)``, it ends in the phase `reducing` if there is nothing else to do.
  @inlinable func processChildOnly(_ child: ChildStages) {
    memory.value.current.action = nil
    cell.gate.move(to: .reducing)
    let outcome = child.run(.reduce)
    memory.value.child = nil
    if outcome.isAccepted { cell.childChanges.value &+= 1 }
    if outcome.isUnfinished || !memory.value.parts.isEmpty || memory.value.observers.hasCancelled {
      finishChildOnly(child, outcome)
    }
  }

  /// The stages after the reducers, for an action that is not mapped to an action of the root.
  @usableFromInline func finishChildOnly(_ child: ChildStages, _ outcome: ChildStages.Outcome) {
    cell.gate.move(to: .notifying)
    if outcome.isAccepted {
      _ = child.run(.notify)
      if !memory.value.parts.isEmpty { endGoneParts { $0 == .whole } }
      _ = child.run(.updateFeeds)
    }
    _ = child.run(.startEffects)
  }

  @usableFromInline func endReducing() {
    cell.gate.endReducing()
  }

  @usableFromInline func subscribe(
    _ observer: ChildObserver, added: @escaping @Sendable () -> Void, snapshot: () -> () -> Void
  ) -> Subscription {
    subscribe(
      Observer(span: .whole, end: observer.finish) { _ in observer.notify() }, added: added,
      snapshot: { _ in snapshot() }, seesChildren: true)
  }

  /// Does nothing, because the observer is already one of this store's observers.
  @usableFromInline func add(_ observer: ChildObserver) {}
  @usableFromInline func remove(_ observer: ChildObserver) {}

  @usableFromInline func add(_ feeder: Feeder) {
    memory.value.childFeeders.append(feeder)
    membersChanged()
  }

  @usableFromInline func remove(_ feeder: Feeder) {
    memory.value.childFeeders.removeAll { $0 === feeder }
    membersChanged()
  }
}
