import Synchronization

/// The receiver of an effect's actions: a store or a child store.
@usableFromInline protocol EffectSink: Sendable {
  associatedtype Sent: Sendable

  /// Accepts an action of an effect.
  var delivery: Send<Sent>.Deliver { get }
  /// The composed middlewares, and the parts of the state to which they were lifted.
  var liftedMiddlewares: [(owner: EffectOwner, liftPath: LiftPath)] { get }
}

extension StoreCore: EffectSink {
  @inlinable var delivery: Send<Action>.Deliver {
    // The operator `??` would wrap the closure in two others.
    if let delivery = memory.value.delivery { delivery } else { { _, _, _ in } }
  }

  @usableFromInline var liftedMiddlewares: [(owner: EffectOwner, liftPath: LiftPath)] {
    memory.value.middlewares.map { ($0.owner, $0.unit.liftPath) }
  }

  /// Starts the effects of the current action, those of the last middleware first.
  @inlinable func startPendingEffects() {
    let group = beginStartingEffects()
    while let (effect, owner) = memory.value.pending.popLast() {
      execute(effect, EffectContext(owner: owner, group: group), sink: self)
    }
  }

  /// Begins stage 5. Returns the group of the current action's effects. If an effect sent the action, its group stays
  /// live until the action has been processed: ``deliver(_:from:_:)`` or the queue retains it.
  @usableFromInline func beginStartingEffects() -> EffectGroup {
    cell.gate.move(to: .startingEffects)
    let group = memory.value.current.group ?? newGroup(ticket: memory.value.current.ticket)
    memory.value.current.group = group
    return group
  }

  /// Creates a group with the priority and the task-local values of the dispatch that led to the current action.
  @usableFromInline func newGroup(ticket: UInt64 = 0) -> EffectGroup {
    let (priority, locals) =
      memory.value.current.isQueued
      ? (memory.value.current.priority, memory.value.current.locals)
      : (Task.currentPriority.rawValue, carriedLocals.captured())
    return EffectGroup(in: effects, ticket: ticket, priority: priority, locals: locals)
  }

  /// Performs an effect. Only the thread that runs the pipeline calls it.
  ///
  /// The usual cases are specialised for the types of an app, the others are not.
  @inlinable func execute<Sink: EffectSink>(_ effect: Effect<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    switch effect.operation {
    case .task(let task)? where context.isPlain:
      let run = EffectRun(
        in: effects, owner: context.owner, group: context.group, source: task.source, isDetached: context.isDetached)
      start(task, run: run, sink: sink)
    case .send(let followUp)? where context.isPlain:
      sink.delivery(followUp.action, followUp.source, .group(context.group, context.owner))
    case nil: break
    default: executeUnusual(effect, context, sink: sink)
    }
  }

  @usableFromInline
  func executeUnusual<Sink: EffectSink>(_ effect: Effect<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    var context = context
    switch effect.operation {
    case .send(let followUp)?:
      if let delay = context.delay { return send([followUp], after: delay, context, sink: sink) }
      replace(context)
      if let origin = origin(of: context) { sink.delivery(followUp.action, followUp.source, origin) }
    case .afterReducer(let work)?:
      replace(context)
      if let origin = origin(of: context) { work(Send(origin: origin, deliver: sink.delivery)) }
    case .task(let task)?: start(task, context, sink: sink)
    case .throttle(let throttle)?:
      if context.delay == nil {
        startThrottle(throttle, context, sink: sink)
      } else {
        startDelayedThrottle(throttle, context, sink: sink)
      }
    case .cancel(let id)?:
      let key = context.key(id)
      effects.cancel(key)
      if !memory.value.throttles.isEmpty { memory.value.throttles[key] = nil }
    case .cancelAll(let selection)?: cancel(selection, context, among: sink.liftedMiddlewares)
    case .write(let message)?:
      replace(context)
      if !effects.write(message.value, to: context.key(message.key, isFeed: true)), let refused = message.refused,
        let origin = origin(of: context)
      {
        sink.delivery(refused.action, refused.source, origin)
      }
    case .cancellable(let id, let operation)?:
      context.ids.append(id)
      execute(Effect(operation), context, sink: sink)
    case .delayed(let delay, let operation)?:
      context.add(delay)
      execute(Effect(operation), context, sink: sink)
    case .part(let part, let operation)?:
      part.storeCopy()
      context.parts.append(part)
      execute(Effect(operation), context, sink: sink)
    case .detached(let operation)?:
      context.isDetached = true
      execute(Effect(operation), context, sink: sink)
    case .several(let operations)?:
      if context.merge == 0 {
        memory.value.merges += 1
        context.merge = memory.value.merges
      }
      var followUps: [FollowUp<Sink.Sent>] = []
      for operation in operations {
        if context.delay != nil, case .send(let followUp) = operation {
          followUps.append(followUp)
        } else {
          execute(Effect(operation), context, sink: sink)
        }
      }
      if let delay = context.delay, !followUps.isEmpty { send(followUps, after: delay, context, sink: sink) }
    case nil: break
    }
  }

