/// The one place where an app's state changes.
///
/// ```swift
/// let store = Store(initialState: AppState(), feature: app)
/// store.dispatch(.favorites(.toggle("metropolis-1927")))
/// print(store.state.favorites)
/// ```
///
/// What it guarantees:
///
/// - `dispatch` may be called from any thread or task, and never waits for another action.
/// - On an idle store `dispatch` returns when the action is reduced and observed.
/// - Actions are processed one at a time, in the order of their dispatch, each wholly before the next:
///   interceptors, middlewares, reducers, observers, effects. An action dispatched meanwhile never nests.
/// - No middleware, reducer or observer runs concurrently with itself or another one of this store.
/// - A thread that dispatches processes, besides what its own action leads to, at most 128 actions of
///   other threads; then a background task goes on.
///
/// Dispatching costs O(members that the action's enum case concerns), plus
/// O(observers of what changed). A composed app of reducers and middlewares
/// allocates nothing for an action that starts no effect; an interceptor does.
public final class Store<Action: Sendable, State: Sendable>: StoreType {
  @usableFromInline let core: StoreCore<Action, State>

  /// Makes a store of a feature, begins its work and opens its feeds.
  ///
  /// - Parameters:
  ///   - initialState: The state until the first action.
  ///   - feature: What the store is made of; more can be installed later.
  ///   - emits: When observers are told; default: when a reducer accepted the action.
  ///   - runawayGuard: Stops endless re-dispatch; default none.
  ///   - carries: The task-local values that effects see as the dispatch that led to them; default none.
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

  /// The state now: on the pipeline's thread the one that the pipeline has reached, elsewhere the newest
  /// whole one.
  @inlinable
  public var state: State {
    core.cell.read { $0.pointee }
  }

  /// Sends an action and records the place of this call as its source.
  ///
  /// - Returns: What it led to, to be waited for or cancelled; may be ignored at no cost.
  @inlinable
  @discardableResult
  public func dispatch(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> ActionTask {
    core.dispatch(action, from: ActionSource(info: info, file: file, function: function, line: line))
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

  /// Observes the whole state; `end` is called if the store is gone first.
  @inlinable
  public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    core.subscribe(span: .whole, end: end) { observer($0.pointee) }
  }

  /// Returns when nothing is queued and no effect runs; feeds are not waited for.
  public func settle() async {
    await core.settle()
  }

  /// Adds a feature to the running store: it sees actions from the next one on.
  ///
  /// Its middlewares start, its feeds open. It stays until it is removed; the
  /// result may be thrown away.
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
