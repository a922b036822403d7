public import Synchronization

/// An observer of a child store. It is one of the root's observers, so it is called in their order and once for each
/// action.
@usableFromInline final class ChildObserver: Sendable {
  @usableFromInline let call: @Sendable () -> Void
  private let end: @Sendable () -> Void
  @usableFromInline let isAlive = Atomic<Bool>(true)
  private let rootSubscription = Locked<Subscription?>(nil)

  init(end: @escaping @Sendable () -> Void, _ call: @escaping @Sendable () -> Void) {
    self.end = end
    self.call = call
  }

  /// Keeps the root's subscription until the observer ends.
  func keep(_ subscription: Subscription) {
    rootSubscription.withLock { $0 = subscription }
    if !isAlive.load(ordering: .acquiring) { leave() }
  }

  /// Ends the subscription. No call starts afterwards.
  func leave() {
    isAlive.store(false, ordering: .releasing)
    rootSubscription.withLock { $0.take() }?.cancel()
  }

  /// Ends the observer when the child or its root is released. Calls `end` once, unless the observer was cancelled
  /// before.
  func finish() {
    if isAlive.exchange(false, ordering: .acquiringAndReleasing) { end() }
    leave()
  }

  @inlinable func notify() {
    if isAlive.load(ordering: .acquiring) { call() }
  }
}

/// Everything of a child store that only the thread that runs the root's pipeline uses.
@usableFromInline struct ChildMemory<Action: Sendable, State: Sendable> {
  @usableFromInline var middlewares: ContiguousArray<MiddlewareBox<Action, State>> = []
  /// The observers of this child and of its children, in the order of their subscription.
  @usableFromInline var observers: ContiguousArray<ChildObserver> = []
  @usableFromInline var feeders: ContiguousArray<Feeder> = []
  @usableFromInline var hasEnded = false

  /// The current action; `nil` if the action of a child store maps to no action of this store.
  @usableFromInline var action: Action?
  @usableFromInline var source: ActionSource?
  /// The child that the action came through.
  @usableFromInline var below: ChildStages?
  @usableFromInline var pending: ContiguousArray<(effect: Effect<Action>, owner: EffectOwner)> = []
  @usableFromInline var hasChanged = false

  @inlinable init() {}
}

