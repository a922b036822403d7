public import Synchronization

/// The pipeline: the parts of a store, without its public interface.
///
/// The store holds it, and so does work that still runs when the store is
/// released. Then `close` empties it. A closed pipeline takes no action.
///
/// It carries out the commands of ``PipelineMachine``. `enter(_:)` is the only
/// way in, `drain(_:)` the only loop, `leave(_:)` the only way out. The storage
/// has types of its own: ``PipelineGate`` (the machine's word), ``PipelineQueue``
/// (what waits), ``StateCell`` (the state), ``ObserverTable``, ``EffectTable``.
///
/// `@unchecked Sendable`: only the thread that runs the pipeline uses `memory`.
@usableFromInline
final class StoreCore<Action: Sendable, State: Sendable>: @unchecked Sendable, ActionTaskHost {
  @usableFromInline let cell: StateCell<State>
  /// The getter that the whole store's interceptors and middlewares read with.
  @usableFromInline let getState: GetState<State>
  @usableFromInline let queue = PipelineQueue<QueueItem<Action>>()
  @usableFromInline let effects = EffectTable()
  @usableFromInline let memory: UnsafeMutablePointer<PipelineMemory<Action, State>>
  @usableFromInline let enumCase = EnumCase<Action>()
  @usableFromInline let emits: ShouldEmitValue<State>
  @usableFromInline let emitsWhenReduced: Bool
  @usableFromInline let runawayGuard: RunawayGuard<Action>?
  @usableFromInline let effectExecutor: (any TaskExecutor)?
  @usableFromInline let carriedLocals: [CarriedTaskLocal]
  /// The phase with which an action begins, as a part of the gate's word: `reducing` if there is neither interceptor nor
  /// middleware.
  @usableFromInline let firstPhase = Atomic<UInt>(PipelineMachine.Phase.reducing.bits)
  @usableFromInline let isClosed = Atomic<Bool>(false)
  /// ``drainNow(_:inBackground:)`` as it was specialised for the store's types where the store was made: generic code
  /// that has to drain calls the fast one.
  @usableFromInline let drainer: @Sendable (StoreCore, UInt, Bool) -> Void

  @inlinable
  init(
    initialState: State, emits: ShouldEmitValue<State>, runawayGuard: RunawayGuard<Action>?,
    effectExecutor: (any TaskExecutor)?, carriedLocals: [CarriedTaskLocal] = []
  ) {
    let cell = StateCell(initialState)
    self.cell = cell
    getState = GetState { callsApp, body in
      if callsApp { cell.visit(body) } else { cell.read(body) }
    }
    memory = .allocate(capacity: 1)
    memory.initialize(to: PipelineMemory())
    self.emits = emits
    if case .whenReduced = emits { emitsWhenReduced = true } else { emitsWhenReduced = false }
    self.runawayGuard = runawayGuard
    self.effectExecutor = effectExecutor
    self.carriedLocals = carriedLocals
    drainer = { core, thread, inBackground in core.drainNow(thread, inBackground: inBackground) }
    cell.describeCurrentAction = { [unowned self] in self.describeCurrentAction() }
  }

