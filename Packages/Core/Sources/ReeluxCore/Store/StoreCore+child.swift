extension StoreCore {
  /// This store as a parent of child stores.
  @inlinable var asParent: ChildParent<Action, State> {
    ChildParent(
      root: self, links: [], runIfIdle: { [self] in runIfIdle($0, $1, $2) },
      copyState: { [self] in cell.state.value }, process: { [self] in processTransaction($0, $1) },
      reportRunaway: { [self] in reportRunaway($0, $1) })
  }
}

/// The pipeline of a root store, for its child stores.
extension StoreCore: RootPipeline {
  @usableFromInline var generation: Int {
    get { memory.value.current.inherited?.generation ?? 0 }
    set { memory.value.current.inherited?.generation = newValue }
  }

  @usableFromInline func read<Result>(_ body: () -> Result) -> Result {
    cell.read { _ in body() }
  }

  @usableFromInline func enqueueWork(
    from origin: SendOrigin?, _ me: UInt, _ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void
  ) -> ActionTask.Progress {
    diagnoseReducer(operation())
    return enqueue(.work(work), from: origin ?? newOrigin(me), me)
  }

  @usableFromInline func reportRunaway(_ action: () -> Action?, _ source: ActionSource) -> Bool {
    runawayGuard?.reportRunaway(action, source, in: self) ?? false
  }

  /// Processes one transaction: the actions of the child stores, and the action that they are mapped to, if there is
  /// one.
  @inlinable func processTransaction(_ action: Action?, _ source: ActionSource) {
    if let action { process(action, source) }
    // There is no action of the root, or the interceptors dropped it.
    if passed.value.outermost != nil {
      memory.value.current.action = nil
      runStages(of: nil, from: nil, by: emptyRoute)
    }
  }

  /// Stage 3 of the child stores. Returns the outermost one that has changed.
  @inlinable func reduceChildren() -> Lent<ChildLink>? {
    guard let outermost = passed.value.outermost, let changed = runReducers(of: outermost) else { return nil }
    cell.childChanges.value &+= 1
    return changed
  }

  /// Runs the reducers of the child stores that the action passed before this one, and then those of this one. Returns
  /// the outermost child that has changed.
  @inlinable func runReducers(of child: Lent<ChildLink>) -> Lent<ChildLink>? {
    let changed = child.value.below.flatMap { runReducers(of: $0) }
    passed.value.reducing = child
    defer { passed.value.reducing = nil }
    return child.value.reduce() ? child : changed
  }

  /// Discards the child stores that the action came through if nothing is to be done for them after the reducers.
  /// Returns false if something is to be done.
  @inlinable func discardQuietChildren(_ changed: Lent<ChildLink>?) -> Bool {
    if passed.value.hasEffects { return false }
    if let changed, changed.value.hasWatchers || !memory.value.parts.isEmpty { return false }
    passed.value = PassedChildren()
    return true
  }

  /// Ends the effects of parts that the action removed. Opens and closes the feeds of a child store and of its
  /// children.
  @usableFromInline func updateFeeds(of child: Lent<ChildLink>) {
    if !memory.value.parts.isEmpty { endRemovedParts { $0 == .whole } }
    for feeder in child.value.feeders { feeder.updateFeeds() }
  }

  /// Stage 5 of the child stores, the outermost first. The action has then passed all of them.
  @usableFromInline func startChildEffects() {
    let children = passed.value
    passed.value = PassedChildren()
    var next = children.hasEffects ? children.outermost : nil
    while let child = next {
      child.value.startEffects()
      next = child.value.below
    }
  }

  @usableFromInline func endReducing() {
    cell.gate.endReducing()
  }
}