  /// Cancels the running effects that a new effect replaces.
  private func replace(_ context: EffectContext) {
    for id in context.ids where id.cancelsInFlight { effects.replace(context.key(id.value), outside: context.merge) }
  }

  /// Starts one task that sends these actions after a delay, so they keep their order.
  private func send<Sink: EffectSink>(
    _ followUps: [FollowUp<Sink.Sent>], after delay: EffectDelay, _ context: EffectContext, sink: Sink
  ) {
    let task = EffectTask<Sink.Sent>(
      source: delay.source,
      .sending { send in
        for followUp in followUps { send.dispatch(followUp.action, from: followUp.source) }
      })
    start(task, context, sink: sink)
  }

  /// Starts a task that has an id, is delayed, or belongs to a part of the state.
  private func start<Sink: EffectSink>(_ task: EffectTask<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    replace(context)
    guard let run = makeRun(context.ids, context, source: task.source) else { return }
    start(task, run: run, after: context.delay, sink: sink)
  }

  /// Returns an effect with these ids, or `nil` if its part has left the state.
  private func makeRun(
    _ ids: [CancellableID], _ context: EffectContext, source: ActionSource? = nil, kind: EffectRun.Kind = .effect
  ) -> EffectRun? {
    let part = part(of: context)
    if part == nil && context.endsWithPart { return nil }
    return EffectRun(
      in: effects, keys: ids.map { context.key($0.value) }, owner: context.owner,
      // An interval is not an effect of the dispatch that started it, because later dispatches may wait for its end.
      group: kind == .interval ? nil : context.group, part: part, source: source, kind: kind,
      isDetached: context.isDetached, merge: context.merge)
  }

  /// Ends the effects and feeds of middlewares that are removed. Only the thread that runs the pipeline calls it.
  @usableFromInline func cancel(owners: Set<EffectOwner>) {
    effects.cancel(owners: owners)
    removeCancelledThrottles()
    if memory.value.parts.remove(owners) { invalidateWatchers() }
  }

  // MARK: Parts of the state

  /// Cancels the effects of the middlewares that are lifted to a part of a middleware's state.
  private func cancel(
    _ selection: PartSelection, _ context: EffectContext, among middlewares: [(owner: EffectOwner, liftPath: LiftPath)]
  ) {
    guard let parent = middlewares.first(where: { $0.owner == context.owner }) else { return }
    let around = context.parts.map(\.id)
    let lifted = middlewares.filter {
      $0.owner != parent.owner && $0.liftPath.belongs(to: selection.path, of: parent.liftPath)
    }
    effects.cancel(partsOf: Set(lifted.map(\.owner))) { ids in
      guard Array(ids.prefix(around.count)) == around else { return false }
      return selection.element == nil || ids[around.count...].first == selection.element
    }
    removeCancelledThrottles()
  }

  /// The origin of an effect's follow-up actions; `nil` if its part has left the state.
  private func origin(of context: EffectContext) -> SendOrigin? {
    if !context.endsWithPart { return .group(context.group, context.owner) }
    return part(of: context).map { .part($0, context.group) }
  }

  private func part(of context: EffectContext) -> EffectPart? {
    guard context.endsWithPart else { return nil }
    let middleware = memory.value.middlewares.first { $0.owner == context.owner }
    let (span, liftPath) = (middleware?.unit.span ?? .whole, middleware?.unit.liftPath ?? .unknown)
    if memory.value.parts.insert(context.owner, span: span, liftPath: liftPath) { invalidateWatchers() }
    return memory.value.parts.part(at: context.parts, owner: context.owner, span: span)
  }

  /// Cancels the effects of the parts that the current action removed.
  func endGoneParts(where isTouched: (StateSpan) -> Bool) {
    let gone = memory.value.parts.takeGone(where: isTouched)
    if gone.isEmpty { return }
    effects.cancel(gone)
    removeCancelledThrottles()
  }

  /// Removes the throttles whose interval was cancelled. The work that ends an interval does not run if it is cancelled
  /// before its task starts.
  private func removeCancelledThrottles() {
    if memory.value.throttles.isEmpty { return }
    for (key, interval) in memory.value.throttles.filter({ $0.value.run.isCancelled }) {
      memory.value.throttles[key] = nil
      if let waiting = interval.waiting { effects.end(waiting.run) }
    }
  }

