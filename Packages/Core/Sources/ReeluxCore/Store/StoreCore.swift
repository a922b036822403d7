public import Synchronization

/// The pipeline: what a store consists of, without its public face.
///
/// It is held by the store, and by whatever still runs when the store is
/// released. `close` empties it then; a closed one takes no action.
///
/// The machines it is made of, each with its own rules: ``PipelineGate`` (who
/// runs), ``Inbox`` (what waits), ``StateCell`` (the state), ``ObserverTable``
/// (who is told), ``EffectTable`` (what goes on outside).
///
/// `@unchecked Sendable`: `memory` is used by the gate's owner only.
@usableFromInline
final class StoreCore<Action: Sendable, State: Sendable>: @unchecked Sendable, ActionTaskHost {
  /// How many of other threads' actions a thread processes before it hands the rest over.
  @usableFromInline static var share: Int { 128 }
  /// How many items the background processes before it lets other tasks run.
  @usableFromInline static var backgroundShare: Int { 4096 }

  @usableFromInline let cell: StateCell<State>
  @usableFromInline let inbox = Inbox<QueueItem<Action>>()
  @usableFromInline let effects = EffectTable()
  @usableFromInline let memory: UnsafeMutablePointer<PipelineMemory<Action, State>>
  @usableFromInline let enumCase = EnumCase<Action>()
  @usableFromInline let emits: ShouldEmitValue<State>
  @usableFromInline let emitsWhenReduced: Bool
  @usableFromInline let runawayGuard: RunawayGuard<Action>?
  @usableFromInline let effectExecutor: (any TaskExecutor)?
  @usableFromInline let carriedLocals: [CarriedTaskLocal]
  /// Whether an action begins with its reducers, since there is neither interceptor nor middleware.
  @usableFromInline let startsReducing = Atomic<Bool>(true)
  @usableFromInline let isClosed = Atomic<Bool>(false)
  /// ``drainNow(_:isReducing:inBackground:)`` as it was specialised for the store's types where the store was
  /// made: whoever has to drain, generic code included, gets the fast one.
  @usableFromInline let drainer: @Sendable (StoreCore, UInt, Bool, Bool) -> Void

  @inlinable
  init(
    initialState: State, emits: ShouldEmitValue<State>, runawayGuard: RunawayGuard<Action>?,
    effectExecutor: (any TaskExecutor)?, carriedLocals: [CarriedTaskLocal] = []
  ) {
    cell = StateCell(initialState)
    memory = .allocate(capacity: 1)
    memory.initialize(to: PipelineMemory())
    self.emits = emits
    if case .whenReduced = emits { emitsWhenReduced = true } else { emitsWhenReduced = false }
    self.runawayGuard = runawayGuard
    self.effectExecutor = effectExecutor
    self.carriedLocals = carriedLocals
    drainer = { core, thread, isReducing, inBackground in
      core.drainNow(thread, isReducing: isReducing, inBackground: inBackground)
    }
    cell.describeCurrentAction = { [unowned self] in self.describeCurrentAction() }
  }

