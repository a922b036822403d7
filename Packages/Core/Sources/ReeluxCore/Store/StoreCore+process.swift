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
  func process(_ action: Action, _ source: ActionSource, context: ActionContext, child: (any ChildStages)? = nil) {
    withUnsafePointer(to: action) { action in
      withUnsafePointer(to: source) { place in
        memory.pointee.current.source = place
        if memory.pointee.interceptors.isEmpty {
          processIntercepted(action, source, context: context, child: child)
        } else {
          processIntercepting(action, source, context: context, child: child)
        }
      }
    }
  }

  /// Stage 1, and for each action that comes out of it all the others.
  @inlinable
  @inline(never)
  func processIntercepting(
    _ action: UnsafePointer<Action>, _ source: ActionSource, context: ActionContext, child: (any ChildStages)?
  ) {
    cell.gate.move(to: .intercepting)
    memory.pointee.current.action = action
    let interceptor = Interceptor<Action, State>(units: memory.pointee.interceptors.map(\.decide))
    let actions = interceptor.intercept(action.pointee, from: source, state: getState)
    var child = child
    for action in actions {
      withUnsafePointer(to: action) { processPrepared($0, source, context: context, child: child) }
      cell.gate.endReducing()
      child = nil
    }
    if let child { processLocally(child, context: context) }
  }

  /// Stages 2 to 5, for actions that an interceptor or a child store has seen: one copy for all of them.
  @inlinable
  @inline(never)
  func processPrepared(
    _ action: UnsafePointer<Action>, _ source: ActionSource, context: ActionContext, child: (any ChildStages)?
  ) {
    processIntercepted(action, source, context: context, child: child)
  }

  /// Stages 2 to 5.
  @inlinable
  @inline(__always)
  func processIntercepted(
    _ action: UnsafePointer<Action>, _ source: ActionSource, context: ActionContext, child: (any ChildStages)?
  ) {
    memory.pointee.current.action = action
    let route = route(for: action)

    // 2. Middlewares.
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

    // 3. Reducers.
    cell.gate.move(to: .reducing)
    let old = keepsOldState ? copyOfState() : nil
    let reducers = route._withUnsafeGuaranteedRef { $0.reducers }
    let childChanged = child?.reduce() ?? false
    var accepted = 0
    var last = 0
    for index in 0..<reducers.count {
      let reducer = reducers[index]
      if reducer._withUnsafeGuaranteedRef({ $0.run(action, cell.pointer) }) {
        if accepted > 0 {
          if accepted == 1 { memory.pointee.touched.append(reducers[last]._withUnsafeGuaranteedRef { $0.span }) }
          memory.pointee.touched.append(reducer._withUnsafeGuaranteedRef { $0.span })
        }
        accepted += 1
        last = index
      }
    }
    if accepted > 0 { cell.changes.pointee &+= 1 }
    if childChanged { cell.childChanges.pointee &+= 1 }
    if emitsWhenReduced && child == nil && accepted < 2 && memory.pointee.pending.isEmpty
      && memory.pointee.parts.isEmpty
    {
      // No observer to call and no effect to start: the action is processed.
      if accepted == 0 || isQuiet(route, reducer: last) { return }
    }
    cell.gate.move(to: .notifying)
    afterReducing(
      route, accepted: accepted, last: last, old: old, context: context, child: childChanged ? child : nil)
    child?.startEffects(context: context)
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
    _ route: Unmanaged<Route<Action, State>>, accepted: Int, last: Int, old: UnsafeMutablePointer<State>?,
    context: ActionContext, child: (any ChildStages)?
  ) {
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
      runPendingEffects(context: context)
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

  /// The getter that the whole store's middlewares read with.
  @inlinable
  var getState: GetState<State> {
    let cell = self.cell
    return GetState<State> { (callsApp: Bool, body: (UnsafePointer<State>) -> Void) in
      if callsApp { cell.visit(body) } else { cell.read(body) }
    }
  }
}
