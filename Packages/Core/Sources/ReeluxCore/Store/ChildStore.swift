/// The state of a child store: its root's and its own.
public struct ChildState<Root, Local> {
  /// The root store's state.
  public var root: Root
  /// The child's own state.
  public var local: Local

  /// Puts both together.
  @inlinable
  public init(root: Root, local: Local) {
    self.root = root
    self.local = local
  }
}

extension ChildState: Sendable where Root: Sendable, Local: Sendable {}
extension ChildState: Equatable where Root: Equatable, Local: Equatable {}

/// A store with a state of its own beside its root's, for a part of an app that comes and goes.
///
/// An action of the child is reduced by the child and then by the root, in one
/// transaction with one notification. Actions of the root never reach it, nor
/// do those of its siblings. What its middleware sends returns to it. It keeps
/// its root alive, and lives as long as it is held; its effects end with it.
public final class ChildStore<Action: Sendable, RootAction: Sendable, Root: Sendable, Local: Sendable>: StoreType {
  /// The composition that it provides.
  public typealias State = ChildState<Root, Local>

  @usableFromInline let store: Store<RootAction, Root>
  @usableFromInline let pipeline: ChildPipeline<Action, RootAction, Root, Local>

  init(
    store: Store<RootAction, Root>, initialState: Local, reducer: Reducer<Action, Local>,
    middleware: Middleware<Action, Action, State>, toRoot: @escaping @Sendable (Action) -> RootAction?,
    runawayGuard: RunawayGuard<Action>?
  ) {
    self.store = store
    pipeline = ChildPipeline(
      core: store.core, initialState: initialState, reducer: reducer, toRoot: toRoot, runawayGuard: runawayGuard)
    let pipeline = pipeline
    store.core.perform("made a child store") { pipeline.begin(middleware) }
  }

  deinit {
    let pipeline = pipeline
    store.core.perform("released a child store") { pipeline.end() }
  }

  /// The root's and the child's state now.
  public var state: State {
    pipeline.read()
  }

  /// Sends an action to the child, and what it means to the root.
  public func dispatch(_ action: Action, from source: ActionSource) {
    pipeline.dispatch(action, from: source, context: ActionContext())
  }

  /// Calls `observer` with the current state, and once for each change of either part.
  public func subscribe(_ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    subscribe(end: {}, observer)
  }

  /// As ``subscribe(_:)``, with `end` called once if the root store is gone first.
  public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    let pipeline = pipeline
    let member = ChildObserver(pipeline: pipeline, end: end, observer)
    let rootSubscription = store.core.subscribe(
      Observer(span: .whole, end: { member.finish() }) { root in member.rootChanged(root) },
      joined: { pipeline.observers.append(member) },
      snapshot: { root in
        let state = State(root: root.pointee, local: pipeline.local.pointer.pointee)
        return { observer(state) }
      }, seesChildren: true)
    return Subscription {
      member.leave()
      rootSubscription.cancel()
      pipeline.core.perform("cancelled a subscription") { pipeline.observers.removeAll { $0 === member } }
    }
  }
}

extension Store {
  /// Makes a child store.
  ///
  /// - Parameters:
  ///   - initialState: The child's own state at first.
  ///   - reducer: Changes the child's own state.
  ///   - middleware: Sees the child's actions before the root's middlewares see what they mean to the root.
  ///   - toRoot: What an action means to the root; `nil` for nothing.
  ///   - runawayGuard: Stops endless re-dispatch within the child; default none. The root's guard knows only those of
  ///     the child's actions that mean something to the root.
  public func child<ChildAction: Sendable, Local: Sendable>(
    initialState: Local, reducer: Reducer<ChildAction, Local>,
    middleware: Middleware<ChildAction, ChildAction, ChildState<State, Local>> = .identity,
    toRoot: @escaping @Sendable (ChildAction) -> Action? = { _ in nil },
    runawayGuard: RunawayGuard<ChildAction>? = nil
  ) -> ChildStore<ChildAction, Action, State, Local> {
    ChildStore(
      store: self, initialState: initialState, reducer: reducer, middleware: middleware, toRoot: toRoot,
      runawayGuard: runawayGuard)
  }
}

extension ChildStore: ActionTaskProvider {
  package func send(_ action: Action, from source: ActionSource) -> ActionTask {
    pipeline.dispatch(action, from: source, context: ActionContext())
    return ActionTask(.queued(0, pipeline.core))
  }
}
