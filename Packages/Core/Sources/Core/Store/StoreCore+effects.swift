public import Synchronization

/// Where an effect's actions go: a store's queue, or a child store's.
@usableFromInline
final class EffectSink<Action: Sendable>: Sendable {
  /// A follow-up action, sent on the pipeline's thread.
  @usableFromInline let follow: @Sendable (Action, ActionSource, EffectGroup?) -> Void
  /// An action from a task.
  @usableFromInline let deliver: @Sendable (Action, ActionSource, EffectRun?) -> Void
  /// Whether the store is gone.
  @usableFromInline let isClosed: @Sendable () -> Bool

  @inlinable
  init(
    follow: @escaping @Sendable (Action, ActionSource, EffectGroup?) -> Void,
    deliver: @escaping @Sendable (Action, ActionSource, EffectRun?) -> Void,
    isClosed: @escaping @Sendable () -> Bool
  ) {
    self.follow = follow
    self.deliver = deliver
    self.isClosed = isClosed
  }
}

extension StoreCore {
  @inlinable
  var sink: EffectSink<Action> {
    if let sink = memory.pointee.sink { return sink }
    let sink = EffectSink<Action>(
      follow: { [self] in follow($0, from: $1, group: $2) },
      deliver: { [self] in if let run = $2 { deliver($0, from: $1, run: run) } },
      isClosed: { [self] in isClosed.load(ordering: .acquiring) })
    if !isClosed.load(ordering: .acquiring) { memory.pointee.sink = sink }
    return sink
  }

  /// Puts a follow-up action at the queue's end.
  @inlinable
  func follow(_ action: Action, from source: ActionSource, group: EffectGroup?) {
    var context = ActionContext(run: nil, group: group)
    let me = ThreadID.current()
    if cell.gate.isOwned(by: me) {
      if cell.gate.isReducing { cell.misused("dispatched \(action) (at \(source))") }
      context.isOwn = memory.pointee.currentIsOwn
      context.generation = memory.pointee.currentGeneration + 1
    }
    if context.isTracked { effects.retain(context) }
    if enqueue(QueueItem(.action(action, source), context: context), me) == nil, context.isTracked {
      effects.release(context)
    }
  }

  /// The effects of the current action, the last middleware's first.
  @inlinable
  func runPendingEffects(context: ActionContext) {
    var pending = ContiguousArray<(effect: Effect<Action>, owner: Int)>()
    swap(&pending, &memory.pointee.pending)
    let group =
      context.group ?? memory.pointee.currentGroup ?? EffectGroup(ticket: memory.pointee.currentTicket)
    memory.pointee.currentGroup = group
    let sink = self.sink
    for (effect, owner) in pending.reversed() {
      execute(effect, owner: owner, group: group, sink: sink)
    }
    pending.removeAll(keepingCapacity: true)
    swap(&pending, &memory.pointee.pending)
  }

  /// Does what an effect wants; called by the owner only.
  @inlinable
  func execute<Sent: Sendable>(_ effect: Effect<Sent>, owner: Int, group: EffectGroup, sink: EffectSink<Sent>) {
    var replaced: Set<EffectKey> = []
    for operation in effect.operations {
      switch operation {
      case .send(let action, let source): sink.follow(action, source, group)
      case .afterReducer(let work):
        work(Send(isStopped: sink.isClosed) { action, source in sink.follow(action, source, group) })
      case .task(let task):
        let key = task.name.map { EffectKey(owner: owner, id: $0.id) }
        // Parts of one effect with one name replace older ones, not each other.
        if let key, task.name?.cancelInFlight == true, replaced.insert(key).inserted { cancel(key) }
        start(task.body, key: key, owner: owner, group: group, source: task.source, isFeed: false, sink: sink)
      case .throttle(let throttle): begin(throttle, owner: owner, group: group, sink: sink)
      case .cancel(let id): cancel(EffectKey(owner: owner, id: id))
      }
    }
  }

