/// The receiver of an effect's actions: a store or a child store.
@usableFromInline protocol EffectSink: Sendable {
  associatedtype Sent: Sendable

  /// Accepts an action of an effect.
  var delivery: Send<Sent>.Deliver { get }
  /// The owners of the effects of its middlewares.
  var owners: [EffectOwner] { get }
}

extension StoreCore: EffectSink {
  @inlinable var delivery: Send<Action>.Deliver {
    // The operator `??` would wrap the closure in two others.
    if let delivery = memory.value.delivery { delivery } else { { _, _, _ in } }
  }

  @usableFromInline var owners: [EffectOwner] { memory.value.middlewares.map(\.owner) }

  /// Starts the effects of the current action, those of the last middleware first.
  @inlinable func startEffects<Sink: EffectSink>(_ pending: inout PendingEffects<Sink.Sent>, sink: Sink) {
    if pending.isEmpty { return }
    let group = beginStartingEffects()
    while let (effect, owner) = pending.popLast() { execute(effect, of: owner, group, sink: sink) }
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
  func newGroup(ticket: UInt64 = 0) -> EffectGroup {
    let inherited = memory.value.current.inherited
    let group = memory.value.current.group ?? inherited?.origin?.group
    return EffectGroup(
      in: effects, ticket: ticket, priority: inherited?.priority ?? Task.currentPriority.rawValue,
      locals: group == nil ? carriedLocals.captured() : group?.locals)
  }

  /// Performs an effect. Only the thread that runs the pipeline calls it.
  ///
  /// A plain task or follow-up action is specialised for the types of an app. The other operations are not.
  @inlinable func execute<Sink: EffectSink>(
    _ effect: Effect<Sink.Sent>, of owner: EffectOwner, _ group: EffectGroup, sink: Sink
  ) {
    switch effect.operation {
    case .task(let task)?:
      start(task, run: EffectRun(in: effects, owner: owner, group: group, source: task.source), sink: sink)
    case .send(let action, let source)?: sink.delivery(action, source, .group(group, owner))
    case let operation?: execute(operation, EffectContext(owner: owner, group: group), sink: sink)
    case nil: break
    }
  }

  @usableFromInline func execute<Sink: EffectSink>(
    _ operation: EffectOperation<Sink.Sent>, _ context: EffectContext, sink: Sink
  ) {
    var context = context
    switch operation {
    // A task sends a delayed follow-up action, as in a merged effect.
    case .send where !context.delays.isEmpty: execute([operation], context, sink: sink)
    case .send(let action, let source):
      replace(context)
      sink.delivery(action, source, .group(context.group, context.owner))
    case .afterReducer(let work):
      replace(context)
      work(Send(origin: .group(context.group, context.owner), deliver: sink.delivery), context)
    case .task(let task): start(task, context, sink: sink)
    case .throttle(let throttle, let operation):
      if context.delays.isEmpty { return start(operation, throttle, context, sink: sink) }
      // The effect reaches the throttle after its delays. Until then, each of its ids cancels it.
      var entered = context
      entered.delays = []
      entered.replacedKeys = []
      context.add(throttle.id)
      let entry = task(at: throttle, "reached a throttle", of: sink) { [self, entered] in
        start(operation, throttle, entered, sink: sink)
      }
      start(entry, context, sink: sink)
    case .cancel(let id): effects.cancel(context.key(id))
    case .cancelAll(let path, let element): cancel(everythingIn: path, element, context, among: sink.owners)
    case .part(let part, let operation):
      if memory.value.parts.middlewares.insert(context.innermost.middleware).inserted { invalidateWatchers() }
      context.innermost = memory.value.parts.part(at: part, in: context.innermost)
      execute(operation, context, sink: sink)
    case .inContext(let operation, let change):
      change(&context)
      execute(operation, context, sink: sink)
    case .several(let operations): execute(operations, context, sink: sink)
    }
  }

  /// Performs the members of a merged effect. Delayed follow-up actions that are next to each other are sent by one
  /// task, so they keep their order.
  @inline(never) private func execute<Sink: EffectSink>(
    _ operations: [EffectOperation<Sink.Sent>], _ context: EffectContext, sink: Sink
  ) {
    var context = context
    if context.merge == 0 {
      memory.value.merges += 1
      context.merge = memory.value.merges
    }
    var followUps: [(action: Sink.Sent, source: ActionSource)] = []
    for operation in operations {
      if !context.delays.isEmpty, case .send(let action, let source) = operation {
        followUps.append((action, source))
      } else {
        send(&followUps, context, sink: sink)
        execute(operation, context, sink: sink)
      }
    }
    send(&followUps, context, sink: sink)
  }

  /// Starts a task that sends these actions after the delays, and removes them from the list.
  private func send<Sink: EffectSink>(
    _ followUps: inout [(action: Sink.Sent, source: ActionSource)], _ context: EffectContext, sink: Sink
  ) {
    guard let delay = context.delays.last, !followUps.isEmpty else { return }
    let task = EffectTask<Sink.Sent>(
      source: delay.source,
      .sending { [followUps] send in
        for (action, source) in followUps { send.dispatch(action, from: source) }
      })
    followUps = []
    start(task, context, sink: sink)
  }

  /// Cancels the running effects that a new effect replaces, except members of the same merged effect. Intervals of
  /// throttles continue.
  private func replace(_ context: EffectContext) {
    // The effect does not start, because its part is gone.
    if context.hasEnded { return }
    for key in context.replacedKeys {
      effects.cancel { contents in
        (contents.keys[key] ?? []).filter { $0.kind != .interval && (context.merge == 0 || $0.merge != context.merge) }
      }
    }
  }

  /// Starts a task that has an id, is delayed, or belongs to a part of the state.
  private func start<Sink: EffectSink>(_ task: EffectTask<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    if !effects.accepts(context.owner, context.group) { return }
    replace(context)
    start(task, run: makeRun(context.keys, context, source: task.source), after: context.delays, sink: sink)
  }

  /// Returns an effect with these keys.
  private func makeRun(
    _ keys: [EffectKey], _ context: EffectContext, source: ActionSource? = nil, kind: EffectRun.Kind = .effect
  ) -> EffectRun {
    EffectRun(
      in: effects, keys: keys, owner: context.owner,
      // An interval is not an effect of the dispatch that started it, because later dispatches may wait for its end.
      group: kind == .interval ? nil : context.group, source: source, kind: kind, isDetached: context.isDetached,
      merge: context.merge)
  }

  /// Registers an effect, whose task starts when the pipeline is left or continues.
  @inlinable func start<Sink: EffectSink>(
    _ task: EffectTask<Sink.Sent>, run: EffectRun, after delays: [EffectDelay] = [], sink: Sink
  ) {
    guard effects.register(run) else { return }
    launchDeferred()
    run.work = task.work(after: delays, sink.delivery)
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

  // MARK: Parts of the state

  /// Ends the effects and feeds of middlewares that are removed. Only the thread that runs the pipeline calls it.
  @usableFromInline func cancel(owners: Set<EffectOwner>) {
    for owner in owners { owner.end() }
    effects.cancel { contents in contents.runs.filter { owners.contains($0.owner.middleware) } }
    memory.value.feeders.removeAll(where: owners.contains)
    memory.value.parts.remove(owners)
    invalidateWatchers()
  }

  /// Cancels the effects of the middlewares that are lifted to a part of a middleware's state.
  private func cancel(
    everythingIn path: AnyKeyPath, _ element: EffectID?, _ context: EffectContext, among owners: [EffectOwner]
  ) {
    let (parent, around) = (context.innermost.middleware, context.innermost.ids)
    let lifted = Set(owners.filter { $0 != parent && $0.liftPath.belongs(to: path, of: parent.liftPath) })
    effects.cancel { contents in
      contents.runs.filter { run in
        if !lifted.contains(run.owner.middleware) || run.kind == .feed || run.isDetached { return false }
        let ids = run.owner.ids
        return ids.starts(with: around) && (element == nil || ids.dropFirst(around.count).first == element)
      }
    }
  }

  /// Cancels the effects of the parts that the current action removed. Their actions in the queue are dropped later,
  /// because the parts have ended.
  func endRemovedParts(where isTouched: (StateSpan) -> Bool) {
    let removed = memory.value.parts.takeRemoved(where: isTouched)
    if !removed.isEmpty { effects.cancel { _ in removed.flatMap(\.runs.values) } }
  }

  // MARK: Throttle

  /// Starts an operation and then an interval, unless the operation must wait for the end of a running interval.
  private func start<Sink: EffectSink>(
    _ operation: EffectOperation<Sink.Sent>, _ throttle: Throttle, _ context: EffectContext, sink: Sink
  ) {
    let key = context.key(throttle.id)
    if let interval = effects.interval(key) {
      let run = makeRun(context.keys + [key], context)
      if !throttle.latest || !effects.register(run) { return }
      return effects.postpone(run, to: interval) { [self] in start(operation, throttle, context, sink: sink) }
    }
    // Follow-up actions of a cancelled action are sent, but its tasks do not start, and begin no interval.
    if !effects.accepts(context.owner, context.group) { return execute(operation, context, sink: sink) }
    // The operation may replace the run with which it waited. The group stays live until the new run is registered.
    effects.retain(context.group)
    execute(operation, context, sink: sink)
    effects.release(context.group)
    let run = makeRun([key], context, kind: .interval)
    let end = task(at: throttle, "ended an interval", of: sink) { [self] in
      guard let waiting = effects.endInterval(run) else { return }
      waiting.begin()
      effects.end(waiting.run)
    }
    start(end, run: run, after: [throttle.interval], sink: sink)
  }

  /// Returns a task that performs work of a throttle on the pipeline.
  private func task<Sink: EffectSink>(
    at throttle: Throttle, _ operation: String, of sink: Sink, _ work: @escaping @Sendable () -> Void
  ) -> EffectTask<Sink.Sent> {
    EffectTask(
      source: throttle.interval.source,
      .sending { [self] send in
        perform(operation) { if !send.isStopped { work() } }
        await barrier()
      })
  }

  // MARK: Feeds

  /// Closes the feeds of a middleware that the current state does not require, and opens those that are new.
  func updateFeeds<Sink: EffectSink, Part: Sendable>(
    of middleware: MiddlewareBox<Sink.Sent, Part>, _ state: GetState<Part>, sink: Sink
  ) {
    if effects.isClosed { return }
    let (owner, wanted) = (middleware.owner, middleware.unit.feeds(state))
    let keys = Set(wanted.map(\.key))
    for (key, run) in owner.openFeeds where !keys.contains(key) {
      owner.openFeeds[key] = nil
      effects.cancel(run)
    }
    for feed in wanted where owner.openFeeds[feed.key] == nil {
      let (mailbox, body) = feed.work()
      let run = EffectRun(in: effects, owner: owner, group: nil, source: feed.source, kind: .feed, mailbox: mailbox)
      owner.openFeeds[feed.key] = run
      start(EffectTask(source: feed.source, .sending(body)), run: run, sink: sink)
    }
  }
}
