import Synchronization

/// A child store's own state, in memory of its own.
///
/// `@unchecked Sendable`: the same rule as the root's (``StateCell``) holds. It
/// is changed in the root's reducing phase only.
@usableFromInline
final class LocalCell<Local: Sendable>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Local>

  init(_ state: Local) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

/// The part of a child store that its effects and observers refer to.
///
/// `@unchecked Sendable`: everything that varies is used by the pipeline's owner
/// only.
@usableFromInline
final class ChildPipeline<Action: Sendable, RootAction: Sendable, Root: Sendable, Local: Sendable>: @unchecked Sendable
{
  typealias State = ChildState<Root, Local>

  let core: StoreCore<RootAction, Root>
  let local: LocalCell<Local>
  let reducer: Reducer<Action, Local>
  let toRoot: @Sendable (Action) -> RootAction?
  let runawayGuard: RunawayGuard<Action>?
  var middlewares: [(bound: BoundMiddleware<Action, Action, State>, owner: Int)] = []
  var observers: [ChildObserver<Action, RootAction, Root, Local>] = []
  /// The child's feeds by middleware.
  var openFeeds: [Int: [EffectID: EffectRun]] = [:]
  var hasEnded = false
  /// Counts transactions, so that an observer which the root has called is not called again by the child.
  var round = 0
  /// What lets the feeds follow the root's state.
  var installation: Int?

  init(
    core: StoreCore<RootAction, Root>, initialState: Local, reducer: Reducer<Action, Local>,
    toRoot: @escaping @Sendable (Action) -> RootAction?, runawayGuard: RunawayGuard<Action>?
  ) {
    self.core = core
    self.reducer = reducer
    self.toRoot = toRoot
    self.runawayGuard = runawayGuard
    local = LocalCell(initialState)
  }

  func read() -> State {
    core.cell.read { State(root: $0.pointee, local: local.pointer.pointee) }
  }

  /// Binds and starts the middlewares; called by the owner only.
  func begin(_ middleware: Middleware<Action, Action, State>) {
    // The cells alone: an effect may go on reading when the child is gone.
    let cell = core.cell
    let local = self.local
    let getState = GetState<State> { (_: Bool, body: (UnsafePointer<State>) -> Void) in
      let state = cell.read { State(root: $0.pointee, local: local.pointer.pointee) }
      withUnsafePointer(to: state) { body($0) }
    }
    for unit in middleware.units {
      middlewares.append((unit.bind(getState), core.memory.pointee.nextOwner))
      core.memory.pointee.nextOwner += 1
    }
    let group = core.newGroup()
    for (bound, owner) in middlewares {
      core.execute(bound.start(), EffectContext(owner: owner, group: group), sink: sink)
    }
    guard middlewares.contains(where: { $0.bound.feeds != nil }) else { return }
    // Feeds depend on the root's state too: a middleware of the root that takes no action and looks at each state.
    let follower = MiddlewareUnit<RootAction, RootAction, Root>(claims: { _ in false }) { _ in
      BoundMiddleware(
        handle: { _, _ in .none },
        feeds: { [weak self] _ in
          self?.updateFeeds()
          return []
        })
    }
    installation = core.add(Feature(middleware: Middleware(units: [follower])))
  }

  /// Ends what goes on for the child; called by the owner only.
  func end() {
    hasEnded = true
    core.effects.cancel(owners: Set(middlewares.map(\.owner)))
    if let installation { core.remove(installation: installation) }
    installation = nil
    middlewares = []
    for observer in observers { observer.finish() }
    observers = []
    openFeeds = [:]
  }

  var sink: ChildSink<Action, RootAction, Root> {
    ChildSink(core: core) { [weak self] action, source, origin in
      let context = ActionContext(origin)
      if !context.isCancelled { self?.dispatch(action, from: source, context: context) }
      if case .last(let run) = origin { run.table.end(run) }
    }
  }

