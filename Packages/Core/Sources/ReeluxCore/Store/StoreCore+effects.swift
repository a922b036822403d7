public import Synchronization

/// Where an effect's parts go: to a store, or to a child store.
@usableFromInline
protocol EffectSink: Sendable {
  associatedtype Sent: Sendable

  /// Takes an action.
  var delivery: Send<Sent>.Deliver { get }
  /// Takes a follow-up; called by the owner only.
  func follow(_ followUp: FollowUp<Sent>, group: EffectGroup)
}

extension StoreCore: EffectSink {
  @inlinable
  var delivery: Send<Action>.Deliver {
    if let delivery = memory.pointee.delivery { return delivery }
    let delivery: Send<Action>.Deliver = { [self] action, source, origin in
      switch origin {
      case .run(let run): deliver(action, from: source, run: run, isLast: false)
      case .last(let run): deliver(action, from: source, run: run, isLast: true)
      case .group(let group): follow(FollowUp(action, from: source), group: group)
      case .outside: break
      }
    }
    if !isClosed.load(ordering: .acquiring) { memory.pointee.delivery = delivery }
    return delivery
  }

  /// Puts a follow-up action at the queue's end.
  @inlinable
  func follow(_ followUp: FollowUp<Action>, group: EffectGroup) {
    var context = ActionContext(.group(group))
    let me = ThreadID.current()
    let isOwner = cell.gate.isOwned(by: me)
    if isOwner {
      if cell.gate.isReducing { cell.misused("dispatched \(followUp.action) (at \(followUp.source))") }
      context.isOwn = memory.pointee.currentIsOwn
      context.generation = memory.pointee.currentGeneration + 1
    }
    effects.retain(.group(group))
    let item = QueueItem(.followUp(followUp), context: context)
    // Nothing waits in the inbox: the end of the queue is the end of what the owner has taken from it.
    if isOwner && !cell.gate.isAnythingWaiting { return appendToChain(item) }
    if enqueue(item, me) == nil { effects.release(.group(group)) }
  }

  /// The effects of the current action, the last middleware's first.
  @inlinable
  func runPendingEffects(context: ActionContext) {
    let group = context.group ?? freshGroup()
    while let (effect, owner) = memory.pointee.pending.popLast() {
      execute(effect, owner: owner, group: group, sink: self)
    }
  }

  /// The group of an action that nothing led to.
  @inlinable
  func freshGroup() -> EffectGroup {
    if let group = memory.pointee.currentGroup { return group }
    let group = EffectGroup(in: effects, ticket: memory.pointee.currentTicket)
    memory.pointee.currentGroup = group
    return group
  }

  /// Does what an effect wants; called by the owner only.
  @inlinable
  func execute<Sink: EffectSink>(_ effect: Effect<Sink.Sent>, owner: Int, group: EffectGroup, sink: Sink) {
    switch effect.operation {
    case .send(let followUp)?: sink.follow(followUp, group: group)
    case .afterReducer(let work)?: work(Send(origin: .group(group), deliver: sink.delivery))
    case .task(let task)?:
      if let traits = task.traits {
        start(task, traits, owner: owner, group: group, sink: sink)
      } else {
        let run = EffectRun(in: effects, key: nil, owner: owner, group: group, isFeed: false)
        start(task, run: run, sink: sink)
      }
    case .throttle(let throttle)?: begin(throttle, owner: owner, group: group, sink: sink)
    case .cancel(let id)?: cancel(EffectKey(owner: owner, id: id))
    case .several(let operations)?: execute(operations, owner: owner, group: group, sink: sink)
    case nil: break
    }
  }

  @inlinable
  @inline(never)
  func execute<Sink: EffectSink>(
    _ operations: [EffectOperation<Sink.Sent>], owner: Int, group: EffectGroup, sink: Sink
  ) {
    var replaced: Set<EffectID> = []
    for operation in operations {
      // Parts of one effect with one name replace older ones, not each other.
      if case .task(let task) = operation, let traits = task.traits, traits.cancelInFlight, let name = traits.name,
        !replaced.insert(name).inserted
      {
        let key = EffectKey(owner: owner, id: name)
        let run = EffectRun(in: effects, key: key, owner: owner, group: group, isFeed: false)
        start(task, run: run, sink: sink)
      } else {
        execute(Effect(operation), owner: owner, group: group, sink: sink)
      }
    }
  }

  @inlinable
  @inline(never)
  func cancel(_ key: EffectKey) {
    effects.cancel(key)
    if !memory.pointee.throttles.isEmpty { memory.pointee.throttles[key] = nil }
  }

  /// A task that has a name, or begins later.
  @inlinable
  @inline(never)
  func start<Sink: EffectSink>(
    _ task: EffectTask<Sink.Sent>, _ traits: EffectTraits, owner: Int, group: EffectGroup, sink: Sink
  ) {
    let key = traits.name.map { EffectKey(owner: owner, id: $0) }
    if let key, traits.cancelInFlight { cancel(key) }
    start(task, run: EffectRun(in: effects, key: key, owner: owner, group: group, isFeed: false), sink: sink)
  }

