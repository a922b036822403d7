public import Synchronization

extension StoreCore {
  /// The reducers and middlewares for this action.
  @inlinable
  @inline(__always)
  func route(for action: UnsafePointer<Action>) -> Unmanaged<Route<Action, State>> {
    let index = enumCase(action) ?? 0
    if index < memory.pointee.routes.count, let route = memory.pointee.routes[index] { return route }
    return makeRoute(at: index, for: action)
  }

  @usableFromInline
  func makeRoute(at index: Int, for action: UnsafePointer<Action>) -> Unmanaged<Route<Action, State>> {
    let asks = enumCase.witness != nil
    let route = Route(
      reducers: memory.pointee.reducers.filter { !asks || $0.claims?(action.pointee) ?? true },
      middlewares: memory.pointee.middlewares.filter { !asks || $0.claims?(action.pointee) ?? true })
    if index >= memory.pointee.routes.count {
      let larger = UnsafeMutableBufferPointer<Unmanaged<Route<Action, State>>?>.allocate(
        capacity: max(index + 1, memory.pointee.routes.count * 2))
      larger.initialize(repeating: nil)
      for (place, route) in memory.pointee.routes.enumerated() { larger[place] = route }
      memory.pointee.routes.deallocate()
      memory.pointee.routes = larger
    }
    let unmanaged = Unmanaged.passUnretained(route)
    memory.pointee.routeOwners.append(route)
    memory.pointee.routes[index] = unmanaged
    return unmanaged
  }

  /// Passes one action through the whole pipeline; called by the thread that
  /// runs it.
  ///
  /// Ends in the phase `reducing` if there was no observer to call and no effect to start: ending that phase and leaving
  /// the pipeline are one step then.
  @inlinable
  func process(_ action: Action, _ source: ActionSource) {
    withUnsafePointer(to: action) { action in
      withUnsafePointer(to: source) { place in
        memory.pointee.current.source = place
        if memory.pointee.interceptors.isEmpty {
          processIntercepted(action, source)
        } else {
          processIntercepting(action, source, child: nil)
        }
      }
    }
  }

  /// Stage 1, and for each action that comes out of it all the others.
  @inlinable
  @inline(never)
  func processIntercepting(_ action: UnsafePointer<Action>, _ source: ActionSource, child: (any ChildStages)?) {
    cell.gate.move(to: .intercepting)
    memory.pointee.current.action = action
    guard let actions = memory.pointee.interceptor.changes(of: action, source, getState) else {
      return processIntercepted(action, source, child: child)
    }
    var child = child
    for action in actions {
      withUnsafePointer(to: action) { processIntercepted($0, source, child: child) }
      cell.gate.endReducing()
      child = nil
    }
    if let child { processLocally(child) }
  }

  /// Stages 2 to 5.
  @inlinable
  @inline(__always)
  func processIntercepted(_ action: UnsafePointer<Action>, _ source: ActionSource) {
    let route = handle(action, source)
    cell.gate.move(to: .reducing)
    let old = keepsOldState ? copyOfState() : nil
    let reduction = reduce(action, route)
    if emitsWhenReduced && reduction.accepted < 2 && memory.pointee.pending.isEmpty && memory.pointee.parts.isEmpty {
      // No observer to call and no effect to start: the action is processed.
      if reduction.accepted == 0 || isQuiet(route, reducer: reduction.last) { return }
    }
    afterReducing(route, reduction, old: old)
  }

  /// Stages 2 to 5, for actions that an interceptor or a child store has seen: one copy for all of them.
  @inlinable
  @inline(never)
  func processIntercepted(_ action: UnsafePointer<Action>, _ source: ActionSource, child: (any ChildStages)?) {
    guard let child else { return processIntercepted(action, source) }
    let route = handle(action, source)
    cell.gate.move(to: .reducing)
    let old = keepsOldState ? copyOfState() : nil
    let isChanged = child.reduce()
    if isChanged { cell.childChanges.pointee &+= 1 }
    let reduction = reduce(action, route)
    afterReducing(route, reduction, old: old, child: isChanged ? child : nil)
    child.startEffects()
  }

  /// Stage 2: asks the middlewares, and returns the members that the action concerns.
  @inlinable
  @inline(__always)
  func handle(_ action: UnsafePointer<Action>, _ source: ActionSource) -> Unmanaged<Route<Action, State>> {
    memory.pointee.current.action = action
    let route = route(for: action)
    let middlewares = route._withUnsafeGuaranteedRef { $0.middlewares }
    if middlewares.count > 0 {
      cell.gate.move(to: .handling)
      for index in 0..<middlewares.count {
        middlewares[index]._withUnsafeGuaranteedRef { middleware in
          let effect = middleware.handle(action, source)
          if !effect.isNone { memory.pointee.pending.append((effect, middleware.owner)) }
        }
      }
    }
    return route
  }

  /// Stage 3: runs the reducers.
  @inlinable
  @inline(__always)
  func reduce(_ action: UnsafePointer<Action>, _ route: Unmanaged<Route<Action, State>>) -> Reduction {
    let reducers = route._withUnsafeGuaranteedRef { $0.reducers }
    var reduction = Reduction()
    for index in 0..<reducers.count {
      if reducers[index]._withUnsafeGuaranteedRef({ $0.run(action, cell.pointer) }) {
        if reduction.accepted > 0 { noteTouched(by: reducers[index], after: reducers[reduction.last], reduction) }
        reduction.accepted &+= 1
        reduction.last = index
      }
    }
    if reduction.accepted > 0 { cell.changes.pointee &+= 1 }
    return reduction
  }