  /// Registers an effect, whose task starts when the pipeline is left or continues.
  @inlinable func start<Sink: EffectSink>(
    _ task: EffectTask<Sink.Sent>, run: EffectRun, after delay: EffectDelay? = nil, sink: Sink
  ) {
    guard effects.register(run) else { return }
    launchDeferred()
    run.work = task.work(after: delay, sink.delivery)
    memory.value.deferred = run
  }

  /// Starts the task of the effect that was registered last.
  ///
  /// A task that is created while the pipeline runs starts immediately on another thread and finds the store busy. Its
  /// action would have to pass the queue, and the two threads would wake each other for every action. The last task is
  /// therefore created when the pipeline has been left, or before the next action.
  @usableFromInline func launchDeferred() {
    memory.value.deferred.take()?.createTask(on: effectExecutor)
  }

  // MARK: Throttle

  /// Begins a throttle after its delay. Until then, each of its ids cancels it.
  private func startDelayedThrottle<Sink: EffectSink>(
    _ throttle: Throttle<Sink.Sent>, _ context: EffectContext, sink: Sink
  ) {
    let entry = EffectTask<Sink.Sent>(
      source: throttle.source,
      .sending { [self] send in
        perform("reached a throttle") { [self] in
          if !send.isStopped { startThrottle(throttle, context.afterDelay, sink: sink) }
        }
        await barrier()
      })
    var entered = context
    entered.ids.append(throttle.id)
    start(entry, entered, sink: sink)
  }

  private func startThrottle<Sink: EffectSink>(_ throttle: Throttle<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    let key = context.key(throttle.id.value)
    if let interval = memory.value.throttles[key], !interval.run.isCancelled {
      if !throttle.latest { return }
      guard let run = makeRun(context.ids + [throttle.id], context), effects.register(run) else { return }
      memory.value.throttles[key]?.waiting = ThrottledEffect(run: run) { [self] in
        // The effect may replace running effects with its id. This ends the waiting run before the new run is
        // registered. Without `retain`, the group would stop being live in between.
        effects.retain(context.group)
        execute(throttle.effect, context, sink: sink)
        effects.release(context.group)
        openInterval(throttle, key: key, context, sink: sink)
      }
      if let replaced = interval.waiting { effects.end(replaced.run) }
      return
    }
    if let forgotten = memory.value.throttles.removeValue(forKey: key)?.waiting { effects.end(forgotten.run) }
    execute(throttle.effect, context, sink: sink)
    openInterval(throttle, key: key, context, sink: sink)
  }

  /// Opens an interval, and starts its timer.
  private func openInterval<Sink: EffectSink>(
    _ throttle: Throttle<Sink.Sent>, key: EffectKey, _ context: EffectContext, sink: Sink
  ) {
    guard let run = makeRun([throttle.id], context, kind: .interval) else { return }
    // The effect itself may contain a throttle with this id. Its interval may already have a waiting effect.
    memory.value.throttles[key] = ThrottleInterval(run: run, waiting: memory.value.throttles[key]?.waiting)
    let end = EffectTask<Sink.Sent>(
      source: throttle.source,
      .sending { [self] _ in
        _ = await throttle.sleep()
        perform("ended an interval") { [self] in
          guard let interval = memory.value.throttles[key], interval.run === run else { return }
          memory.value.throttles[key] = nil
          guard let waiting = interval.waiting else { return }
          defer { effects.end(waiting.run) }
          if !run.isCancelled && !waiting.run.isCancelled { waiting.begin() }
        }
        await barrier()
      })
    start(end, run: run, sink: sink)
  }

  // MARK: Feeds

  /// Opens and closes a middleware's feeds for the current state.
  func updateFeeds(of middleware: MiddlewareBox<Action, State>) {
    guard let feeds = middleware.unit.feeds else { return }
    let wanted = feeds(cell.memory.lent)
    if wanted.isEmpty && middleware.openFeeds.isEmpty { return }
    if effects.isClosed { return }
    middleware.updateFeeds(to: wanted, in: effects) { open($0, owner: middleware.owner, sink: self) }
  }

  @usableFromInline func open<Sink: EffectSink>(_ feed: Feed<Sink.Sent>, owner: EffectOwner, sink: Sink) -> EffectRun {
    let (mailbox, body) = feed.work()
    let keys = mailbox == nil ? [] : [EffectKey(owner: owner, id: feed.key, isFeed: true)]
    let run = EffectRun(
      in: effects, keys: keys, owner: owner, group: nil, source: feed.source, kind: .feed, mailbox: mailbox)
    start(EffectTask(source: feed.source, .sending(body)), run: run, sink: sink)
    return run
  }
}
