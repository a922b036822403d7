/// A type that accepts actions and provides a state: a store, a projection, a child store.
public protocol StoreType<Action, State>: ActionHandler, StateProvider {}

/// The only place where an app's state changes.
///
/// ```swift
/// let store = Store(initialState: AppState(), feature: app)
/// store.dispatch(.favorites(.toggle("metropolis-1927")))
/// print(store.state.favorites)
/// ```
///
/// Any thread or task may call `dispatch`. It does not wait for an action that another thread processes. On an idle
/// store it returns when the action is reduced and observed. Actions are processed one at a time, in the order of their
/// dispatch, and never nested. Each passes interceptors, middlewares, reducers, observers and effects before the next
/// one starts. <doc:Pipeline> states all guarantees, and what an action costs.
public final class Store<Action: Sendable, State: Sendable>: StoreType, ActionTaskProvider {
  @usableFromInline let core: StoreCore<Action, State>

  /// Creates a store of a feature, starts its middlewares and opens its feeds.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first action.
  ///   - feature: The feature; others can be installed later.
  ///   - emits: When observers are called; default: when a reducer accepted the action.
  ///   - runawayGuard: Stops endless re-dispatch; default none.
  ///   - carries: The task-local values that the store carries from a dispatch to its effects; default none.
  @inlinable public convenience init(
    initialState: State, feature: Feature<Action, State>, emits: ShouldEmitValue<State> = .whenReduced,
    runawayGuard: RunawayGuard<Action>? = nil, carries: [CarriedTaskLocal] = []
  ) {
    self.init(
      initialState: initialState, feature: feature, emits: emits, runawayGuard: runawayGuard, effectExecutor: nil,
      carries: carries)
  }

  /// Creates a store of a reducer and a middleware; see ``init(initialState:feature:emits:runawayGuard:carries:)`` for
  /// the other parameters.
  @inlinable public convenience init(
    initialState: State, reducer: Reducer<Action, State>,
    middleware: Middleware<Action, Action, State> = .identity, emits: ShouldEmitValue<State> = .whenReduced,
    runawayGuard: RunawayGuard<Action>? = nil, carries: [CarriedTaskLocal] = []
  ) {
    self.init(
      initialState: initialState, feature: Feature(reducer: reducer, middleware: middleware), emits: emits,
      runawayGuard: runawayGuard, carries: carries)
  }

  /// - Parameter effectExecutor: The executor for the tasks of effects and feeds; `nil` for the global one.
  @inlinable package init(
    initialState: State, feature: Feature<Action, State>, emits: ShouldEmitValue<State>,
    runawayGuard: RunawayGuard<Action>?, effectExecutor: (any TaskExecutor)?, carries: [CarriedTaskLocal] = []
  ) {
    // The two closures are created here, so that the compiler specialises them for the app's types.
    core = StoreCore(
      initialState: initialState, emits: emits, runawayGuard: runawayGuard, effectExecutor: effectExecutor,
      carriedLocals: carries,
      specialisedDrainLoop: { core, thread, inBackground in core.drainLoop(thread, inBackground: inBackground) })
    let core = core
    core.memory.value.delivery = { core.deliver($0, from: $1, $2) }
    core.perform("made the store") { _ = core.add(feature) }
  }

  deinit {
    core.close()
  }

  /// The current state. Any thread may read it. Reading waits for the reducers of at most one action.
  ///
  /// On the thread that runs the pipeline, it is the state before or after the reducers of the current action. On other
  /// threads, it is the newest state.
  @inlinable public var state: State {
    core.cell.read { $0.value }
  }

  /// Sends an action and records the place of this call as its source.
  ///
  /// - Returns: A handle to wait for the effects of the action, or to cancel them. Ignoring it costs nothing.
  @inlinable @discardableResult public func dispatch(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> ActionTask {
    ActionTask(core.dispatch(action, from: ActionSource(info: info, file: file, function: function, line: line)), core)
  }

  /// Sends an action with a known source.
  @inlinable public func dispatch(_ action: Action, from source: ActionSource) {
    _ = core.dispatch(action, from: source)
  }

  /// Observes the whole state; see ``StateProvider/subscribe(end:_:)``.
  @inlinable public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    core.subscribe(span: .whole, end: end) { observer($0.value) }
  }

