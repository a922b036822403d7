/// A type that takes actions and provides a state: a store, a projection, a
/// child store.
public protocol StoreType<Action, State>: ActionHandler, StateProvider {}

/// The one place where an app's state changes.
///
/// ```swift
/// let store = Store(initialState: AppState(), feature: app)
/// store.dispatch(.favorites(.toggle("metropolis-1927")))
/// print(store.state.favorites)
/// ```
///
/// Its guarantees:
///
/// - `dispatch` may be called from any thread or task, and never waits for another action.
/// - On an idle store `dispatch` returns when the action is reduced and observed.
/// - Actions are processed one at a time, in the order of their dispatch. Each passes interceptors,
///   middlewares, reducers, observers and effects before the next one begins. Actions are never nested.
/// - No middleware, reducer or observer runs concurrently with itself or another one of this store.
/// - A dispatching thread processes its own action, the actions that it leads to, and at most 128
///   actions of other threads. Then a background task processes the rest.
///
/// Dispatching costs O(members that the action's enum case concerns), plus
/// O(observers of what changed). A composed app of reducers and middlewares
/// allocates nothing for an action that starts no effect; an interceptor does.
public final class Store<Action: Sendable, State: Sendable>: StoreType {
  @usableFromInline let core: StoreCore<Action, State>

  /// Makes a store of a feature, starts its middlewares and opens its feeds.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first action.
  ///   - feature: The feature; others can be installed later.
  ///   - emits: When observers are called; default: when a reducer accepted the
  ///     action.
  ///   - runawayGuard: Stops endless re-dispatch; default none.
  ///   - carries: The task-local values that the store carries from a dispatch to its effects; default
  ///     none.
  @inlinable
  public convenience init(
    initialState: State, feature: Feature<Action, State>, emits: ShouldEmitValue<State> = .whenReduced,
    runawayGuard: RunawayGuard<Action>? = nil, carries: [CarriedTaskLocal] = []
  ) {
    self.init(
      initialState: initialState, feature: feature, emits: emits, runawayGuard: runawayGuard, effectExecutor: nil,
      carries: carries)
  }

  /// Makes a store of a reducer and a middleware.
  @inlinable
  public convenience init(
    initialState: State, reducer: Reducer<Action, State>,
    middleware: Middleware<Action, Action, State> = .identity, emits: ShouldEmitValue<State> = .whenReduced
  ) {
    self.init(initialState: initialState, feature: Feature(reducer: reducer, middleware: middleware), emits: emits)
  }

  /// - Parameter effectExecutor: Runs the tasks of effects and feeds; `nil` for the global one.
  @inlinable
  package init(
    initialState: State, feature: Feature<Action, State>, emits: ShouldEmitValue<State>,
    runawayGuard: RunawayGuard<Action>?, effectExecutor: (any TaskExecutor)?, carries: [CarriedTaskLocal] = []
  ) {
    core = StoreCore(
      initialState: initialState, emits: emits, runawayGuard: runawayGuard, effectExecutor: effectExecutor,
      carriedLocals: carries)
    let core = core
    core.perform("made the store") { _ = core.add(feature) }
  }

  deinit {
    core.close()
  }

  /// The current state: on the thread that runs the pipeline, the state before or after the reducers of
  /// the current action; elsewhere the newest state.
  @inlinable
  public var state: State {
    core.cell.read { $0.pointee }
  }

  /// Sends an action and records the place of this call as its source.
  ///
  /// - Returns: A handle to wait for the effects of the action, or to cancel them.
  ///   Ignoring it costs nothing.
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> ActionTask {
    ActionTask(core.dispatch(action, from: ActionSource(info: info, file: file, function: function, line: line)), core)
  }

  /// Sends an action whose source is already known.
  @inlinable
  public func dispatch(_ action: Action, from source: ActionSource) {
    _ = core.dispatch(action, from: source)
  }

  /// Observes the whole state; see ``StateProvider/subscribe(_:)``.
  @inlinable
  public func subscribe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    core.subscribe(span: .whole) { observer($0.pointee) }
  }

  /// Observes the whole state; calls `end` if the store is released before the
  /// subscription ends.
  @inlinable
  public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    core.subscribe(span: .whole, end: end) { observer($0.pointee) }
  }

  /// Returns when the queue is empty and no effect runs. It does not wait for
  /// feeds.
  public func settle() async {
    await core.settle()
  }

  /// Adds a feature to the running store. It sees the next action and all later
  /// ones.
  ///
  /// Its middlewares start and its feeds open. It stays until it is removed;
  /// the result can be ignored.
  @inlinable
  @discardableResult
  public func install(_ feature: Feature<Action, State>) -> Installation {
    let core = core
    let number = InstallationNumber()
    core.perform("installed a feature") { number.value = core.add(feature) }
    return Installation { [weak core] in
      guard let core else { return }
      core.perform("removed a feature") {
        if let value = number.value.take() { core.remove(installation: value) }
      }
    }
  }

  /// The effects that run now, for a test store.
  package var effects: EffectTable { core.effects }
}
