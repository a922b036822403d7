public import Synchronization

/// A reducer in a store, with the observers that are to be called after it.
///
/// `@unchecked Sendable`: only the thread that runs the pipeline uses the
/// variables.
@usableFromInline
final class ReducerBox<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let run: ReducerUnit<Action, State>.Run
  @usableFromInline let claims: (@Sendable (Action) -> Bool)?
  @usableFromInline let span: StateSpan
  @usableFromInline let installation: Int

  @usableFromInline
  init(_ unit: ReducerUnit<Action, State>, installation: Int) {
    run = unit.run
    claims = unit.claims
    span = unit.span
    self.installation = installation
  }
}

/// A middleware in a store, with its open feeds.
///
/// `@unchecked Sendable`: the variables are used by the pipeline's owner only.
@usableFromInline
final class MiddlewareBox<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let handle: BoundMiddleware<Action, Action, State>.Handle
  @usableFromInline let start: @Sendable () -> Effect<Action>
  @usableFromInline let feeds: MiddlewareUnit<Action, Action, State>.Feeds?
  @usableFromInline let claims: (@Sendable (Action) -> Bool)?
  @usableFromInline let span: StateSpan
  @usableFromInline let places: StatePlaces
  /// Its number in the store: what keeps its effects' names apart from all others'.
  @usableFromInline let owner: Int
  @usableFromInline let installation: Int
  @usableFromInline var openFeeds: [EffectID: EffectRun] = [:]
  /// Whether there are any; atomic only because reading it costs no exclusivity check then.
  @usableFromInline let hasOpenFeeds = Atomic<Bool>(false)

  @usableFromInline
  init(
    _ unit: MiddlewareUnit<Action, Action, State>, state: GetState<State>, owner: Int, installation: Int
  ) {
    let bound = unit.bind(state)
    handle = bound.handle
    start = bound.start
    feeds = unit.feeds
    claims = unit.claims
    span = unit.span
    places = unit.places
    self.owner = owner
    self.installation = installation
  }
}

/// The reducers and middlewares for the actions of one enum case, looked up
/// once.
///
/// The arrays keep the members alive; the loops walk over the bare pointers.
@usableFromInline
final class Route<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let reducers: UnsafeMutableBufferPointer<Unmanaged<ReducerBox<Action, State>>>
  /// For each reducer, the observers to call when it accepted an action.
  @usableFromInline let watchers: UnsafeMutableBufferPointer<Watchers<State>>
  @usableFromInline let middlewares: UnsafeMutableBufferPointer<Unmanaged<MiddlewareBox<Action, State>>>
  @usableFromInline let members: ([ReducerBox<Action, State>], [MiddlewareBox<Action, State>])
  /// The observer table's version for which `watchers` was made; a pointer, since it costs no exclusivity check.
  @usableFromInline let version: UnsafeMutablePointer<UInt64>

  @usableFromInline
  init(reducers: [ReducerBox<Action, State>], middlewares: [MiddlewareBox<Action, State>]) {
    members = (reducers, middlewares)
    self.reducers = .allocate(capacity: reducers.count)
    _ = self.reducers.initialize(from: reducers.map { Unmanaged.passUnretained($0) })
    watchers = .allocate(capacity: reducers.count)
    watchers.initialize(repeating: Watchers())
    version = .allocate(capacity: 1)
    version.initialize(to: 0)
    self.middlewares = .allocate(capacity: middlewares.count)
    _ = self.middlewares.initialize(from: middlewares.map { Unmanaged.passUnretained($0) })
  }

  deinit {
    reducers.deallocate()
    for index in 0..<watchers.count { watchers[index].observers.deallocate() }
    watchers.deallocate()
    version.deallocate()
    middlewares.deallocate()
  }
}

/// The observers that read what one reducer writes. Releasing the value frees
/// the list.
@usableFromInline
struct Watchers<State: Sendable> {
  @usableFromInline var observers = UnsafeMutableBufferPointer<Unmanaged<Observer<State>>>(start: nil, count: 0)
  @usableFromInline var hasFeeds = false

  @usableFromInline init() {}

  @inlinable
  var isNone: Bool { observers.isEmpty && !hasFeeds }

  @usableFromInline
  mutating func replace(by list: ContiguousArray<Unmanaged<Observer<State>>>, hasFeeds: Bool) {
    observers.deallocate()
    observers = .allocate(capacity: list.count)
    _ = observers.initialize(from: list)
    self.hasFeeds = hasFeeds
  }
}

/// How many reducers accepted an action, and which one was the last.
@usableFromInline
struct Reduction {
  @usableFromInline var accepted = 0
  @usableFromInline var last = 0

  @inlinable
  init() {}
}