  func dispatch(_ action: Action, from source: ActionSource, context: ActionContext) {
    core.diagnoseReducer("dispatched \(action) (at \(source))")
    if let origin = context.origin { core.effects.retain(origin) }
    core.perform("dispatched an action") { [self] in
      defer { if let origin = context.origin { core.effects.release(origin) } }
      if hasEnded || context.isCancelled { return }
      if let runawayGuard, core.memory.pointee.currentGeneration > runawayGuard.limit {
        runawayGuard.report(DispatchedAction(action, source: source))
        return
      }
      if let runawayGuard = core.runawayGuard, core.memory.pointee.currentGeneration > runawayGuard.limit,
        let rootAction = toRoot(action)
      {
        runawayGuard.report(DispatchedAction(rootAction, source: source))
        return
      }
      process(action, from: source, context: context)
    }
  }

  /// One transaction; called by the owner only.
  private func process(_ action: Action, from source: ActionSource, context: ActionContext) {
    var answers: [(effect: Effect<Action>, owner: Int)] = []
    withUnsafePointer(to: action) { action in
      for (bound, owner) in middlewares {
        let effect = bound.handle(action, source)
        if !effect.isNone { answers.append((effect, owner)) }
      }
    }
    round += 1
    let transaction = ChildTransaction(
      describe: { "\(action), dispatched at \(source)" },
      reduce: { [self] in reducer.reduce(action, &local.pointer.pointee) },
      notify: { [self] in
        for observer in observers { observer.localChanged() }
        updateFeeds()
      },
      effects: { [self] in
        core.holding(context.group ?? core.newGroup()) { group in
          for (effect, owner) in answers.reversed() {
            core.execute(effect, EffectContext(owner: owner, group: group), sink: sink)
          }
        }
      })
    core.process(toRoot(action), from: source, context: context, child: transaction)
    core.memory.pointee.currentGroup = nil
  }

  private func updateFeeds() {
    let state = State(root: core.cell.pointer.pointee, local: local.pointer.pointee)
    for (bound, owner) in middlewares {
      guard let feeds = bound.feeds else { continue }
      let wanted = withUnsafePointer(to: state) { feeds($0) }
      let keys = Set(wanted.map(\.key))
      var open = openFeeds[owner] ?? [:]
      for (key, run) in open where !keys.contains(key) {
        open[key] = nil
        core.effects.cancel(run)
      }
      for feed in wanted where open[feed.key] == nil {
        open[feed.key] = core.open(feed, owner: owner, sink: sink)
      }
      openFeeds[owner] = open
    }
  }
}

/// Where a child store's effects go.
struct ChildSink<Action: Sendable, RootAction: Sendable, Root: Sendable>: EffectSink {
  let core: StoreCore<RootAction, Root>
  let delivery: Send<Action>.Deliver

  func follow(_ followUp: FollowUp<Action>, from origin: SendOrigin) {
    delivery(followUp.action, followUp.source, origin)
  }
}

/// An observer of a child store, called once in each transaction whichever part changed.
///
/// `@unchecked Sendable`: used by the pipeline's owner only, but for the flag,
/// which is only ever set to false.
final class ChildObserver<Action: Sendable, RootAction: Sendable, Root: Sendable, Local: Sendable>: @unchecked Sendable
{
  let pipeline: ChildPipeline<Action, RootAction, Root, Local>
  let observer: @Sendable (ChildState<Root, Local>) -> Void
  private let end: @Sendable () -> Void
  private let alive = Atomic<Bool>(true)
  private var lastRound = -1

  init(
    pipeline: ChildPipeline<Action, RootAction, Root, Local>, end: @escaping @Sendable () -> Void,
    _ observer: @escaping @Sendable (ChildState<Root, Local>) -> Void
  ) {
    self.pipeline = pipeline
    self.end = end
    self.observer = observer
  }

  /// No call begins after this.
  func leave() {
    alive.store(false, ordering: .releasing)
  }

  /// The child or its root is gone: says so, once, if the observer has not left before.
  func finish() {
    if alive.exchange(false, ordering: .acquiringAndReleasing) { end() }
  }

  private var isAlive: Bool { alive.load(ordering: .acquiring) }

  func rootChanged(_ root: UnsafePointer<Root>) {
    guard isAlive else { return }
    lastRound = pipeline.round
    observer(ChildState(root: root.pointee, local: pipeline.local.pointer.pointee))
  }

  func localChanged() {
    guard isAlive, lastRound != pipeline.round else { return }
    lastRound = pipeline.round
    observer(ChildState(root: pipeline.core.cell.pointer.pointee, local: pipeline.local.pointer.pointee))
  }
}