  deinit {
    memory.pointee.routes.deallocate()
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  @usableFromInline
  func describeCurrentAction() -> String {
    guard let action = memory.pointee.current.action, let source = memory.pointee.current.source else {
      return memory.pointee.current.describeChild?() ?? "an action"
    }
    return "\(action.pointee), dispatched at \(source.pointee)"
  }

  @usableFromInline
  var isRunByCallingThread: Bool { cell.gate.isOwned(by: ThreadID.current()) }

  // MARK: Entering

  /// Whether the calling thread runs the pipeline from now on: the only way in, but for the background task.
  @inlinable
  @inline(__always)
  func enter(_ entered: PipelineMachine) -> Bool {
    guard cell.gate.enter(entered) else { return false }
    memory.pointee.current.beginOwn()
    return true
  }

  /// Whether the calling thread runs the pipeline from now on, beginning with the middlewares.
  @usableFromInline
  func enter(_ me: UInt) -> Bool {
    enter(PipelineMachine(.handling, thread: me))
  }

  /// Processes the action now if the store is idle; otherwise puts it into the queue.
  @inlinable
  func dispatch(_ action: Action, from source: ActionSource) -> ActionTask.Progress {
    let me = ThreadID.current()
    let first = firstPhase.load(ordering: .relaxed)
    guard enter(PipelineMachine(bits: me | first)) else {
      return enqueueFresh(.action(action, source), me, "dispatched \(action) (at \(source))")
    }
    // A middleware may have been installed between the look and the entry.
    if firstPhase.load(ordering: .relaxed) != first { cell.gate.move(to: .handling) }
    process(action, source)
    // Still reducing: there was no observer to call and no effect to start.
    if cell.gate.isReducing && cell.gate.leave(me, from: .reducing) { return .finished }
    return finish(me)
  }

  /// Leaves the pipeline after an action that was processed at once.
  @inlinable
  @inline(never)
  func finish(_ me: UInt) -> ActionTask.Progress {
    let group = memory.pointee.current.group.take()
    leave(me)
    return group.map { .group($0, isQueued: false) } ?? .finished
  }

  /// An action from an effect's task; with the last one the effect ends.
  @inlinable
  func deliver(_ action: Action, from source: ActionSource, run: EffectRun, isLast: Bool) {
    if run.isCancelled || isClosed.load(ordering: .acquiring) {
      if isLast { effects.end(run) }
      return
    }
    let me = ThreadID.current()
    guard enter(me) else {
      enqueue(.action(action, source), ActionContext(.run(run)), me, "dispatched \(action) (at \(source))")
      if isLast { effects.end(run) }
      return
    }
    // Held until the pipeline is left: the action may cancel its effect and start the next one.
    let held = run.group?.retainLive() == true ? run.group : nil
    memory.pointee.current.group = run.group
    process(action, source)
    // A feed's action has a group of its own: the next action in the queue is not part of it.
    memory.pointee.current.group = nil
    if isLast { memory.pointee.ending = Unmanaged.passUnretained(run) }
    leave(me)
    // Not yet if the rest of the queue was handed over.
    if isLast && !run.isDetached { effects.end(run) }
    if let held { effects.release(.group(held)) }
  }

  /// Runs work on the pipeline: now if the store is idle, else in the queue's order.
  ///
  /// - Parameter deed: What the caller does, for the message if it is a reducer: "installed a feature".
  @usableFromInline
  func perform(_ deed: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void) {
    let me = ThreadID.current()
    guard enter(me) else {
      enqueue(.work(work), carrying(me), me, deed())
      return
    }
    work()
    sweepObservers()
    leave(me)
  }

  /// Ends the program if the calling thread is inside a reducer of this store; `deed` says what the reducer did.
  @usableFromInline
  func diagnoseReducer(_ deed: @autoclosure () -> String) {
    if cell.gate.isOwned(by: ThreadID.current()), cell.gate.isReducing { cell.misused(deed()) }
  }

  // MARK: Queue

  /// Puts what no effect sent into the queue; returns the handle.
  @inlinable
  @inline(never)
  func enqueueFresh(
    _ kind: QueueItem<Action>.Kind, _ me: UInt, _ deed: @autoclosure () -> String
  ) -> ActionTask.Progress {
    let context = carrying(me)
    guard let ticket = enqueue(kind, context, me, deed()) else { return .finished }
    if let group = context.group { return .group(group, isQueued: true) }
    return .queued(ticket)
  }

  /// Puts something at the queue's end; what it came from stays live until it was processed. Returns its number, or `nil`
  /// if the store is gone.
  @inlinable
  @inline(never)
  @discardableResult
  func enqueue(
    _ kind: QueueItem<Action>.Kind, _ context: ActionContext, _ me: UInt, _ deed: @autoclosure () -> String
  ) -> UInt64? {
    let isRunning = cell.gate.isOwned(by: me)
    if isRunning, cell.gate.isReducing { cell.misused(deed()) }
    if let origin = context.origin { effects.retain(origin) }
    let item = QueueItem(kind, context: queued(context, me))
    if isRunning, case .followUp = kind, !cell.gate.isAnythingWaiting {
      // Nothing waits: the end of the queue is the end of what this thread has taken from it.
      memory.pointee.taken.append(item)
      return 0
    }
    guard let ticket = queue.append(item) else {
      if let origin = context.origin { effects.release(origin) }
      return nil
    }
    if cell.gate.announce(me) { drain(me) }
    return ticket
  }

  /// What goes into the queue with an action, or with work, from the task that dispatches it.
  @inlinable
  func queued(_ context: ActionContext, _ me: UInt) -> ActionContext {
    var context = context
    context.priority = Task.currentPriority.rawValue
    if cell.gate.isOwned(by: me) {
      context.isOwn = memory.pointee.current.isOwn
      context.generation = memory.pointee.current.generation + 1
      if memory.pointee.current.priority != 0 { context.priority = memory.pointee.current.priority }
    }
    return context
  }

  /// The context of what no effect sent; with a group of its own if the store carries task-local values.
  @inlinable
  func carrying(_ me: UInt) -> ActionContext {
    carriedLocals.isEmpty ? ActionContext() : carryingLocals(me)
  }

  @usableFromInline
  func carryingLocals(_ me: UInt) -> ActionContext {
    if cell.gate.isOwned(by: me) { return ActionContext(.group(newGroup())) }
    return ActionContext(
      .group(
        EffectGroup(
          in: effects, ticket: 0, priority: Task.currentPriority.rawValue, locals: carriedLocals.captured())))
  }

  // MARK: Draining

  /// Processes the queue until it is empty, or the thread's share is processed; leaves then.
  @inlinable
  func drain(_ me: UInt, inBackground: Bool = false) {
    drainer(self, me, inBackground)
  }

  @inlinable
  func drainNow(_ me: UInt, inBackground: Bool) {
    cell.gate.endReducing()
    var turn = PipelineMachine.Turn(isBackground: inBackground)
    while true {
      switch turn.next(memory.pointee.taken.head) {
      case .process:
        launchDeferred()
        process(memory.pointee.taken.removeFirst())
        cell.gate.endReducing()
      case .leave:
        if leaveDrained(me) { return }
        cell.gate.acknowledge()
        memory.pointee.taken.refill(from: queue)
      case .handOver:
        handOver()
        return
      }
    }
  }

  @inlinable
  func process(_ item: consuming QueueItem<Action>) {
    memory.pointee.current.begin(item.context, ticket: memory.pointee.taken.ticket)
    if !carriedLocals.isEmpty { memory.pointee.current.locals = item.context.group?.locals }
    switch item.kind {
    case .work(let work): work()
    case .action(let action, let source): processGuarded(action, source, item.context)
    case .followUp(let followUp): processGuarded(followUp.action, followUp.source, item.context)
    }
    memory.pointee.current.group = nil
    memory.pointee.current.ticket = 0
    // The queue kept live until here what the action has come from.
    if let origin = item.context.origin { effects.release(origin) }
    sweepObservers()
  }

  @inlinable
  func processGuarded(_ action: Action, _ source: ActionSource, _ context: ActionContext) {
    if let runawayGuard, context.generation > runawayGuard.limit {
      runawayGuard.report(DispatchedAction(action, source: source))
    } else if !context.isCancelled {
      process(action, source)
    }
  }

  /// Gives the rest of the queue to a task, in order.
  @usableFromInline
  func handOver() {
    launchDeferred()
    memory.pointee.ending = nil
    cell.gate.handOver()
    // Detached: the actions that are left belong to other tasks.
    Task.detached { [self] in
      let me = ThreadID.current()
      cell.gate.takeOver(me)
      drain(me, inBackground: true)
    }
  }

  // MARK: Leaving

  /// Leaves the pipeline; drains first if something waits.
  @inlinable
  func leave(_ me: UInt) {
    if !memory.pointee.taken.isEmpty || !leaveDrained(me) { drain(me) }
  }

  /// Leaves the pipeline unless something waits. The deferred effect begins either way: in the task of an effect that has
  /// ended, if this is its thread and nothing keeps it here, or else in one of its own.
  @inlinable
  @inline(__always)
  func leaveDrained(_ me: UInt) -> Bool {
    if memory.pointee.deferred == nil && memory.pointee.ending == nil {
      return cell.gate.leave(me, to: memory.pointee.isEmptied ? .closed : .idle)
    }
    return leaveBeginning(me)
  }

  /// The same, with an effect that begins or ends.
  @inlinable
  @inline(never)
  func leaveBeginning(_ me: UInt) -> Bool {
    let deferred = memory.pointee.deferred.take()
    let ending = memory.pointee.ending.take()
    guard cell.gate.leave(me, to: memory.pointee.isEmptied ? .closed : .idle) else {
      memory.pointee.ending = ending
      if let deferred { EffectChain.begin(deferred.run, deferred.work, on: effectExecutor) }
      return false
    }
    let endingGroup = ending?._withUnsafeGuaranteedRef { $0.group }
    let free = ending.flatMap { effects.end($0.takeUnretainedValue()) }
    guard let deferred else { return true }
    // Of one group: another dispatch's effect has another priority and other task-local values.
    if let free, effectExecutor == nil, endingGroup === deferred.run.group {
      free.lend(to: deferred.run, deferred.work)
    } else {
      EffectChain.begin(deferred.run, deferred.work, on: effectExecutor)
    }
    return true
  }

  /// Returns when the queue is empty and no effect runs. It does not wait for
  /// feeds.
  @usableFromInline
  func settle() async {
    var last: UInt64 = 0
    while true {
      await effects.waitUntilIdle()
      await barrier()
      let count = queue.count
      // Twice the same: nothing came between the two barriers but the second one.
      if effects.isIdle && (count == last || count == last + 1) { return }
      last = count
    }
  }

  // MARK: End

  /// Cancels the effects and releases the parts of the store; the state stays readable.
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
      swap(&old.interceptor, &new.pointee.interceptor)
      swap(&old.feeders, &new.pointee.feeders)
      swap(&old.childFeeders, &new.pointee.childFeeders)
      swap(&old.observers.observers, &new.pointee.observers.observers)
      swap(&old.throttles, &new.pointee.throttles)
      new.pointee.observers.version += 1
      new.pointee.resetRoutes()
      old.delivery = new.pointee.delivery.take()
      new.pointee.isEmptied = true
      queue.close()
      for observer in old.observers.observers where observer.isAlive.exchange(false, ordering: .relaxed) {
        observer.end?()
      }
      old.routes.deallocate()
    }
  }
}
