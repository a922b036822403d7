public import Synchronization

/// The target of an effect's parts: a store, or a child store.
@usableFromInline
protocol EffectSink: Sendable {
  associatedtype Sent: Sendable

  /// Takes an action.
  var delivery: Send<Sent>.Deliver { get }
  /// Takes a follow-up; only the thread that runs the pipeline calls it.
  func follow(_ followUp: FollowUp<Sent>, from origin: SendOrigin)
  /// The middlewares that are composed in it, and the parts of its state that they were lifted to.
  var placedMiddlewares: [(owner: Int, places: StatePlaces)] { get }
}

extension StoreCore: EffectSink {
  @inlinable
  var delivery: Send<Action>.Deliver {
    if let delivery = memory.pointee.delivery { return delivery }
    let delivery: Send<Action>.Deliver = { [self] action, source, origin in
      switch origin {
      case .run(let run): deliver(action, from: source, run: run, isLast: false)
      case .last(let run): deliver(action, from: source, run: run, isLast: true)
      case .group, .part: follow(FollowUp(action, from: source), from: origin)
      case .outside: break
      }
    }
    if !isClosed.load(ordering: .acquiring) { memory.pointee.delivery = delivery }
    return delivery
  }

  @usableFromInline
  var placedMiddlewares: [(owner: Int, places: StatePlaces)] {
    memory.pointee.middlewares.map { ($0.owner, $0.places) }
  }

  /// Puts a follow-up action at the queue's end.
  @inlinable
  func follow(_ followUp: FollowUp<Action>, from origin: SendOrigin) {
    if origin.isStopped { return }
    enqueue(
      .followUp(followUp), ActionContext(origin), ThreadID.current(),
      "dispatched \(followUp.action) (at \(followUp.source))")
  }

  /// The effects of the current action, the last middleware's first.
  @inlinable
  func runPendingEffects() {
    holding(ownGroup()) { group in
      while let (effect, owner) = memory.pointee.pending.popLast() {
        execute(effect, EffectContext(owner: owner, group: group), sink: self)
      }
    }
  }

  /// Keeps a group live while effects start in it: an effect may cancel the one that sent the current action before it
  /// starts its own.
  @inlinable
  func holding(_ group: EffectGroup, _ start: (EffectGroup) -> Void) {
    effects.retain(.group(group))
    start(group)
    effects.release(.group(group))
  }

  /// What the current action's effects belong to; a new group if no effect sent it.
  @inlinable
  func ownGroup() -> EffectGroup {
    if let group = memory.pointee.current.group { return group }
    let group = newGroup(ticket: memory.pointee.current.ticket)
    memory.pointee.current.group = group
    return group
  }

  /// A group with the priority and the task-local values of the current action.
  @usableFromInline
  func newGroup(ticket: UInt64 = 0) -> EffectGroup {
    let (priority, locals) = currentTaskContext
    return EffectGroup(in: effects, ticket: ticket, priority: priority, locals: locals)
  }

  /// The priority and the task-local values of the dispatch that led to the current action.
  ///
  /// An action that is processed by its dispatching thread is still in its task, so no context was
  /// stored.
  @usableFromInline
  var currentTaskContext: (priority: UInt8, locals: TaskLocalBinding?) {
    if memory.pointee.current.priority != 0 { return (memory.pointee.current.priority, memory.pointee.current.locals) }
    return (Task.currentPriority.rawValue, carriedLocals.captured())
  }

  /// Carries out an effect; only the thread that runs the pipeline calls it.
  @inlinable
  func execute<Sink: EffectSink>(_ effect: Effect<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    switch effect.operation {
    case .send(let followUp)?:
      if let origin = origin(of: context) { sink.follow(followUp, from: origin) }
    case .afterReducer(let work)?:
      if let origin = origin(of: context) { work(Send(origin: origin, deliver: sink.delivery)) }
    case .task(let task)?:
      if task.traits == nil && context.places.isEmpty {
        start(task, run: EffectRun(in: effects, owner: context.owner, group: context.group), sink: sink)
      } else {
        start(task, context, replacing: nil, sink: sink)
      }
    case .throttle(let throttle)?: begin(throttle, context, sink: sink)
    case .cancel(let id)?: cancel(context.key(id))
    case .cancelAll(let selection)?: cancel(selection, context, among: sink.placedMiddlewares)
    case .write(let message)?:
      if !effects.write(message.value, to: context.key(message.key, isFeed: true)), let refused = message.refused {
        execute(Effect(.send(refused)), context, sink: sink)
      }
    case .part(let place, let operation)?: execute(Effect(operation), context.inside(place), sink: sink)
    case .detached(let operation)?: execute(Effect(operation), context.detached, sink: sink)
    case .several(let operations)?: execute(operations, context, sink: sink)
    case nil: break
    }
  }

  @inlinable
  @inline(never)
  func execute<Sink: EffectSink>(_ operations: [EffectOperation<Sink.Sent>], _ context: EffectContext, sink: Sink) {
    // Parts of one effect with one id replace older ones, not each other.
    var replaced: Set<EffectID> = []
    for operation in operations {
      if case .task(let task) = operation, let names = task.traits?.names {
        start(
          task, context, replacing: names.filter { $0.cancelsInFlight && replaced.insert($0.id).inserted }, sink: sink)
      } else {
        execute(Effect(operation), context, sink: sink)
      }
    }
  }

  @inlinable
  @inline(never)
  func cancel(_ key: EffectKey) {
    effects.cancel(key)
    if !memory.pointee.throttles.isEmpty { memory.pointee.throttles[key] = nil }
  }