/// The part of a child store that its effects and observers refer to.
///
/// It has no queue and no gate, because the root's pipeline processes its actions. A child's action passes the child's
/// interceptors and middlewares. The mapped action passes those of the parent, and so on up to the root. All their
/// reducers run in one reducing phase.
@usableFromInline
final class ChildPipeline<Action: Sendable, ParentAction: Sendable, ParentState: Sendable, Local: Sendable>:
  ParentPipeline, EffectSink
{
  @usableFromInline typealias State = ChildState<ParentState, Local>

  @usableFromInline let parent: ChildParent<ParentAction, ParentState>
  @usableFromInline let root: any RootPipeline
  @usableFromInline let local: MemoryCell<Local>
  @usableFromInline let storage = Memory(ChildMemory<Action, State>())
  @inlinable @inline(__always) var memory: MemoryAddress<ChildMemory<Action, State>> { storage.address }
  @usableFromInline let feature: ChildFeature<Action, ParentState, Local>
  @usableFromInline let reducers: Members<ReducerBox<Action, Local>>
  @usableFromInline let toRoot: @Sendable (Action) -> ParentAction?
  @usableFromInline let runawayGuard: RunawayGuard<Action>?
  /// The getter of the child's middlewares and interceptors. An effect may read it after the child was released.
  @usableFromInline let getState: GetState<State>

  @inlinable init(
    parent: ChildParent<ParentAction, ParentState>, initialState: Local,
    feature: ChildFeature<Action, ParentState, Local>, toRoot: @escaping @Sendable (Action) -> ParentAction?,
    runawayGuard: RunawayGuard<Action>?
  ) {
    let root = parent.pipeline.root
    let local = MemoryCell(initialState)
    let current = parent.current
    self.parent = parent
    self.root = root
    self.local = local
    self.feature = feature
    reducers = Members(ContiguousArray(feature.reducer.units.map { ReducerBox($0, installation: 0) }))
    self.toRoot = toRoot
    self.runawayGuard = runawayGuard
    getState = GetState { root.read { State(root: current(), local: local.memory.value) } }
  }

  @inlinable var current: State { State(root: parent.current(), local: local.memory.value) }

  @inlinable func read() -> State {
    root.read { current }
  }

  /// Binds and starts the middlewares; called by the thread that runs the pipeline.
  @usableFromInline func startMiddlewares() {
    let middlewares = feature.middleware.units.map { MiddlewareBox($0, span: .whole, installation: 0) }
    memory.value.middlewares = ContiguousArray(middlewares)
    let group = root.newGroup(ticket: 0)
    for middleware in middlewares {
      root.execute(middleware.unit.start(getState), EffectContext(owner: middleware.owner, group: group), sink: self)
    }
    for middleware in middlewares where middleware.unit.feeds != nil {
      let feeder = Feeder(span: .whole) { [weak self] in self?.updateFeeds(of: middleware) }
      add(feeder)
      feeder.update()
    }
  }

  /// Ends the child's effects, feeds and observers. The thread that runs the pipeline calls it.
  func end() {
    var ended = ChildMemory<Action, State>()
    ended.hasEnded = true
    swap(&ended, &memory.value)
    root.cancel(owners: Set(ended.middlewares.map(\.owner)))
    for feeder in ended.feeders { parent.pipeline.remove(feeder) }
    for observer in ended.observers {
      parent.pipeline.remove(observer)
      observer.finish()
    }
  }

  // MARK: Actions

  @inlinable func dispatch(_ action: Action, from source: ActionSource, context: ActionContext) -> ActionTask.Progress {
    let me = currentThreadID()
    guard parent.enter(me, context.group) else { return enqueue(action, source, context, me) }
    // The group stays live until this thread has left the pipeline, as for the root's own actions.
    let held = context.group?.retainLive() == true ? context.group : nil
    if !context.isDropped { processUnlessEnded(action, source) }
    let progress = parent.leave(me)
    if let held { root.effects.release(held) }
    return progress
  }

  @usableFromInline func enqueue(
    _ action: Action, _ source: ActionSource, _ context: ActionContext, _ me: UInt
  ) -> ActionTask.Progress {
    root.enqueue(context, me, "dispatched \(action) (at \(source))") { [self] in
      if !context.isDropped && !dropsRunaway({ action }, source) { processUnlessEnded(action, source) }
    }
  }

  /// Whether the runaway guard of this child or of a parent drops the action, and reports it. The action is mapped only
  /// if the limit of a parent's guard is exceeded.
  @usableFromInline func dropsRunaway(_ action: () -> Action?, _ source: ActionSource) -> Bool {
    if let runawayGuard, root.generation > runawayGuard.limit, let action = action() {
      runawayGuard.report(DispatchedAction(action, source: source))
      return true
    }
    return parent.dropsRunaway({ action().flatMap(toRoot) }, source)
  }

  @inlinable func processUnlessEnded(_ action: Action, _ source: ActionSource) {
    if !memory.value.hasEnded { process(action, source, below: nil) }
  }

  /// Stage 1, and then the other stages for each resulting action.
  @inlinable func process(_ action: Action?, _ source: ActionSource, below: ChildStages?) {
    if feature.interceptor.units.isEmpty { return handle(action, source, below: below) }
    guard let action, let actions = feature.interceptor.changes(of: action, source, getState) else {
      return handle(action, source, below: below)
    }
    var below = below
    for action in actions {
      handle(action, source, below: below)
      root.endReducing()
      below = nil
    }
    if below != nil { handle(nil, source, below: below) }
  }

  /// Stage 2 here. The parent performs the other stages.
  @inlinable func handle(_ action: Action?, _ source: ActionSource, below: ChildStages?) {
    memory.value.action = action
    memory.value.source = source
    memory.value.below = below
    if let action {
      for index in memory.value.middlewares.indices {
        let middleware = memory.value.middlewares[index]
        let effect = middleware.handle(action, source, getState)
        if !effect.isNone { memory.value.pending.append((effect, middleware.owner)) }
      }
    }
    parent.process(
      action.flatMap(toRoot), source,
      ChildStages(run: { [self] in run($0) }, describe: { [self] in describe() }))
    memory.value.action = nil
    memory.value.source = nil
    memory.value.below = nil
  }

  @usableFromInline func describe() -> String {
    guard let action = memory.value.action, let source = memory.value.source else {
      return memory.value.below?.describe() ?? "an action"
    }
    return "\(action), dispatched at \(source)"
  }

  @inlinable func run(_ stage: ChildStages.Stage) -> ChildStages.Outcome {
    switch stage {
    case .reduce: return reduce()
    case .notify:
      guard memory.value.hasChanged else { return memory.value.below?.run(.notify) ?? .init() }
      for observer in memory.value.observers { observer.notify() }
    case .updateFeeds:
      guard memory.value.hasChanged else { return memory.value.below?.run(.updateFeeds) ?? .init() }
      for feeder in memory.value.feeders { feeder.update() }
    case .startEffects:
      if !memory.value.pending.isEmpty { startPendingEffects() }
      _ = memory.value.below?.run(.startEffects)
    }
    return .init()
  }

  /// Stage 3.
  @inlinable func reduce() -> ChildStages.Outcome {
    var outcome = memory.value.below?.run(.reduce) ?? .init()
    var hasChanged = false
    if let action = memory.value.action {
      reducers.forEach { _, reducer in
        if reducer.unit.run(action, &local.memory.value) { hasChanged = true }
      }
    }
    memory.value.hasChanged = hasChanged
    if hasChanged {
      outcome.isAccepted = true
      if !memory.value.observers.isEmpty || !memory.value.feeders.isEmpty { outcome.isUnfinished = true }
    }
    if !memory.value.pending.isEmpty { outcome.isUnfinished = true }
    return outcome
  }

  @usableFromInline func startPendingEffects() {
    let group = root.beginStartingEffects()
    while let (effect, owner) = memory.value.pending.popLast() {
      root.execute(effect, EffectContext(owner: owner, group: group), sink: self)
    }
  }

  /// A sender that code keeps does not retain the child.
  @usableFromInline var delivery: Send<Action>.Deliver {
    { [weak self] action, source, origin in
      let context = ActionContext(origin)
      if !context.isDropped { _ = self?.dispatch(action, from: source, context: context) }
      origin.end()
    }
  }

  @usableFromInline var owners: [EffectOwner] { memory.value.middlewares.map(\.owner) }

  // MARK: Observers and feeds

  @usableFromInline
  func subscribe(end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    let member = ChildObserver(end: end) { [self] in observer(current) }
    member.keep(
      root.subscribe(member, added: { [self] in memory.value.hasEnded ? member.finish() : add(member) }) {
        let state = current
        return { observer(state) }
      })
    // The references are weak, so a subscription that outlives the child retains nothing else.
    return Subscription { [weak self, weak member] in
      guard let self, let member else { return }
      member.leave()
      root.perform("cancelled a subscription") { [self] in remove(member) }
    }
  }

  @usableFromInline func add(_ observer: ChildObserver) {
    memory.value.observers.append(observer)
    parent.pipeline.add(observer)
  }

  @usableFromInline func remove(_ observer: ChildObserver) {
    if let index = memory.value.observers.firstIndex(where: { $0 === observer }) {
      memory.value.observers.remove(at: index)
    }
    parent.pipeline.remove(observer)
  }

  @usableFromInline func add(_ feeder: Feeder) {
    memory.value.feeders.append(feeder)
    parent.pipeline.add(feeder)
  }

  @usableFromInline func remove(_ feeder: Feeder) {
    memory.value.feeders.removeAll { $0 === feeder }
    parent.pipeline.remove(feeder)
  }

  private func updateFeeds(of middleware: MiddlewareBox<Action, State>) {
    if memory.value.hasEnded { return }
    let wanted = lend(current) { middleware.unit.feeds?($0) ?? [] }
    middleware.updateFeeds(to: wanted, in: root.effects) { root.open($0, owner: middleware.owner, sink: self) }
  }
}

