extension StoreCore {
  /// Passes one action through the whole pipeline. The thread that runs the pipeline calls it.
  ///
  /// The stages lend the action and its source to each other, because each copy of an action costs time.
  /// If there is no observer to call and no effect to start, and no interceptor has replaced the action, it ends in the
  /// phase `reducing`. Ending this phase and leaving the pipeline are then one step.
  @inlinable @inline(__always) func process(_ action: Action, _ source: ActionSource) {
    lend(action, source) { action, source in
      if memory.value.interceptors.isEmpty {
        route(action, source)
      } else {
        intercept(action, source)
      }
    }
  }

  /// Stage 1, and then all other stages for each resulting action.
  @inlinable @inline(never) func intercept(_ action: Lent<Action>, _ source: Lent<ActionSource>) {
    cell.gate.move(to: .intercepting)
    guard let actions = memory.value.interceptor.replacements(of: action, source, getState) else {
      return routeOutOfLine(action, source)
    }
    for action in actions {
      lend(action) { routeOutOfLine($0, source) }
      cell.gate.endReducing()
    }
  }

  /// ``route(_:_:)`` as a function that is compiled once.
  @inlinable @inline(never) func routeOutOfLine(_ action: Lent<Action>, _ source: Lent<ActionSource>) {
    route(action, source)
  }

  /// Finds the reducers and middlewares for the action, and passes the action through stages 2 to 5.
  @inlinable @inline(__always) func route(_ action: Lent<Action>, _ source: Lent<ActionSource>) {
    memory.value.current.action = action
    memory.value.current.source = source
    let number = min(enumCase(action) ?? 0, Self.lastRoute)
    if !memory.value.routes.has(number) { addRoute(number, for: action.value) }
    #if DEBUG
      checkPrisms(of: action.value)
    #endif
    memory.value.routes.visit(number) { runStages(of: action, from: source, by: $0) }
  }

  /// The index of the route for all cases with this number or a larger one. An enum of C has its raw values as numbers.
  @usableFromInline static var lastRoute: Int { 1023 }

  /// Finds the reducers and middlewares for the actions of one enum case.
  @usableFromInline func addRoute(_ number: Int, for action: Action) {
    let readsCases = enumCase.isReadable && number < Self.lastRoute
    memory.value.routes.insert(
      Route(
        reducers: memory.value.reducers.filter { !readsCases || $0.unit.claims?(action) ?? true },
        middlewares: memory.value.middlewares.filter { !readsCases || $0.unit.claims?(action) ?? true }),
      at: number)
  }

  #if DEBUG
    /// Calls all prisms, because the route of a case leaves out each prism that did not match the case's first action.
    /// If such a prism matches a later action of the case, it stops the program.
    @usableFromInline func checkPrisms(of action: Action) {
      for reducer in memory.value.reducers { _ = reducer.unit.claims?(action) }
      for middleware in memory.value.middlewares { _ = middleware.unit.claims?(action) }
    }
  #endif

  // MARK: Stages 2 to 5

  /// Stages 2 to 5.
  ///
  /// - Parameter action: `nil` if the action of a child store is not mapped to an action of the root.
  @inlinable @inline(never) func runStages(
    of action: Lent<Action>?, from source: Lent<ActionSource>?, by route: Route<Action, State>
  ) {
    // 2. Middlewares.
    if route.middlewares.count > 0, let action, let source {
      cell.gate.move(to: .handling)
      route.middlewares.forEach { _, middleware in
        let effect = middleware.handle(action, source, getState)
        if !effect.isNone { collect(effect, of: middleware) }
      }
    }

    // 3. Reducers.
    cell.gate.move(to: .reducing)
    if emitsWhenReduced {
      let hasChildren = passed.value.outermost != nil
      let changedChild = hasChildren ? reduceChildren() : nil
      let reduction = runReducers(action, route)
      // If there is no observer to call or to remove, and no effect to start, the action is processed.
      if isQuiet(route, reduction) && (!hasChildren || discardQuietChildren(changedChild)) { return }
      afterReducing(route, reduction, old: nil, changedChild: changedChild)
    } else {
      reduceAndNotify(action, route)
    }

    // 5. Effects.
    if !memory.value.pending.isEmpty { startEffects(&memory.value.pending, sink: self) }
    if passed.value.outermost != nil { startChildEffects() }
  }

  @inlinable @inline(never) func collect(_ effect: Effect<Action>, of middleware: MiddlewareBox<Action, State>) {
    memory.value.pending.append((effect, middleware.owner))
  }

  /// Stages 3 and 4, if the policy is not `whenReduced`.
  @usableFromInline func reduceAndNotify(_ action: Lent<Action>?, _ route: Route<Action, State>) {
    // The policy compares the state with the old one.
    let old: Memory<State>? = if case .when = emits { Memory(cell.state.value) } else { nil }
    let changedChild = reduceChildren()
    afterReducing(route, runReducers(action, route), old: old, changedChild: changedChild)
  }

  /// Stage 3: runs the reducers.
  @inlinable @inline(__always) func runReducers(_ action: Lent<Action>?, _ route: Route<Action, State>) -> Reduction {
    var reduction: Reduction = (0, 0)
    guard let action else { return reduction }
    route.reducers.forEach { index, reducer in
      let outcome = reducer.unit.run(action, &cell.state.value)
      if outcome == .rejected { return }
      if reduction.weight > 0 || outcome == .changedID {
        reduction.weight = collectTouched(by: index, outcome, route, after: reduction)
      } else {
        reduction.weight = 1
      }
      reduction.last = index
    }
    if reduction.weight > 0 { cell.changes.value &+= 1 }
    return reduction
  }