/// Everything that only the thread that runs the pipeline uses.
///
/// It has memory of its own, so its use costs no exclusivity checks.
@usableFromInline
struct PipelineMemory<Action: Sendable, State: Sendable>: ~Copyable {
  @usableFromInline var reducers: ContiguousArray<ReducerBox<Action, State>> = []
  @usableFromInline var middlewares: ContiguousArray<MiddlewareBox<Action, State>> = []
  @usableFromInline var interceptors: ContiguousArray<(decide: Interceptor<Action, State>.Decide, installation: Int)> =
    []
  /// All interceptors as one.
  @usableFromInline var interceptor = Interceptor<Action, State>.identity
  /// The middlewares that keep feeds open: those of child stores, then those of the store.
  @usableFromInline var feeders: ContiguousArray<Feeder> = []
  @usableFromInline var childFeeders: ContiguousArray<Feeder> = []
  @usableFromInline var observers = ObserverTable<State>()
  /// By the action's case; index 0 serves all if cases cannot be read.
  @usableFromInline var routes: UnsafeMutableBufferPointer<Unmanaged<Route<Action, State>>?>
  /// Keeps the routes alive.
  @usableFromInline var routeOwners: ContiguousArray<Route<Action, State>> = []

  /// The effects of the current action, with their middlewares.
  @usableFromInline var pending: ContiguousArray<(effect: Effect<Action>, owner: Int)> = []
  /// What the accepted reducers of the current action may have changed.
  @usableFromInline var touched: ContiguousArray<StateSpan> = []
  /// Where the effects' actions go; made once, and emptied with the store.
  @usableFromInline var delivery: Send<Action>.Deliver?
  /// An effect that is registered, and that begins when the pipeline is left or goes on.
  @usableFromInline var deferred: DeferredEffect?
  /// The effect whose last action is being processed. It ends when the thread has left the pipeline, so a task that
  /// waits for it finds an idle store. The deferred effect reuses its task.
  @usableFromInline var ending: Unmanaged<EffectRun>?
  @usableFromInline var throttles: [EffectKey: ThrottleWindow] = [:]
  @usableFromInline var parts = PartTable()

  /// The items that this thread has taken from the queue, and later follow-ups.
  @usableFromInline var taken = TakenItems<QueueItem<Action>>()
  @usableFromInline var current = CurrentAction<Action>()
  /// Whether the store is released and this is empty.
  @usableFromInline var isEmptied = false

  @usableFromInline var nextOwner = 0
  @usableFromInline var nextInstallation = 0

  @usableFromInline
  init() {
    routes = .allocate(capacity: 16)
    routes.initialize(repeating: nil)
  }

  /// Discards the looked-up reducers and middlewares of all cases.
  @usableFromInline
  mutating func resetRoutes() {
    routes.update(repeating: nil)
    routeOwners = []
  }
}

/// Something that opens and closes feeds after a change of these bytes; called on the pipeline only.
@usableFromInline
final class Feeder {
  @usableFromInline let span: StateSpan
  @usableFromInline let update: () -> Void

  @inlinable
  init(span: StateSpan, update: @escaping () -> Void) {
    self.span = span
    self.update = update
  }
}

/// An open interval of a throttled effect.
@usableFromInline
struct ThrottleWindow {
  /// The last of the effects that came within it.
  @usableFromInline var waiting: ThrottledEffect?
  /// What ends it; if that was cancelled, the interval has ended.
  @usableFromInline var run: EffectRun?

  @inlinable
  init() {}
}

/// An effect that waits for the end of an interval, and that is running as far as the outside can see.
@usableFromInline
struct ThrottledEffect {
  @usableFromInline let run: EffectRun
  @usableFromInline let begin: () -> Void

  @inlinable
  init(run: EffectRun, begin: @escaping () -> Void) {
    self.run = run
    self.begin = begin
  }
}

/// A registered effect whose work has not been begun yet.
@usableFromInline
struct DeferredEffect: ~Copyable {
  @usableFromInline let run: EffectRun
  @usableFromInline let work: EffectChain.Work

  @inlinable
  init(run: EffectRun, work: @escaping EffectChain.Work) {
    self.run = run
    self.work = work
  }
}

/// The action that the pipeline is processing, and what it has from the one that led to it.
@usableFromInline
struct CurrentAction<Action: Sendable> {
  @usableFromInline var action: UnsafePointer<Action>?
  @usableFromInline var source: UnsafePointer<ActionSource>?
  /// Describes a child store's action that means nothing to this store.
  @usableFromInline var describeChild: (() -> String)?
  @usableFromInline var generation = 0
  /// What its effects belong to: that of the effect that sent it, or its own as soon as it starts one.
  @usableFromInline var group: EffectGroup?
  @usableFromInline var ticket: UInt64 = 0
  /// Whether the running thread's own action led to it, or is it.
  @usableFromInline var isOwn = false
  /// The priority of the dispatch that led to it; 0 for that of the calling task.
  @usableFromInline var priority: UInt8 = 0
  /// The task-local values that it carries, if `priority` is not 0.
  @usableFromInline var locals: TaskLocalBinding?

  @inlinable
  init() {}

  /// An action that is processed where it was dispatched.
  @inlinable
  mutating func beginOwn() {
    isOwn = true
    generation = 0
    priority = 0
  }

  /// An action from the queue.
  @inlinable
  mutating func begin(_ context: ActionContext, ticket: UInt64) {
    isOwn = context.isOwn
    generation = context.generation
    priority = context.priority
    group = context.group
    self.ticket = ticket
  }
}