  /// Returns when the queue is empty and no effect runs. It does not wait for feeds. Until then it retains the store.
  /// Cancelling the task that waits does not end the wait.
  public func settle() async {
    await core.settle()
  }

  /// Adds a feature to the running store. It handles all actions that are dispatched afterwards.
  ///
  /// Its middlewares start and its feeds open. It stays until it is removed; the result can be ignored.
  ///
  /// On an idle store, the feature is installed when this function returns. On a busy store, it is installed after the
  /// actions that are in the queue. It costs O(features): the store looks up again which reducers and middlewares
  /// handle each case.
  @inlinable @discardableResult public func install(_ feature: Feature<Action, State>) -> Installation {
    let core = core
    // The number of the installation. Only the thread that runs the pipeline uses it.
    let number = MemoryCell<Int?>(nil)
    core.perform("installed a feature") { number.value = core.add(feature) }
    return Installation { [weak core] in
      guard let core else { return }
      core.perform("removed a feature") {
        if let value = number.value.take() { core.remove(installation: value) }
      }
    }
  }

  /// The number of observers. It may be read only while the store is idle.
  package var observerCount: Int {
    core.cell.read { _ in core.memory.value.observers.observers.count }
  }

  /// The running effects, for a test store.
  package var effects: EffectTable { core.effects }

  package func send(_ action: Action, from source: ActionSource) -> ActionTask {
    ActionTask(core.dispatch(action, from: source), core)
  }
}

/// A policy that decides when a store calls its observers.
///
/// It decides only about notifications. The store keeps the reduced state under every policy. The own state of a child
/// store is not a part of the store's state: an accepted action of the child calls the child's observers under every
/// policy.
public enum ShouldEmitValue<State: Sendable>: Sendable {
  /// After every action that a reducer accepted. This is the default.
  ///
  /// Only observers of the parts that these reducers may have changed are called. The decision costs nothing.
  case whenReduced
  /// After every action.
  case always
  /// Never, for stores whose state is only read.
  case never
  /// After an accepted action if the predicate returns true for the old and the new state.
  ///
  /// The store keeps the old state during the reduction, so the first change of each collection copies this collection.
  case when(@Sendable (_ old: State, _ new: State) -> Bool)
}

extension ShouldEmitValue where State: Equatable {
  /// After an accepted action that changed the state.
  ///
  /// Costs a copy and a comparison, as ``when(_:)`` does.
  @inlinable public static var whenDifferent: ShouldEmitValue { .when { $0 != $1 } }
}

/// A guard against actions that lead to further actions without end.
///
/// If an action leads to another one without a task in between (by follow-up actions, observers or after-reducer work),
/// the *generation* of the second action is higher by one. An action whose generation exceeds the limit is dropped and
/// reported. All other actions in the queue are processed. An action that a caller or a task sends has generation 0.
public struct RunawayGuard<Action: Sendable>: Sendable {
  /// The highest generation that is processed, at least 0.
  public let limit: Int
  /// Called with the dropped action and its source, on the thread that runs the pipeline. It may send actions. They
  /// have generation 0.
  public let report: @Sendable (DispatchedAction<Action>) -> Void

  /// Creates a guard.
  ///
  /// - Parameters:
  ///   - limit: The highest generation that is processed. With 0, no action may lead to another one without a task in
  ///     between. A smaller number counts as 0.
  ///   - report: Called with each dropped action.
  public init(limit: Int, report: @escaping @Sendable (DispatchedAction<Action>) -> Void) {
    self.limit = max(0, limit)
    self.report = report
  }

  /// Reports the action if the current generation exceeds the limit. Returns whether it did. The action must then be
  /// dropped.
  ///
  /// Actions that the report sends are a new chain: the next generation is 0. Otherwise they would be dropped too.
  func reportRunaway(_ action: () -> Action?, _ source: ActionSource, in root: some RootPipeline) -> Bool {
    let generation = root.generation
    guard generation > limit, let action = action() else { return false }
    root.generation = -1
    report(DispatchedAction(action, source: source))
    root.generation = generation
    return true
  }
}