  /// Stores the spans that several reducers may have changed. Returns the new weight.
  @usableFromInline func collectTouched(
    by index: Int, _ outcome: ReducerOutcome, _ route: Route<Action, State>, after before: Reduction
  ) -> Int {
    if before.weight == 1 {
      memory.value.touched.append(route.reducers.visit(before.last) { $0.unit.liftPath.span })
    }
    memory.value.touched.append(route.reducers.visit(index) { $0.unit.liftPath.span })
    return before.weight + (outcome == .changedID ? 2 : 1)
  }

  // MARK: Stage 4

  /// Whether no effect starts, no cancelled observer must be removed, and no observer, feed or running effect of a part
  /// depends on what the reducers of this store may have changed.
  @inlinable @inline(__always) func isQuiet(_ route: Route<Action, State>, _ reduction: Reduction) -> Bool {
    if reduction.weight > 1 || !memory.value.pending.isEmpty || memory.value.observers.hasCancelled { return false }
    if reduction.weight == 0 { return true }
    return route.reducers.visit(reduction.last) { reducer in
      if reducer.watchers.value.version != memory.value.observers.version { refreshWatchers(of: reducer) }
      return reducer.watchers.value.isEmpty
    }
  }

  @inlinable @inline(never) func refreshWatchers(of reducer: ReducerBox<Action, State>) {
    reducer.watchers.value = Watchers(
      of: reducer.unit.liftPath.span, in: memory.value.observers, hasFeedsOrParts: hasFeedsOrParts(in: reducer.unit))
  }

  /// Makes each reducer look up its observers, feeds and parts again before its next use.
  func invalidateWatchers() {
    memory.value.observers.version += 1
  }

  /// Whether a feed, or a part of the state with effects, depends on what this reducer may change.
  @usableFromInline func hasFeedsOrParts(in unit: ReducerUnit<Action, State>) -> Bool {
    memory.value.feeders.contains { $0.span.overlaps(unit.liftPath.span) }
      || memory.value.parts.mayRemoveParts(byReducerAt: unit.liftPath)
  }

  /// Stage 4. Then the effects of parts that the action removed end, and feeds open and close.
  @usableFromInline func afterReducing(
    _ route: Route<Action, State>, _ reduction: Reduction, old: borrowing Memory<State>?,
    changedChild: Lent<ChildLink>?
  ) {
    cell.gate.move(to: .notifying)
    // Observers of child stores read the whole state, so they are in the root's table.
    if emitsWhenReduced && reduction.weight == 1 {
      notify(route, reducer: reduction.last)
    } else if shouldEmit(reduction, old: old) {
      memory.value.emittedChange = cell.changes.value
      notifyAll()
    } else if let changedChild {
      for observer in changedChild.value.observers { observer.callIfAlive() }
    }

    if reduction.weight > 0 {
      if !memory.value.parts.isEmpty && mayHaveRemovedParts(route, reduction) {
        endRemovedParts { isTouched($0, route, reduction) }
      }
      for feeder in memory.value.feeders where isTouched(feeder.span, route, reduction) { feeder.updateFeeds() }
      if reduction.weight > 1 { memory.value.touched.removeAll(keepingCapacity: true) }
    } else if let changedChild {
      updateFeeds(of: changedChild)
    }
  }

  private func shouldEmit(_ reduction: Reduction, old: borrowing Memory<State>?) -> Bool {
    switch emits {
    case .whenReduced: return reduction.weight > 0
    case .always: return memory.value.current.action != nil
    case .never: return false
    case .when(let predicate):
      if reduction.weight == 0 { return false }
      switch old {
      case .some(let old): return predicate(old.address.value, cell.state.value)
      case .none: return true
      }
    }
  }

  /// Calls the observers of the bytes that this reducer may write.
  @inline(__always) private func notify(_ route: Route<Action, State>, reducer index: Int) {
    route.reducers.visit(index) { reducer in
      if reducer.watchers.value.version != memory.value.observers.version { refreshWatchers(of: reducer) }
      reducer.watchers.value.observers.forEach { _, observer in observer.callIfAlive() }
    }
  }

  /// Calls the observers in their order. With the policy `whenReduced`, it leaves out those that read only bytes that
  /// the reducers have not changed.
  private func notifyAll() {
    for observer in memory.value.observers.observers
    where !emitsWhenReduced || memory.value.touched.contains(where: { $0.overlaps(observer.span) }) {
      observer.callIfAlive()
    }
  }

  /// Whether the action may have removed a part of the state that has effects.
  private func mayHaveRemovedParts(_ route: Route<Action, State>, _ reduction: Reduction) -> Bool {
    if reduction.weight > 1 { return memory.value.parts.mayRemoveParts { isTouched($0, route, reduction) } }
    return route.reducers.visit(reduction.last) { memory.value.parts.mayRemoveParts(byReducerAt: $0.unit.liftPath) }
  }

  /// Whether the action may have changed these bytes.
  private func isTouched(_ span: StateSpan, _ route: Route<Action, State>, _ reduction: Reduction) -> Bool {
    reduction.weight == 1
      ? span.overlaps(route.reducers.visit(reduction.last) { $0.unit.liftPath.span })
      : memory.value.touched.contains(where: span.overlaps)
  }
}