extension ChildPipeline {
  /// This pipeline as a parent.
  @inlinable var asParent: ChildParent<Action, State> {
    ChildParent(
      self, enter: parent.enter, leave: parent.leave, current: { [self] in current },
      process: { [self] action, source, child in process(action, source, below: child) },
      dropsRunaway: { [self] in dropsRunaway($0, $1) })
  }
}

/// The parts of a child store. Its reducer has the child's own state; the other parts read the
/// parent's state too.
@usableFromInline struct ChildFeature<Action: Sendable, ParentState: Sendable, Local: Sendable>: Sendable {
  @usableFromInline let reducer: Reducer<Action, Local>
  @usableFromInline let middleware: Middleware<Action, Action, ChildState<ParentState, Local>>
  @usableFromInline let interceptor: Interceptor<Action, ChildState<ParentState, Local>>

  @inlinable init(
    reducer: Reducer<Action, Local>, middleware: Middleware<Action, Action, ChildState<ParentState, Local>>,
    interceptor: Interceptor<Action, ChildState<ParentState, Local>>
  ) {
    self.reducer = reducer
    self.middleware = middleware
    self.interceptor = interceptor
  }

  /// A feature with the child's own state only.
  @inlinable init(_ feature: Feature<Action, Local>) {
    self.init(
      reducer: feature.reducer, middleware: feature.middleware.lift(action: .identity, state: \.local),
      interceptor: feature.interceptor.lift(action: .identity, getter: GetState.part(\.local)))
  }
}