  /// A task that has an id, begins later, or belongs to a part of the state.
  ///
  /// - Parameter replaced: Under which ids others are cancelled; `nil` for what the task itself says.
  @usableFromInline
  func start<Sink: EffectSink>(
    _ task: EffectTask<Sink.Sent>, _ context: EffectContext, replacing replaced: [EffectName]?, sink: Sink
  ) {
    let names = task.traits?.names ?? []
    for name in replaced ?? names.filter(\.cancelsInFlight) { cancel(context.key(name.id)) }
    guard let run = run(names, context) else { return }
    start(task, run: run, sink: sink)
  }

  /// An effect with these ids; `nil` if its part has left the state.
  @usableFromInline
  func run(_ names: [EffectName], _ context: EffectContext, kind: EffectRun.Kind = .effect) -> EffectRun? {
    let part = part(of: context)
    if part == nil && context.endsWithPart { return nil }
    return EffectRun(
      in: effects, keys: names.map { context.key($0.id) }, owner: context.owner,
      // An interval is no effect of the dispatch that began it: later ones may wait for its end.
      group: kind == .interval ? nil : context.group, part: part, kind: kind)
  }

  // MARK: Parts of the state

  /// Cancels what the middlewares below a part of a middleware's state run.
  @usableFromInline
  func cancel(
    _ selection: PartSelection, _ context: EffectContext, among middlewares: [(owner: Int, places: StatePlaces)]
  ) {
    guard let parent = middlewares.first(where: { $0.owner == context.owner }) else { return }
    let around = context.places.map(\.id)
    for middleware in middlewares
    where middleware.owner != parent.owner && middleware.places.belong(to: selection.path, of: parent.places) {
      let isLifted = middleware.places.levels.count > around.count + 1
      effects.cancel(owner: middleware.owner) { ids in
        // A detached effect of an element belongs to no part.
        if isLifted && ids.count <= around.count { return false }
        guard Array(ids.prefix(around.count)) == around else { return false }
        return selection.element == nil || ids[around.count...].first == selection.element
      }
    }
  }

  /// Where follow-ups of an effect come from; `nil` if its part has left the state.
  @inlinable
  func origin(of context: EffectContext) -> SendOrigin? {
    if !context.endsWithPart { return .group(context.group) }
    return part(of: context).map { .part($0, context.group) }
  }

  @usableFromInline
  func part(of context: EffectContext) -> EffectPart? {
    guard context.endsWithPart else { return nil }
    let span = memory.pointee.middlewares.first { $0.owner == context.owner }?.span
    return memory.pointee.parts.part(at: context.places, owner: context.owner, span: span ?? .whole)
  }

  /// Cancels the effects of the parts that the current action removed.
  @usableFromInline
  func endGoneParts(where isTouched: (StateSpan) -> Bool) {
    let gone = memory.pointee.parts.takeGone(where: isTouched)
    if !gone.isEmpty { effects.cancel(gone) }
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
  /// at once, and finds the store busy: its answer has to go through the queue,
  /// and the two threads wake each other for every action. So the last one is
  /// made when the pipeline has been left, or before the next action.
  @inlinable
  @inline(__always)
  func launchDeferred() {
    if let deferred = memory.pointee.deferred.take() {
      EffectChain.begin(deferred.run, deferred.work, on: effectExecutor)
    }
  }

  // MARK: Throttle

  @usableFromInline
  func begin<Sink: EffectSink>(_ throttle: Throttle<Sink.Sent>, _ context: EffectContext, sink: Sink) {
    let key = context.key(throttle.id)
    if let window = memory.pointee.throttles[key], window.run?.isCancelled != true {
      guard throttle.latest, let run = run(throttle.allNames, context), effects.register(run) else { return }
      memory.pointee.throttles[key]?.waiting = ThrottledEffect(run: run) { [self] in
        execute(throttle.effect, context, sink: sink)
      }
      if let replaced = window.waiting { effects.end(replaced.run) }
      return
    }
    if let forgotten = memory.pointee.throttles[key]?.waiting { effects.end(forgotten.run) }
    memory.pointee.throttles[key] = ThrottleWindow()
    execute(throttle.effect, context, sink: sink)
    keepOpen(throttle, key: key, context, sink: sink)
  }

  /// Begins the time that an open interval lasts.
  @usableFromInline
  func keepOpen<Sink: EffectSink>(
    _ throttle: Throttle<Sink.Sent>, key: EffectKey, _ context: EffectContext, sink: Sink
  ) {
    guard let run = run([throttle.allNames[0]], context, kind: .interval) else {
      memory.pointee.throttles[key] = nil
      return
    }
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
            memory.pointee.throttles[key] = nil
            guard let waiting = window.waiting else { return }
            defer { effects.end(waiting.run) }
            if run.isCancelled || waiting.run.isCancelled { return }
            memory.pointee.throttles[key] = ThrottleWindow()
            waiting.begin()
            keepOpen(throttle, key: key, context, sink: sink)
          }
        }
      })
    start(end, run: run, sink: sink)
  }

  // MARK: Feeds

  /// Opens and closes a middleware's feeds for the current state.
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
    let keys = Set(wanted.map { $0.key })
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
    switch feed.work {
    case .reading(let body):
      let run = EffectRun(in: effects, owner: owner, group: nil, kind: .feed)
      start(EffectTask(source: feed.source, body: body), run: run, sink: sink)
      return run
    case .writable(let open):
      let (mailbox, body) = open()
      let key = EffectKey(owner: owner, id: feed.key, isFeed: true)
      let run = EffectRun(in: effects, keys: [key], owner: owner, group: nil, kind: .feed, mailbox: mailbox)
      start(EffectTask(source: feed.source, body: body), run: run, sink: sink)
      return run
    }
  }
}
