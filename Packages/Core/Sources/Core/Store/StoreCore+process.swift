public import Synchronization

extension StoreCore {
  /// Whom to ask about this action.
  @inlinable
  @inline(__always)
  func route(for action: UnsafePointer<Action>) -> Unmanaged<Route<Action, State>> {
    let index = enumCase(action) ?? 0
    if index < memory.pointee.routes.count, let route = memory.pointee.routes[index] { return route }
    return makeRoute(at: index, for: action)
  }

  @inlinable
  @inline(never)
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

  /// One action through the whole pipeline; called by the owner only.
  ///
  /// - Returns: Whether the reducing phase is still on, so that leaving it and
  ///   leaving the pipeline can be one step.
  @inlinable
  func process(
    _ action: UnsafePointer<Action>, _ source: ActionSource, isReducing: Bool, context: ActionContext
  ) -> Bool {
    if isReducing || memory.pointee.interceptors.isEmpty {
      return processIntercepted(action, source, isReducing: isReducing, context: context, child: nil)
    }
    processIntercepting(action, source, context: context, child: nil)
    return false
  }

  /// Stage 1, and for each action that comes out of it all the others.
  @inlinable
  @inline(never)
  func processIntercepting(
    _ action: UnsafePointer<Action>, _ source: ActionSource, context: ActionContext,
    child: ChildTransaction?
  ) {
    memory.pointee.currentAction = action
    let interceptor = Interceptor<Action, State>(units: memory.pointee.interceptors.map(\.decide))
    let actions = interceptor.intercept(action.pointee, from: source, state: getState)
    var child = child
    for action in actions {
      withUnsafePointer(to: action) { action in
        if processIntercepted(action, source, isReducing: false, context: context, child: child) {
          cell.gate.endReducing()
        }
      }
      child = nil
    }
    if let child { processLocally(child) }
  }

  /// Stages 2 to 5.
  @inlinable
  @inline(__always)
  func processIntercepted(
    _ action: UnsafePointer<Action>, _ source: ActionSource, isReducing: Bool, context: ActionContext,
    child: ChildTransaction?
  ) -> Bool {
    memory.pointee.currentAction = action
    let route = route(for: action)

    // 2. Middlewares.
    let middlewares = route._withUnsafeGuaranteedRef { $0.middlewares }
    for index in 0..<middlewares.count {
      middlewares[index]._withUnsafeGuaranteedRef { middleware in
        let effect = middleware.handle(action, source)
        if !effect.isNone { memory.pointee.pending.append((effect, middleware.owner)) }
      }
    }

    // 3. Reducers.
    if !isReducing { cell.gate.beginReducing() }
    let old: State? = keepsOldState ? cell.pointer.pointee : nil
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
    if accepted > 0 || childChanged { cell.changes.pointee &+= 1 }
    if memory.pointee.observers.isEmpty && memory.pointee.pending.isEmpty && memory.pointee.feeders.isEmpty
      && child == nil && accepted < 2
    {
      return true
    }
    cell.gate.endReducing()
    afterReducing(
      route, accepted: accepted, last: last, old: old, context: context,
      child: childChanged || accepted > 0 ? child : nil)
    if let child { child.effects() }
    return false
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
    _ route: Unmanaged<Route<Action, State>>, accepted: Int, last: Int, old: State?, context: ActionContext,
    child: ChildTransaction?
  ) {
    // 4. Observers.
    if emitsWhenReduced {
      if accepted == 1 {
        notify(route, reducer: last)
      } else if accepted > 1 {
        notify(memory.pointee.observers.observers.filter(isTouched))
      }
      child?.notify()
    } else {
      let emits: Bool
      switch self.emits {
      case .whenReduced: emits = true
      case .always: emits = true
      case .never: emits = false
      case .when(let predicate): emits = accepted > 0 && (old.map { predicate($0, cell.pointer.pointee) } ?? true)
      }
      if emits { notify(memory.pointee.observers.observers) }
      if emits || accepted == 0 { child?.notify() }
    }

    // 5. Effects.
    if !memory.pointee.feeders.isEmpty && accepted > 0 {
      let span = route._withUnsafeGuaranteedRef { $0.reducers[last]._withUnsafeGuaranteedRef { $0.span } }
      for feeder in memory.pointee.feeders
      where accepted == 1 ? feeder.span.overlaps(span) : memory.pointee.touched.contains(where: feeder.span.overlaps) {
        updateFeeds(of: feeder)
      }
    }
    if accepted > 1 { memory.pointee.touched.removeAll(keepingCapacity: true) }
    if !memory.pointee.pending.isEmpty { runPendingEffects(context: context) }
    sweepObservers()
  }

  @inlinable
  func isTouched(_ observer: Observer<State>) -> Bool {
    memory.pointee.touched.contains { $0.overlaps(observer.span) }
  }

  /// Calls those who look at what this reducer writes.
  @inlinable
  @inline(__always)
  func notify(_ route: Unmanaged<Route<Action, State>>, reducer: Int) {
    let affected = route._withUnsafeGuaranteedRef { route in
      if route.version != memory.pointee.observers.version { refreshAffected(route) }
      return route.affected
    }
    affected[reducer].withUnsafeBufferPointer { observers in
      for index in 0..<observers.count {
        observers[index]._withUnsafeGuaranteedRef { observer in
          if observer.isAlive.load(ordering: .relaxed) { observer.notify(UnsafePointer(cell.pointer)) }
        }
      }
    }
  }

  @inlinable
  @inline(never)
  func refreshAffected(_ route: Route<Action, State>) {
    for index in 0..<route.reducers.count {
      let span = route.reducers[index]._withUnsafeGuaranteedRef { $0.span }
      route.affected[index] = memory.pointee.observers.affected(by: span)
    }
    route.version = memory.pointee.observers.version
  }

  @inlinable
  func notify(_ observers: ContiguousArray<Observer<State>>) {
    for observer in observers where observer.isAlive.load(ordering: .relaxed) {
      observer.notify(UnsafePointer(cell.pointer))
    }
  }

  /// The getter that the whole store's middlewares read with.
  @inlinable
  var getState: GetState<State> {
    let cell = self.cell
    return GetState<State> { (body: (UnsafePointer<State>) -> Void) in cell.read(body) }
  }
}
