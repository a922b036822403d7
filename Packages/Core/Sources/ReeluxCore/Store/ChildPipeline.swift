import Synchronization

/// The work of a child store's action in the stages of its parent's action.
@usableFromInline
protocol ChildStages: AnyObject {
  /// Names the child's action and its source, for a diagnosis.
  func describe() -> String
  /// Reduces the states of the child and of the children that the action came through; returns whether one accepted it.
  func reduce() -> Bool
  /// Calls the observers of the states that changed; not called if the root called them already.
  func notify()
  /// Opens and closes feeds; not called if the root did already.
  func updateFeeds()
  /// Starts the effects that the middlewares returned.
  func startEffects()
}

/// The parent of a child store: a store, or a child store.
@usableFromInline
protocol ParentPipeline<Action, State>: AnyObject, Sendable {
  associatedtype Action: Sendable
  associatedtype State: Sendable

  var root: any RootPipeline { get }
  /// The state; to be called by the thread that runs the pipeline, or inside a read.
  var current: State { get }
  /// One transaction: a child's action, and the parent's action that it is mapped to, if there is one. Called by the
  /// thread that runs the pipeline.
  func process(_ action: Action?, from source: ActionSource, child: any ChildStages)
  /// Whether a runaway guard drops the action, and reports it.
  func dropsRunaway(_ action: Action?, from source: ActionSource) -> Bool
  /// An observer of a child's child reads this state too.
  func join(_ observer: ChildObserver)
  func sweep(_ observer: ChildObserver)
  /// A child's child has feeds that depend on this state too.
  func join(_ feeder: Feeder)
  func sweep(_ feeder: Feeder)
}

/// A root store's pipeline without the types of its actions and its state.
@usableFromInline
protocol RootPipeline: ActionTaskHost {
  func read<Result>(_ body: () -> Result) -> Result
  /// Whether the calling thread runs the pipeline from now on, for an action of this group; it calls `finish` then.
  func enter(_ me: UInt, group: EffectGroup?) -> Bool
  func finish(_ me: UInt) -> ActionTask.Progress
  /// Puts an action of a child, as work, into the queue. With `context.origin` unless it is `nil`.
  func enqueue(
    _ context: ActionContext, _ me: UInt, _ deed: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void
  ) -> ActionTask.Progress
  func execute<Sink: EffectSink>(_ effect: Effect<Sink.Sent>, _ context: EffectContext, sink: Sink)
  func open<Sink: EffectSink>(_ feed: Feed<Sink.Sent>, owner: Int, sink: Sink) -> EffectRun
  func takeOwner() -> Int
  func newGroup(ticket: UInt64) -> EffectGroup
  func ownGroup() -> EffectGroup
  func holding(_ group: EffectGroup, _ start: (EffectGroup) -> Void)
  var generation: Int { get }
  func subscribe(_ observer: ChildObserver, joined: @escaping @Sendable () -> Void, snapshot: () -> () -> Void)
    -> Subscription
}

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

/// An observer of a child store: one of the root's observers, so that it is called in its order and once for each action.
@usableFromInline
final class ChildObserver: Sendable {
  private let call: @Sendable () -> Void
  private let end: @Sendable () -> Void
  private let isAlive = Atomic<Bool>(true)

  init(end: @escaping @Sendable () -> Void, _ call: @escaping @Sendable () -> Void) {
    self.end = end
    self.call = call
  }

  /// No call begins after this.
  func leave() {
    isAlive.store(false, ordering: .releasing)
  }

  /// The child or its root is released: calls `end` once, unless the observer was
  /// cancelled before.
  func finish() {
    if isAlive.exchange(false, ordering: .acquiringAndReleasing) { end() }
  }

  func notify() {
    if isAlive.load(ordering: .acquiring) { call() }
  }
}

