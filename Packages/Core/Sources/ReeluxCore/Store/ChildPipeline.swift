/// The variables of a child store that only the thread that runs the root's pipeline uses, besides ``ChildLink``.
@usableFromInline struct ChildMemory<Action: Sendable, State: Sendable> {
  @usableFromInline var middlewares: ContiguousArray<MiddlewareBox<Action, State>> = []
  @usableFromInline var current: (action: Lent<Action>, source: Lent<ActionSource>)?
  @usableFromInline var pending: PendingEffects<Action> = []

  @inlinable init() {}
}

/// The pipeline of a child store. Its effects and observers retain it, but not the ``ChildStore``.
///
/// It has no queue and no gate, because the root's pipeline processes its actions. A child's action passes the child's
/// interceptors and middlewares. The mapped action passes those of the parent, and so on up to the root. All their
/// reducers run in one reducing phase.
///
/// It owns its memory and its ``ChildLink``, by which the root's pipeline calls it. It reaches its parent by the
/// closures of a ``ChildParent``.
@usableFromInline
final class ChildPipeline<Action: Sendable, ParentAction: Sendable, ParentState: Sendable, Local: Sendable>:
  EffectSink
{
  @usableFromInline typealias State = ChildState<ParentState, Local>

  @usableFromInline let parent: ChildParent<ParentAction, ParentState>
  @inlinable var root: any RootPipeline { parent.root }
  @usableFromInline let local: MemoryCell<Local>
  @usableFromInline let storage = Memory(ChildMemory<Action, State>())
  @inlinable @inline(__always) var memory: MemoryAddress<ChildMemory<Action, State>> { storage.address }
  @usableFromInline let link = MemoryCell(ChildLink())
  /// This child, and its parents that are child stores.
  @usableFromInline let links: [MemoryCell<ChildLink>]
  @usableFromInline let passed: MemoryCell<PassedChildren>
  @usableFromInline let reducers: Members<ReducerBox<Action, Local>>
  @usableFromInline let interceptor: Interceptor<Action, State>
  @usableFromInline let toRoot: @Sendable (Action) -> ParentAction?
  @usableFromInline let runawayGuard: RunawayGuard<Action>?
  /// Both states. It is called inside a read, or by the thread that runs the pipeline.
  @usableFromInline let copyState: @Sendable () -> State
  /// The getter of the child's middlewares and interceptors. An effect may read it after the child was released.
  @usableFromInline let getState: GetState<State>

  @inlinable init(
    _ parent: ChildParent<ParentAction, ParentState>, _ initialState: Local, _ reducer: Reducer<Action, Local>,
    _ interceptor: Interceptor<Action, State>, _ toRoot: @escaping @Sendable (Action) -> ParentAction?,
    _ runawayGuard: RunawayGuard<Action>?
  ) {
    let root = parent.root
    let local = MemoryCell(initialState)
    let copyState = { @Sendable [above = parent.copyState] in State(root: above(), local: local.value) }
    self.parent = parent
    links = [link] + parent.links
    passed = root.passed
    self.local = local
    reducers = Members(ContiguousArray(reducer.units.map { ReducerBox($0, installation: 0) }))
    self.interceptor = interceptor
    self.toRoot = toRoot
    self.runawayGuard = runawayGuard
    self.copyState = copyState
    getState = GetState { root.read(copyState) }
    // `end` releases these closures.
    link.value.reduce = { [self] in reduce() }
    link.value.startEffects = { [self] in root.startEffects(&memory.value.pending, sink: self) }
    link.value.describe = { [self] in describe() }
  }

  /// This pipeline as a parent.
  @inlinable var asParent: ChildParent<Action, State> {
    ChildParent(
      root: root, links: links, runIfIdle: parent.runIfIdle, copyState: copyState,
      process: { [self] in process($0, $1) }, reportRunaway: { [self] in reportRunaway($0, $1) })
  }

  /// Binds and starts the middlewares; called by the thread that runs the pipeline.
  @usableFromInline func start(_ middleware: Middleware<Action, Action, State>) {
    memory.value.middlewares = ContiguousArray(
      middleware.units.map { MiddlewareBox($0, span: .whole, installation: 0) })
    root.start(memory.value.middlewares, getState, in: links, sink: self)
  }

  /// Ends the child's effects, feeds and observers. The thread that runs the pipeline calls it.
  func end() {
    var ended = ChildMemory<Action, State>()
    swap(&ended, &memory.value)
    let owners = Set(ended.middlewares.map(\.owner))
    root.cancel(owners: owners)
    let gone = link.value
    link.value = ChildLink()
    link.value.hasEnded = true
    for link in parent.links { link.value.feeders.removeAll(where: owners.contains) }
    for observer in gone.observers {
      observer.finish()
      root.forget(observer, in: links)
    }
  }

  // MARK: Actions

  @inlinable func dispatch(
    _ action: Action, from source: ActionSource, origin: SendOrigin? = nil
  ) -> ActionTask.Progress {
    let me = currentThreadID()
    return parent.runIfIdle(origin, me) { process(action, source) } ?? enqueue(action, source, origin, me)
  }

  @usableFromInline func enqueue(
    _ action: Action, _ source: ActionSource, _ origin: SendOrigin?, _ me: UInt
  ) -> ActionTask.Progress {
    root.enqueueWork(from: origin, me, "dispatched \(action) (at \(source))") { [self] in
      if origin?.dropsActions != true && !reportRunaway({ action }, source) { process(action, source) }
    }
  }

  /// Returns whether the runaway guard of this child or of a parent drops the action. A dropped action is reported. The
  /// action is mapped only if the limit of a parent's guard is exceeded.
  @usableFromInline func reportRunaway(_ action: () -> Action?, _ source: ActionSource) -> Bool {
    if let runawayGuard, runawayGuard.reportRunaway(action, source, in: root) { return true }
    return parent.reportRunaway({ action().flatMap(toRoot) }, source)
  }

  /// Stage 1, and then the other stages for each resulting action.
  ///
  /// The child stores that the action came through are reduced with the first of these actions, and also if there is
  /// none.
  @inlinable func process(_ action: Action?, _ source: ActionSource) {
    guard let action else { return parent.process(nil, source) }
    lend(action, source) { action, source in
      guard !interceptor.units.isEmpty, let actions = interceptor.replacements(of: action, source, getState) else {
        return handle(action, source)
      }
      if actions.isEmpty { parent.process(nil, source.value) }
      for action in actions {
        lend(action) { handle($0, source) }
        root.endReducing()
      }
    }
  }

  /// Stage 2 here. The root performs the other stages.
  @inlinable func handle(_ action: Lent<Action>, _ source: Lent<ActionSource>) {
    memory.value.current = (action, source)
    for middleware in memory.value.middlewares {
      let effect = middleware.handle(action, source, getState)
      if !effect.isNone { collect(effect, of: middleware) }
    }
    link.value.below = passed.value.outermost
    passed.value.outermost = link.storage.address.lent
    let mapped = toRoot(action.value)
    withExtendedLifetime(mapped) {
      parent.process(mapped, source.value)
      // The release of the mapped action may call code of the app, so the phase `reducing` must have ended.
      if case _? = mapped { root.endReducing() }
    }
    memory.value.current = nil
  }

  @inlinable @inline(never) func collect(_ effect: Effect<Action>, of middleware: MiddlewareBox<Action, State>) {
    memory.value.pending.append((effect, middleware.owner))
    passed.value.hasEffects = true
  }

  @usableFromInline func describe() -> String {
    memory.value.current.map { "\($0.action.value), dispatched at \($0.source.value)" } ?? "an action"
  }

  /// Stage 3.
  @inlinable func reduce() -> Bool {
    guard let action = memory.value.current?.action else { return false }
    var hasChanged = false
    reducers.forEach { _, reducer in
      if reducer.unit.run(action, &local.value) != .rejected { hasChanged = true }
    }
    return hasChanged
  }

  /// A sender that code keeps does not retain the child.
  @usableFromInline var delivery: Send<Action>.Deliver {
    { [weak self] action, source, origin in
      _ = self?.dispatch(action, from: source, origin: origin)
      origin.end()
    }
  }

  @usableFromInline var owners: [EffectOwner] { memory.value.middlewares.map(\.owner) }
}
