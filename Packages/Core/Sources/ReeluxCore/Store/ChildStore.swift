/// The state of a child store: its parent's state and its own.
public struct ChildState<Root, Local> {
  /// The parent's state. The parent is the root store or another child store.
  public var root: Root
  /// The child's own state.
  public var local: Local

  /// Creates the state from both parts.
  @inlinable public init(root: Root, local: Local) {
    self.root = root
    self.local = local
  }
}

extension ChildState: Sendable where Root: Sendable, Local: Sendable {}
extension ChildState: Equatable where Root: Equatable, Local: Equatable {}

/// A store with its own state in addition to its parent's, for a part of an app that exists only for some time.
///
/// An action of the child is reduced by the child and then by its parent, in one transaction with one notification.
/// Actions of the parent and of siblings never reach the child. Actions of its middleware return to the child. A child
/// retains its parent. When the child is released, its effects end.
///
/// The parent is a ``Store`` or another child store. `root` in ``ChildState`` is the parent's state.
public final class ChildStore<Action: Sendable, RootAction: Sendable, Root: Sendable, Local: Sendable>: StoreType,
  ActionTaskProvider
{
  /// The parent's state and the child's own.
  public typealias State = ChildState<Root, Local>

  /// The parent, which nothing reads. The child store retains it.
  @usableFromInline let retainedParent: any Sendable
  @usableFromInline let pipeline: ChildPipeline<Action, RootAction, Root, Local>

  @inlinable init(
    retaining retainedParent: any Sendable, _ parent: ChildParent<RootAction, Root>, _ initialState: Local,
    _ reducer: Reducer<Action, Local>, _ middleware: Middleware<Action, Action, State>,
    _ interceptor: Interceptor<Action, State>, _ toRoot: @escaping @Sendable (Action) -> RootAction?,
    _ runawayGuard: RunawayGuard<Action>?
  ) {
    self.retainedParent = retainedParent
    let pipeline = ChildPipeline(parent, initialState, reducer, interceptor, toRoot, runawayGuard)
    self.pipeline = pipeline
    pipeline.root.perform("made a child store") { pipeline.start(middleware) }
  }

  /// Creates a child store of a feature with the child's own state only.
  @inlinable convenience init(
    retaining retainedParent: any Sendable, _ parent: ChildParent<RootAction, Root>, _ initialState: Local,
    _ feature: Feature<Action, Local>, _ toRoot: @escaping @Sendable (Action) -> RootAction?,
    _ runawayGuard: RunawayGuard<Action>?
  ) {
    self.init(
      retaining: retainedParent, parent, initialState, feature.reducer,
      feature.middleware.lift(action: .identity, state: \.local),
      feature.interceptor.lift(action: .identity, getter: GetState.part(\.local)), toRoot, runawayGuard)
  }

  deinit {
    let pipeline = pipeline
    pipeline.root.perform("released a child store") { pipeline.end() }
  }

  /// The current states of the parent and of the child.
  @inlinable public var state: State {
    pipeline.getState()
  }

  /// Sends an action to the child, and the mapped action to the parent. Records the place of this call as the source.
  ///
  /// - Returns: A handle to wait for the effects of the action or to cancel them. Ignoring it costs nothing.
  @inlinable @discardableResult public func dispatch(
    _ action: Action, info: String? = nil, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line
  ) -> ActionTask {
    let source = ActionSource(info: info, file: file, function: function, line: line)
    return ActionTask(pipeline.dispatch(action, from: source), pipeline.root)
  }

  /// Sends an action with a known source.
  @inlinable public func dispatch(_ action: Action, from source: ActionSource) {
    _ = pipeline.dispatch(action, from: source)
  }

  package func send(_ action: Action, from source: ActionSource) -> ActionTask {
    ActionTask(pipeline.dispatch(action, from: source), pipeline.root)
  }

  /// Returns when the queue is empty and no effect runs, here and in all stores with the same root. It does not wait
  /// for feeds.
  public func settle() async {
    await pipeline.root.settle()
  }

  /// Calls `observer` with the current state, and once for each change of either part; see
  /// ``StateProvider/subscribe(end:_:)``.
  public func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void
  ) -> Subscription {
    whole.subscribe(end: end, observer)
  }

  /// The whole state as a selection. It does not retain the child store.
  @inlinable public var whole: Selection<State> {
    let pipeline = pipeline
    return Selection(get: pipeline.getState.callAsFunction) { end, observer in
      let copyState = pipeline.copyState
      return pipeline.root.subscribe(
        Observer(span: .whole, end: end) { observer(copyState()) }, in: pipeline.links
      ) {
        let copy = copyState()
        return { observer(copy) }
      }
    }
  }

  /// Returns a child store of this one for a feature; see ``Store/child(initialState:feature:toRoot:runawayGuard:)``.
  ///
  /// `toRoot` maps an action of the new child to an action of this store.
  @inlinable public func child<ChildAction: Sendable, Own: Sendable>(
    initialState: Own, feature: Feature<ChildAction, Own>,
    toRoot: @escaping @Sendable (ChildAction) -> Action? = { _ in nil },
    runawayGuard: RunawayGuard<ChildAction>? = nil
  ) -> ChildStore<ChildAction, Action, State, Own> {
    .init(retaining: self, pipeline.asParent, initialState, feature, toRoot, runawayGuard)
  }

  /// Returns a child store of this one for a reducer, and a middleware that reads all states; see
  /// ``Store/child(initialState:reducer:middleware:toRoot:runawayGuard:)``.
  @inlinable public func child<ChildAction: Sendable, Own: Sendable>(
    initialState: Own, reducer: Reducer<ChildAction, Own>,
    middleware: Middleware<ChildAction, ChildAction, ChildState<State, Own>> = .identity,
    toRoot: @escaping @Sendable (ChildAction) -> Action? = { _ in nil },
    runawayGuard: RunawayGuard<ChildAction>? = nil
  ) -> ChildStore<ChildAction, Action, State, Own> {
    .init(retaining: self, pipeline.asParent, initialState, reducer, middleware, .identity, toRoot, runawayGuard)
  }
}