  /// Keeps what more than one reducer may have changed.
  @inlinable
  @inline(never)
  func noteTouched(
    by reducer: Unmanaged<ReducerBox<Action, State>>, after first: Unmanaged<ReducerBox<Action, State>>,
    _ reduction: Reduction
  ) {
    if reduction.accepted == 1 { memory.pointee.touched.append(first._withUnsafeGuaranteedRef { $0.span }) }
    memory.pointee.touched.append(reducer._withUnsafeGuaranteedRef { $0.span })
  }

  /// Whether no observer reads what this reducer may have changed.
  @inlinable
  @inline(__always)
  func isQuiet(_ route: Unmanaged<Route<Action, State>>, reducer: Int) -> Bool {
    route._withUnsafeGuaranteedRef { route in
      if route.version.pointee != memory.pointee.observers.version { refreshWatchers(of: route) }
      return route.watchers[reducer].isNone
    }
  }

  @usableFromInline
  func copyOfState() -> UnsafeMutablePointer<State> {
    let copy = UnsafeMutablePointer<State>.allocate(capacity: 1)
    copy.initialize(to: cell.pointer.pointee)
    return copy
  }

  @inlinable
  var keepsOldState: Bool {
    if emitsWhenReduced { return false }
    if case .when = emits { return true }
    return false
  }

  /// Stages 4 and 5.
  @inlinable
  func afterReducing(
    _ route: Unmanaged<Route<Action, State>>, _ reduction: Reduction, old: UnsafeMutablePointer<State>?,
    child: (any ChildStages)? = nil
  ) {
    cell.gate.move(to: .notifying)
    let (accepted, last) = (reduction.accepted, reduction.last)
    // 4. Observers. Observers of child stores read the whole state, so they are in the root's table.
    var areNotified = true
    if emitsWhenReduced {
      if accepted == 1 {
        if !isQuiet(route, reducer: last) { notify(route, reducer: last) }
      } else if accepted > 1 {
        notifyAll(onlyTouched: true)
      } else {
        areNotified = false
      }
    } else if shouldEmit(accepted: accepted, old: old) {
      notifyAll(onlyTouched: false)
    } else {
      areNotified = false
    }
    if let old {
      old.deinitialize(count: 1)
      old.deallocate()
    }
    if !areNotified { child?.notify() }

    // 5. Effects.
    if accepted > 0 && !memory.pointee.parts.isEmpty { endGoneParts(route, accepted: accepted, last: last) }
    if accepted > 0 {
      if !memory.pointee.feeders.isEmpty { updateFeeds(route, accepted: accepted, last: last) }
    } else {
      child?.updateFeeds()
    }
    if accepted > 1 { memory.pointee.touched.removeAll(keepingCapacity: true) }
    if !memory.pointee.pending.isEmpty {
      cell.gate.move(to: .startingEffects)
      runPendingEffects()
    }
    sweepObservers()
  }

  @usableFromInline
  func shouldEmit(accepted: Int, old: UnsafeMutablePointer<State>?) -> Bool {
    switch emits {
    case .whenReduced: accepted > 0
    case .always: true
    case .never: false
    case .when(let predicate): accepted > 0 && (old.map { predicate($0.pointee, cell.pointer.pointee) } ?? true)
    }
  }

  @usableFromInline
  func endGoneParts(_ route: Unmanaged<Route<Action, State>>, accepted: Int, last: Int) {
    let span = route._withUnsafeGuaranteedRef { $0.reducers[last]._withUnsafeGuaranteedRef { $0.span } }
    let touched = memory.pointee.touched
    endGoneParts { part in accepted == 1 ? part.overlaps(span) : touched.contains(where: part.overlaps) }
  }

  @inlinable
  @inline(never)
  func updateFeeds(_ route: Unmanaged<Route<Action, State>>, accepted: Int, last: Int) {
    let span = route._withUnsafeGuaranteedRef { $0.reducers[last]._withUnsafeGuaranteedRef { $0.span } }
    for feeder in memory.pointee.feeders
    where accepted == 1 ? feeder.span.overlaps(span) : memory.pointee.touched.contains(where: feeder.span.overlaps) {
      feeder.update()
    }
  }

  /// Calls the observers that read what this reducer writes.
  @inlinable
  @inline(__always)
  func notify(_ route: Unmanaged<Route<Action, State>>, reducer: Int) {
    let observers = route._withUnsafeGuaranteedRef { $0.watchers[reducer].observers }
    for index in 0..<observers.count {
      observers[index]._withUnsafeGuaranteedRef { observer in
        if observer.isAlive.load(ordering: .relaxed) { observer.notify(UnsafePointer(cell.pointer)) }
      }
    }
  }

  @usableFromInline
  func refreshWatchers(of route: Route<Action, State>) {
    for index in 0..<route.reducers.count {
      let span = route.reducers[index]._withUnsafeGuaranteedRef { $0.span }
      route.watchers[index].replace(
        by: memory.pointee.observers.affected(by: span),
        hasFeeds: memory.pointee.feeders.contains { $0.span.overlaps(span) })
    }
    route.version.pointee = memory.pointee.observers.version
  }

  /// Calls all observers, or those that read what the accepting reducers may have changed.
  @inlinable
  @inline(never)
  func notifyAll(onlyTouched: Bool) {
    for observer in memory.pointee.observers.observers
    where !onlyTouched || memory.pointee.touched.contains(where: { $0.overlaps(observer.span) }) {
      if observer.isAlive.load(ordering: .relaxed) { observer.notify(UnsafePointer(cell.pointer)) }
    }
  }
}