  @inlinable
  func start<Sink: EffectSink>(_ task: EffectTask<Sink.Sent>, run: EffectRun, sink: Sink) {
    guard effects.register(run) else { return }
    launchDeferred()
    let work = task.work(Send(origin: .run(run), deliver: sink.delivery))
    memory.pointee.deferred = DeferredEffect(run: run, work: work)
  }

  /// Begins the effect that was started last.
  ///
  /// A task that is made while the pipeline still runs begins on another thread
  /// at once, and finds the store busy: its answer has to go through the inbox,
  /// and the two threads wake each other for every action. So the last one is
  /// made when the pipeline has been left, or before the next action.
  @inlinable
  @inline(__always)
  func launchDeferred() {
    if let deferred = memory.pointee.deferred.take() {
      EffectChain.begin(deferred.run, deferred.work, on: effectExecutor)
    }
  }

  /// Leaves the pipeline, and begins the deferred effect then; drains first if something waits.
  @inlinable
  func leaveLaunching(_ me: UInt) {
    if memory.pointee.chunk != nil || !leaveDrained(me) { drain(me, isReducing: false) }
  }

  /// Leaves the pipeline unless something waits. The deferred effect begins either way: in the task of an effect that is
  /// over, if this is its thread and nothing keeps it here, or else in one of its own.
  @inlinable
  func leaveDrained(_ me: UInt) -> Bool {
    let deferred = memory.pointee.deferred.take()
    let ending = memory.pointee.ending.take()
    guard cell.gate.leave(me, reducing: false) else {
      memory.pointee.ending = ending
      if let deferred { EffectChain.begin(deferred.run, deferred.work, on: effectExecutor) }
      return false
    }
    let free = ending.flatMap { effects.end($0.takeUnretainedValue()) }
    guard let deferred else { return true }
    if let free, effectExecutor == nil {
      free.lend(to: deferred.run, deferred.work)
    } else {
      EffectChain.begin(deferred.run, deferred.work, on: effectExecutor)
    }
    return true
  }

  // MARK: Throttle

  @inlinable
  @inline(never)
  func begin<Sink: EffectSink>(_ throttle: Throttle<Sink.Sent>, owner: Int, group: EffectGroup, sink: Sink) {
    let key = EffectKey(owner: owner, id: throttle.id)
    if let window = memory.pointee.throttles[key], window.run?.isCancelled != true {
      if throttle.latest {
        memory.pointee.throttles[key]?.waiting = { [self] in
          execute(throttle.effect, owner: owner, group: group, sink: sink)
        }
      }
      return
    }
    memory.pointee.throttles[key] = ThrottleWindow()
    execute(throttle.effect, owner: owner, group: group, sink: sink)
    keepOpen(throttle, key: key, owner: owner, group: group, sink: sink)
  }

  /// Begins the time that an open interval lasts.
  @inlinable
  func keepOpen<Sink: EffectSink>(
    _ throttle: Throttle<Sink.Sent>, key: EffectKey, owner: Int, group: EffectGroup, sink: Sink
  ) {
    let run = EffectRun(in: effects, key: key, owner: owner, group: group, isFeed: false)
    memory.pointee.throttles[key]?.run = run
    let end = EffectTask<Sink.Sent>(
      source: throttle.source,
      body: { [self] _ in
        _ = await throttle.pause()
        await withCheckedContinuation { continuation in
          let barrier = Barrier(continuation)
          perform("ended an interval") { [self] in
            defer { barrier.pass() }
            guard let window = memory.pointee.throttles[key], window.run === run else { return }
            guard !run.isCancelled, let waiting = window.waiting else {
              memory.pointee.throttles[key] = nil
              return
            }
            memory.pointee.throttles[key] = ThrottleWindow()
            waiting()
            keepOpen(throttle, key: key, owner: owner, group: group, sink: sink)
          }
        }
      })
    start(end, run: run, sink: sink)
  }

  // MARK: Feeds

  /// Opens and closes a middleware's feeds as the state wants it.
  @inlinable
  @inline(__always)
  func updateFeeds(of middleware: MiddlewareBox<Action, State>) {
    guard let feeds = middleware.feeds else { return }
    let wanted = feeds(UnsafePointer(cell.pointer))
    if wanted.isEmpty && !middleware.hasOpenFeeds.load(ordering: .relaxed) { return }
    updateFeeds(of: middleware, to: wanted)
  }

  @usableFromInline
  func updateFeeds(of middleware: MiddlewareBox<Action, State>, to wanted: [Feed<Action>]) {
    if isClosed.load(ordering: .acquiring) { return }
    defer { middleware.hasOpenFeeds.store(!middleware.openFeeds.isEmpty, ordering: .relaxed) }
    let keys = Set(wanted.map(\.key))
    for (key, run) in middleware.openFeeds where !keys.contains(key) {
      middleware.openFeeds[key] = nil
      effects.cancel(run)
    }
    for feed in wanted where middleware.openFeeds[feed.key] == nil {
      middleware.openFeeds[feed.key] = open(feed, owner: middleware.owner, sink: self)
    }
  }

  @usableFromInline
  func open<Sink: EffectSink>(_ feed: Feed<Sink.Sent>, owner: Int, sink: Sink) -> EffectRun {
    let run = EffectRun(in: effects, key: nil, owner: owner, group: nil, isFeed: true)
    start(EffectTask(source: feed.source, body: feed.body), run: run, sink: sink)
    return run
  }
}