/// The part of a child store that its effects and observers refer to.
///
/// It has no queue and no gate: the root's pipeline processes its actions. A child's action passes the child's
/// interceptors and middlewares. The mapped action passes those of the parent, and so on up to the root. All their
/// reducers run in one reducing phase.
///
/// `@unchecked Sendable`: only the thread that runs the root's pipeline uses the variables.
@usableFromInline
final class ChildPipeline<Action: Sendable, ParentAction: Sendable, ParentState: Sendable, Local: Sendable>:
  ParentPipeline, ChildStages, @unchecked Sendable
{
  @usableFromInline typealias State = ChildState<ParentState, Local>

  let parent: any ParentPipeline<ParentAction, ParentState>
  @usableFromInline let root: any RootPipeline
  let local: LocalCell<Local>
  let feature: ChildFeature<Action, ParentState, Local>
  let toRoot: @Sendable (Action) -> ParentAction?
  let runawayGuard: RunawayGuard<Action>?
  private typealias Unit = MiddlewareUnit<Action, Action, State>
  private var middlewares: [(bound: BoundMiddleware<Action, Action, State>, feeds: Unit.Feeds?, owner: Int)] = []
  private var placedMiddlewares: [(owner: Int, places: StatePlaces)] = []
  /// Those of this child and of its children, in the order of their subscription.
  private var observers: [ChildObserver] = []
  private var feeders: [Feeder] = []
  private var ownFeeder: Feeder?
  /// The child's feeds by middleware.
  private var openFeeds: [Int: [EffectID: EffectRun]] = [:]
  private var hasEnded = false

  /// The current transaction.
  private var action: Action?
  private var source: ActionSource?
  private var below: (any ChildStages)?
  private var answers: [(effect: Effect<Action>, owner: Int)] = []
  private var hasChanged = false

  init(
    parent: any ParentPipeline<ParentAction, ParentState>, initialState: Local,
    feature: ChildFeature<Action, ParentState, Local>, toRoot: @escaping @Sendable (Action) -> ParentAction?,
    runawayGuard: RunawayGuard<Action>?
  ) {
    self.parent = parent
    root = parent.root
    self.feature = feature
    self.toRoot = toRoot
    self.runawayGuard = runawayGuard
    local = LocalCell(initialState)
  }

  @usableFromInline var current: State { State(root: parent.current, local: local.pointer.pointee) }

  func read() -> State {
    root.read { current }
  }

  /// The getter of the child's middlewares and interceptors. An effect may read it after the child was released.
  private var getState: GetState<State> {
    let root = self.root
    let parent = self.parent
    let local = self.local
    return GetState<State> { (_: Bool, body: (UnsafePointer<State>) -> Void) in
      let state = root.read { State(root: parent.current, local: local.pointer.pointee) }
      withUnsafePointer(to: state) { body($0) }
    }
  }

  /// Binds and starts the middlewares; called by the thread that runs the pipeline.
  func begin() {
    let getState = self.getState
    for unit in feature.middleware.units {
      let owner = root.takeOwner()
      middlewares.append((unit.bind(getState), unit.feeds, owner))
      placedMiddlewares.append((owner, unit.places))
    }
    let group = root.newGroup(ticket: 0)
    for (bound, _, owner) in middlewares {
      root.execute(bound.start(), EffectContext(owner: owner, group: group), sink: sink)
    }
    guard middlewares.contains(where: { $0.feeds != nil }) else { return }
    let feeder = Feeder(span: .whole) { [weak self] in self?.updateOwnFeeds() }
    ownFeeder = feeder
    join(feeder)
    updateOwnFeeds()
  }

  /// Ends the child's effects and feeds; called by the thread that runs the
  /// pipeline.
  func end() {
    hasEnded = true
    root.effects.cancel(owners: Set(middlewares.map(\.owner)))
    if let ownFeeder { sweep(ownFeeder) }
    ownFeeder = nil
    middlewares = []
    let ended = observers
    observers = []
    feeders = []
    openFeeds = [:]
    for observer in ended {
      parent.sweep(observer)
      observer.finish()
    }
  }

  private var sink: ChildSink<Action> {
    ChildSink(placedMiddlewares: placedMiddlewares) { [weak self] action, source, origin in
      let context = ActionContext(origin)
      if !context.isCancelled { _ = self?.dispatch(action, from: source, context: context) }
      if case .last(let run) = origin { run.table.end(run) }
    }
  }

  // MARK: Actions

  @usableFromInline
  func dispatch(_ action: Action, from source: ActionSource, context: ActionContext) -> ActionTask {
    let me = ThreadID.current()
    guard root.enter(me, group: context.group) else {
      let progress = root.enqueue(context, me, "dispatched \(action) (at \(source))") { [self] in
        if !context.isCancelled { begin(action, from: source) }
      }
      return ActionTask(progress, root)
    }
    // Held until the pipeline is left, as for the root's own actions.
    let held = context.group?.retainLive() == true ? context.group : nil
    begin(action, from: source)
    let progress = root.finish(me)
    if let held { root.effects.release(.group(held)) }
    return ActionTask(progress, root)
  }

  private func begin(_ action: Action, from source: ActionSource) {
    if hasEnded || dropsRunaway(action, from: source) { return }
    process(action, from: source, below: nil)
  }

  @usableFromInline
  func dropsRunaway(_ action: Action?, from source: ActionSource) -> Bool {
    guard let action else { return false }
    if let runawayGuard, root.generation > runawayGuard.limit {
      runawayGuard.report(DispatchedAction(action, source: source))
      return true
    }
    return parent.dropsRunaway(toRoot(action), from: source)
  }

  @usableFromInline
  func process(_ action: Action?, from source: ActionSource, child: any ChildStages) {
    process(action, from: source, below: child)
  }

  private func process(_ action: Action?, from source: ActionSource, below: (any ChildStages)?) {
    guard let action, !feature.interceptor.units.isEmpty else {
      return processIntercepted(action, from: source, below: below)
    }
    var below = below
    for action in feature.interceptor.intercept(action, from: source, state: getState) {
      processIntercepted(action, from: source, below: below)
      below = nil
    }
    if below != nil { processIntercepted(nil, from: source, below: below) }
  }

  private func processIntercepted(_ action: Action?, from source: ActionSource, below: (any ChildStages)?) {
    self.action = action
    self.source = source
    self.below = below
    if let action {
      withUnsafePointer(to: action) { action in
        for (bound, _, owner) in middlewares {
          let effect = bound.handle(action, source)
          if !effect.isNone { answers.append((effect, owner)) }
        }
      }
    }
    parent.process(action.flatMap(toRoot), from: source, child: self)
    self.action = nil
    self.source = nil
    self.below = nil
  }

  @usableFromInline
  func describe() -> String {
    guard let action, let source else { return below?.describe() ?? "an action" }
    return "\(action), dispatched at \(source)"
  }

  @usableFromInline
  func reduce() -> Bool {
    let belowChanged = below?.reduce() ?? false
    hasChanged = action.map { feature.reducer.reduce($0, &local.pointer.pointee) } ?? false
    return hasChanged || belowChanged
  }

  @usableFromInline
  func notify() {
    guard hasChanged else { return below?.notify() ?? () }
    for observer in observers { observer.notify() }
  }

  @usableFromInline
  func updateFeeds() {
    guard hasChanged else { return below?.updateFeeds() ?? () }
    for feeder in feeders { feeder.update() }
  }

  @usableFromInline
  func startEffects() {
    if !answers.isEmpty {
      root.holding(root.ownGroup()) { group in
        while let (effect, owner) = answers.popLast() {
          root.execute(effect, EffectContext(owner: owner, group: group), sink: sink)
        }
      }
    }
    below?.startEffects()
  }

  // MARK: Observers and feeds

  func subscribe(end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (State) -> Void) -> Subscription {
    let member = ChildObserver(end: end) { [self] in observer(current) }
    let subscription = root.subscribe(member, joined: { [self] in join(member) }) {
      let state = current
      return { observer(state) }
    }
    return Subscription { [self] in
      member.leave()
      subscription.cancel()
      root.perform("cancelled a subscription") { [self] in sweep(member) }
    }
  }

  @usableFromInline
  func join(_ observer: ChildObserver) {
    observers.append(observer)
    parent.join(observer)
  }

  @usableFromInline
  func sweep(_ observer: ChildObserver) {
    observers.removeAll { $0 === observer }
    parent.sweep(observer)
  }

  @usableFromInline
  func join(_ feeder: Feeder) {
    feeders.append(feeder)
    parent.join(feeder)
  }

  @usableFromInline
  func sweep(_ feeder: Feeder) {
    feeders.removeAll { $0 === feeder }
    parent.sweep(feeder)
  }

  private func updateOwnFeeds() {
    if hasEnded { return }
    let state = current
    for (_, feeds, owner) in middlewares {
      guard let feeds else { continue }
      let wanted = withUnsafePointer(to: state) { feeds($0) }
      let keys = Set(wanted.map { $0.key })
      var open = openFeeds[owner] ?? [:]
      for (key, run) in open where !keys.contains(key) {
        open[key] = nil
        root.effects.cancel(run)
      }
      for feed in wanted where open[feed.key] == nil {
        open[feed.key] = root.open(feed, owner: owner, sink: sink)
      }
      openFeeds[owner] = open
    }
  }
}

/// The parts of a child store. Its reducer has the child's own state; the other parts read the
/// parent's state too.
struct ChildFeature<Action: Sendable, ParentState: Sendable, Local: Sendable>: Sendable {
  let reducer: Reducer<Action, Local>
  let middleware: Middleware<Action, Action, ChildState<ParentState, Local>>
  let interceptor: Interceptor<Action, ChildState<ParentState, Local>>
}

/// The target of a child store's effects.
struct ChildSink<Action: Sendable>: EffectSink {
  let placedMiddlewares: [(owner: Int, places: StatePlaces)]
  let delivery: Send<Action>.Deliver

  func follow(_ followUp: FollowUp<Action>, from origin: SendOrigin) {
    delivery(followUp.action, followUp.source, origin)
  }
}