  @inlinable
  func cancel(_ key: EffectKey) {
    effects.cancel(key)
    if !memory.pointee.throttles.isEmpty { memory.pointee.throttles[key] = nil }
  }

  @discardableResult
  @inlinable
  func start<Sent: Sendable>(
    _ body: @escaping @Sendable (Send<Sent>) async -> Void, key: EffectKey?, owner: Int, group: EffectGroup?,
    source: ActionSource, isFeed: Bool, sink: EffectSink<Sent>
  ) -> EffectRun {
    let run = EffectRun(key: key, owner: owner, group: group, source: source, isFeed: isFeed)
    guard effects.register(run) else {
      run.cancelled.store(true, ordering: .releasing)
      return run
    }
    let send = Send<Sent>(run: run, isClosed: sink.isClosed, deliver: sink.deliver)
    let effects = self.effects
    let work = { @Sendable in
      if !run.isCancelled { await body(send) }
      effects.end(run)
    }
    launchDeferred()
    memory.pointee.deferred = DeferredEffect(run: run, work: work)
    return run
  }

  /// Makes the task of the effect that was started last.
  ///
  /// A task that is made while the pipeline still runs begins on another thread
  /// at once, and finds the store busy: its answer has to go through the inbox,
  /// and the two threads wake each other for every action. So the last one is
  /// made when the pipeline has been left, or before the next action.
  @inlinable
  @inline(__always)
  func launchDeferred() {
    if let deferred = memory.pointee.deferred.take() { launch(deferred) }
  }

  @usableFromInline
  func launch(_ deferred: DeferredEffect) {
    if deferred.run.isCancelled { return }
    let task: Task<Void, Never>
    if let effectExecutor {
      task = Task(executorPreference: effectExecutor, operation: deferred.work)
    } else {
      task = Task(operation: deferred.work)
    }
    effects.attach(task, to: deferred.run)
  }

  /// Leaves the pipeline, and makes the deferred task then; drains first if something waits.
  @inlinable
  func leaveLaunching(_ me: UInt) {
    let deferred = memory.pointee.deferred.take()
    if cell.gate.leave(me, reducing: false) {
      if let deferred { launch(deferred) }
    } else {
      if let deferred { launch(deferred) }
      drain(me, isReducing: false)
    }
  }

  // MARK: Throttle

  @inlinable
  func begin<Sent: Sendable>(_ throttle: Throttle<Sent>, owner: Int, group: EffectGroup, sink: EffectSink<Sent>) {
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
  func keepOpen<Sent: Sendable>(
    _ throttle: Throttle<Sent>, key: EffectKey, owner: Int, group: EffectGroup, sink: EffectSink<Sent>
  ) {
    let run = RunBox()
    run.run = start(
      { [self] (_: Send<Sent>) in
        _ = await throttle.pause()
        await withCheckedContinuation { continuation in
          let barrier = Barrier(continuation)
          perform { [self] in
            defer { barrier.pass() }
            guard let window = memory.pointee.throttles[key], window.run === run.run else { return }
            guard run.run?.isCancelled == false, let waiting = window.waiting else {
              memory.pointee.throttles[key] = nil
              return
            }
            memory.pointee.throttles[key] = ThrottleWindow()
            waiting()
            keepOpen(throttle, key: key, owner: owner, group: group, sink: sink)
          }
        }
      }, key: key, owner: owner, group: group, source: throttle.source, isFeed: false, sink: sink)
    memory.pointee.throttles[key]?.run = run.run
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
      middleware.openFeeds[feed.key] = start(
        feed.body, key: nil, owner: middleware.owner, group: nil, source: feed.source, isFeed: true, sink: sink)
    }
  }
}

/// An effect's run, for its own work to look at; written before the pipeline goes on, read on the pipeline.
@usableFromInline
final class RunBox: @unchecked Sendable {
  @usableFromInline var run: EffectRun?
  @usableFromInline init() {}
}