extension Store {
  /// Returns a child store for a feature.
  ///
  /// - Parameters:
  ///   - initialState: The child's initial state.
  ///   - feature: The feature of the child, with the child's own state. Its interceptor decides about the child's
  ///     actions first.
  ///   - toRoot: Maps an action of the child to a root action, or to `nil`.
  ///   - runawayGuard: Stops endless re-dispatch within the child. Default: none.
  @inlinable public func child<ChildAction: Sendable, Local: Sendable>(
    initialState: Local, feature: Feature<ChildAction, Local>,
    toRoot: @escaping @Sendable (ChildAction) -> Action? = { _ in nil },
    runawayGuard: RunawayGuard<ChildAction>? = nil
  ) -> ChildStore<ChildAction, Action, State, Local> {
    .init(retaining: self, core.asParent, initialState, feature, toRoot, runawayGuard)
  }

  /// Returns a child store for a reducer, and a middleware that reads the root's state too.
  ///
  /// - Parameters:
  ///   - initialState: The child's initial state.
  ///   - reducer: Changes the child's own state.
  ///   - middleware: Handles the child's actions, before the root's middlewares handle the mapped actions.
  ///   - toRoot: Maps an action of the child to a root action, or to `nil`.
  ///   - runawayGuard: Stops endless re-dispatch within the child. Default: none. The root's guard drops only actions
  ///     of the child that `toRoot` maps to a root action.
  @inlinable public func child<ChildAction: Sendable, Local: Sendable>(
    initialState: Local, reducer: Reducer<ChildAction, Local>,
    middleware: Middleware<ChildAction, ChildAction, ChildState<State, Local>> = .identity,
    toRoot: @escaping @Sendable (ChildAction) -> Action? = { _ in nil },
    runawayGuard: RunawayGuard<ChildAction>? = nil
  ) -> ChildStore<ChildAction, Action, State, Local> {
    .init(retaining: self, core.asParent, initialState, reducer, middleware, .identity, toRoot, runawayGuard)
  }
}