  deinit {
    memory.pointee.routes.deallocate()
    if let chunk = memory.pointee.emptyChunk { InboxChunk.free(chunk) }
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  @usableFromInline
  func describeCurrentAction() -> String {
    guard let action = memory.pointee.currentAction, let source = memory.pointee.currentSource else {
      return memory.pointee.describeChildAction?() ?? "an action"
    }
    return "\(action.pointee), dispatched at \(source.pointee)"
  }

  @usableFromInline
  var isRunByCallingThread: Bool { cell.gate.isOwned(by: ThreadID.current()) }

  // MARK: Queue

  /// Processes the action now if the store is idle; otherwise leaves it in the inbox.
  @inlinable
  func dispatch(_ action: Action, from source: ActionSource) -> ActionTask {
    let me = ThreadID.current()
    var reducing = startsReducing.load(ordering: .relaxed)
    guard cell.gate.enter(me, reducing: reducing) else {
      return enqueueFresh(action, from: source, me)
    }
    if reducing && !startsReducing.load(ordering: .relaxed) {
      // A middleware was installed between the look and the entry.
      cell.gate.endReducing()
      reducing = false
    }
    memory.pointee.currentIsOwn = true
    memory.pointee.currentGeneration = 0
    memory.pointee.currentPriority = 0
    let stillReducing = withUnsafePointer(to: action) { action in
      withUnsafePointer(to: source) { place in
        memory.pointee.currentSource = place
        return process(action, source, isReducing: reducing, context: ActionContext())
      }
    }
    guard stillReducing else { return finishWithEffects(me) }
    if !cell.gate.leave(me, reducing: true) { drain(me, isReducing: true) }
    return ActionTask(.finished)
  }

  @inlinable
  func finishWithEffects(_ me: UInt) -> ActionTask {
    let task: ActionTask
    if let group = memory.pointee.currentGroup {
      memory.pointee.currentGroup = nil
      task = ActionTask(.group(group, self, isQueued: false))
    } else {
      task = ActionTask(.finished)
    }
    leaveLaunching(me)
    return task
  }

  @inlinable
  @inline(never)
  func enqueueFresh(_ action: Action, from source: ActionSource, _ me: UInt) -> ActionTask {
    if cell.gate.isOwned(by: me), cell.gate.isReducing { cell.misused("dispatched \(action) (at \(source))") }
    let context = queued(carrying(me), me)
    if case .group(let group) = context.origin { effects.retain(.group(group)) }
    guard let ticket = enqueue(QueueItem(.action(action, source), context: context), me) else {
      return ActionTask(.finished)
    }
    if let group = context.group { return ActionTask(.group(group, self, isQueued: true)) }
    return ActionTask(.queued(ticket, self))
  }

  /// What goes into the queue with an action, or with work, from the task that dispatches it.
  @usableFromInline
  func queued(_ context: ActionContext, _ me: UInt) -> ActionContext {
    var context = context
    context.priority = Task.currentPriority.rawValue
    if cell.gate.isOwned(by: me) {
      context.isOwn = memory.pointee.currentIsOwn
      context.generation = memory.pointee.currentGeneration + 1
      if memory.pointee.currentPriority != 0 { context.priority = memory.pointee.currentPriority }
    }
    return context
  }

  /// The context of what no effect sent; with a group of its own if the store carries task-local values.
  @usableFromInline
  func carrying(_ me: UInt) -> ActionContext {
    if carriedLocals.isEmpty { return ActionContext() }
    if cell.gate.isOwned(by: me) { return ActionContext(.group(newGroup())) }
    return ActionContext(
      .group(
        EffectGroup(
          in: effects, ticket: 0, priority: Task.currentPriority.rawValue, locals: carriedLocals.captured())))
  }

  /// An action from an effect's task; with the last one the effect ends.
  @inlinable
  func deliver(_ action: Action, from source: ActionSource, run: EffectRun, isLast: Bool) {
    if run.isCancelled || isClosed.load(ordering: .acquiring) {
      if isLast { effects.end(run) }
      return
    }
    let me = ThreadID.current()
    guard cell.gate.enter(me, reducing: false) else {
      enqueueDelivered(action, from: source, run: run, me)
      if isLast { effects.end(run) }
      return
    }
    memory.pointee.currentIsOwn = true
    memory.pointee.currentGeneration = 0
    memory.pointee.currentPriority = 0
    // Held until the pipeline is left: the action may cancel its effect and start the next one.
    let held = run.group?.retainLive() == true ? run.group : nil
    processQueued(action, source, context: ActionContext(.run(run)))
    // A feed's action has a group of its own: the next action in the queue is not part of it.
    memory.pointee.currentGroup = nil
    if isLast { memory.pointee.ending = Unmanaged.passUnretained(run) }
    leaveLaunching(me)
    // Not yet if the rest of the queue was handed over.
    if isLast && !run.isDetached { effects.end(run) }
    if let held { effects.release(.group(held)) }
  }

  @inlinable
  @inline(never)
  func enqueueDelivered(_ action: Action, from source: ActionSource, run: EffectRun, _ me: UInt) {
    if cell.gate.isOwned(by: me), cell.gate.isReducing { cell.misused("dispatched \(action) (at \(source))") }
    let context = queued(ActionContext(.run(run)), me)
    effects.retain(.run(run))
    if enqueue(QueueItem(.action(action, source), context: context), me) == nil { effects.release(.run(run)) }
  }

  /// Ends the program if the calling thread is inside a reducer of this store; `deed` says what the reducer did.
  @usableFromInline
  func diagnoseReducer(_ deed: @autoclosure () -> String) {
    if cell.gate.isOwned(by: ThreadID.current()), cell.gate.isReducing { cell.misused(deed()) }
  }

  /// Runs work on the pipeline: now if the store is idle, else in the queue's order.
  ///
  /// - Parameter deed: What the caller does, for the message if it is a reducer: "installed a feature".
  @usableFromInline
  func perform(_ deed: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void) {
    let me = ThreadID.current()
    guard cell.gate.enter(me, reducing: false) else {
      if cell.gate.isOwned(by: me), cell.gate.isReducing { cell.misused(deed()) }
      _ = enqueue(QueueItem(.work(work), context: queued(carrying(me), me)), me)
      return
    }
    memory.pointee.currentIsOwn = true
    memory.pointee.currentGeneration = 0
    memory.pointee.currentPriority = 0
    work()
    sweepObservers()
    leaveLaunching(me)
  }

  @inlinable
  func enqueue(_ item: consuming QueueItem<Action>, _ me: UInt) -> UInt64? {
    guard let ticket = inbox.append(item) else { return nil }
    if cell.gate.announce(), cell.gate.claim(me) { drain(me, isReducing: false) }
    return ticket
  }

  /// Works the inbox off until it is empty, or the owner's share is done.
  @inlinable
  func drain(_ me: UInt, isReducing: Bool, inBackground: Bool = false) {
    drainer(self, me, isReducing, inBackground)
  }

  @inlinable
  func drainNow(_ me: UInt, isReducing: Bool, inBackground: Bool) {
    if isReducing { cell.gate.endReducing() }
    var others = 0
    repeat {
      if memory.pointee.chunk == nil { refill() }
      while let chunk = memory.pointee.chunk {
        let index = memory.pointee.chunkIndex
        if index == chunk.pointee.count {
          leaveChunk(chunk)
          continue
        }
        if inBackground || !chunk.pointee.items[index].context.isOwn {
          if others == (inBackground ? Self.backgroundShare : Self.share) {
            handOver()
            return
          }
          others += 1
        }
        memory.pointee.chunkIndex = index + 1
        launchDeferred()
        // Moved out: what was processed is released at once.
        perform((chunk.pointee.items + index).move())
      }
    } while !leaveDrained(me)
  }

  @inlinable
  func refill() {
    cell.gate.acknowledge()
    let empty = memory.pointee.emptyChunk
    memory.pointee.emptyChunk = nil
    guard let chain = inbox.take(returning: empty) else { return }
    memory.pointee.chunk = chain.first
    memory.pointee.lastChunk = chain.last
    memory.pointee.chunkIndex = 0
    memory.pointee.nextTicket = chain.number
  }

  /// Goes on to the next chunk of those that were taken; keeps one empty chunk for the inbox.
  @inlinable
  func leaveChunk(_ chunk: Inbox<QueueItem<Action>>.Chunk) {
    memory.pointee.chunk = chunk.pointee.next
    memory.pointee.chunkIndex = 0
    chunk.pointee.next = nil
    chunk.pointee.count = 0
    if memory.pointee.emptyChunk == nil {
      memory.pointee.emptyChunk = chunk
    } else {
      InboxChunk.free(chunk)
    }
  }

  /// Adds an item after those that were taken from the inbox; called by the owner only.
  @inlinable
  func appendToChain(_ item: consuming QueueItem<Action>) {
    if let current = memory.pointee.chunk, let last = memory.pointee.lastChunk {
      if current == last, memory.pointee.chunkIndex == last.pointee.count {
        // All of it was worked off: begin at its start again.
        last.pointee.count = 0
        memory.pointee.chunkIndex = 0
      }
      if last.pointee.hasRoom { return last.pointee.append(item) }
    }
    let chunk = memory.pointee.emptyChunk ?? InboxChunk.make(capacity: memory.pointee.chunk == nil ? 8 : 256)
    memory.pointee.emptyChunk = nil
    chunk.pointee.append(item)
    if memory.pointee.chunk == nil {
      memory.pointee.chunk = chunk
      memory.pointee.chunkIndex = 0
    } else {
      memory.pointee.lastChunk?.pointee.next = chunk
    }
    memory.pointee.lastChunk = chunk
  }

  @inlinable
  func perform(_ item: consuming QueueItem<Action>) {
    let ticket = memory.pointee.nextTicket
    memory.pointee.nextTicket &+= 1
    memory.pointee.currentIsOwn = item.context.isOwn
    memory.pointee.currentGeneration = item.context.generation
    memory.pointee.currentPriority = item.context.priority
    if !carriedLocals.isEmpty { memory.pointee.currentLocals = item.context.group?.locals }
    switch item.kind {
    case .work(let work): work()
    case .action(let action, let source): perform(action, source, context: item.context, ticket: ticket)
    case .followUp(let followUp): perform(followUp.action, followUp.source, context: item.context, ticket: ticket)
    }
    sweepObservers()
  }

  @inlinable
  func perform(_ action: Action, _ source: ActionSource, context: ActionContext, ticket: UInt64) {
    memory.pointee.currentTicket = ticket
    if let runawayGuard, context.generation > runawayGuard.limit {
      runawayGuard.report(DispatchedAction(action, source: source))
    } else {
      processQueued(action, source, context: context)
    }
    memory.pointee.currentGroup = nil
    memory.pointee.currentTicket = 0
    // The queue kept live until here what the action has come from.
    if let origin = context.origin { effects.release(origin) }
  }

  @inlinable
  func processQueued(_ action: Action, _ source: ActionSource, context: ActionContext) {
    if context.isCancelled { return }
    let stillReducing = withUnsafePointer(to: action) { action in
      withUnsafePointer(to: source) { place in
        memory.pointee.currentSource = place
        return process(action, source, isReducing: false, context: context)
      }
    }
    if stillReducing { cell.gate.endReducing() }
  }

  /// Gives the rest of the inbox to a task, in order.
  @usableFromInline
  func handOver() {
    launchDeferred()
    memory.pointee.ending = nil
    cell.gate.handOver()
    // Detached: the actions that are left belong to other tasks.
    Task.detached { [self] in
      let me = ThreadID.current()
      cell.gate.takeOver(me)
      drain(me, isReducing: false, inBackground: true)
    }
  }

  // MARK: End

  /// Cancels what runs and releases what the store consists of; the state stays readable.
  @usableFromInline
  func close() {
    diagnoseReducer("released the store")
    isClosed.store(true, ordering: .releasing)
    effects.close()
    perform("released the store") { [self] in
      var old = PipelineMemory<Action, State>()
      let new = memory
      swap(&old.reducers, &new.pointee.reducers)
      swap(&old.middlewares, &new.pointee.middlewares)
      swap(&old.interceptors, &new.pointee.interceptors)
      swap(&old.feeders, &new.pointee.feeders)
      swap(&old.observers.observers, &new.pointee.observers.observers)
      swap(&old.throttles, &new.pointee.throttles)
      new.pointee.observers.version += 1
      new.pointee.resetRoutes()
      old.delivery = new.pointee.delivery.take()
      startsReducing.store(true, ordering: .relaxed)
      inbox.close()
      for observer in old.observers.observers where observer.isAlive.exchange(false, ordering: .relaxed) {
        observer.end?()
      }
      old.routes.deallocate()
    }
  }
}
