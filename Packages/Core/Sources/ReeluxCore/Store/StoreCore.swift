public import Synchronization

/// The pipeline: a store without its public interface.
///
/// The store retains its pipeline. Work that still runs when the store is released retains the pipeline too. `close`
/// empties the pipeline. A closed pipeline accepts no action.
///
/// It executes the commands of ``PipelineMachine``. A thread enters an idle store with `enter(_:)`. If the store is
/// busy, the thread adds its item to the queue. If the store has become idle meanwhile, the gate's `announce` lets the
/// thread enter. Only `drainLoop` processes the queue. A function `tryLeave` leaves the pipeline unless something
/// waits, and returns whether it has left. The storage has its own types: ``PipelineGate`` (the word of the machine),
/// ``PipelineQueue`` (the waiting items), ``StateCell`` (the state), ``ObserverTable`` and ``EffectTable``.
///
/// `@unchecked Sendable`: only the thread that runs the pipeline uses `memory`.
@usableFromInline final class StoreCore<Action: Sendable, State: Sendable>: @unchecked Sendable {
  @usableFromInline let cell: StateCell<State>
  /// The getter for the interceptors and middlewares of the whole store.
  @usableFromInline let getState: GetState<State>
  @usableFromInline let queue = PipelineQueue<QueueItem<Action>>()
  @usableFromInline let effects = EffectTable()
  @usableFromInline let storage = Memory(PipelineMemory<Action, State>())
  @inlinable @inline(__always) var memory: MemoryAddress<PipelineMemory<Action, State>> { storage.address }
  @usableFromInline let passed = MemoryCell(PassedChildren())
  @usableFromInline let enumCase = EnumCase<Action>()
  /// The route of actions of child stores that are not mapped to an action of the root.
  @usableFromInline let emptyRoute = Route<Action, State>(reducers: [], middlewares: [])
  @usableFromInline let emits: ShouldEmitValue<State>
  @usableFromInline let emitsWhenReduced: Bool
  @usableFromInline let runawayGuard: RunawayGuard<Action>?
  @usableFromInline let effectExecutor: (any TaskExecutor)?
  @usableFromInline let carriedLocals: [CarriedTaskLocal]
  /// The phase with which an action starts, as a part of the gate's word. It is `reducing` if there is neither an
  /// interceptor nor a middleware.
  @usableFromInline let firstPhase = Atomic<UInt>(PipelineMachine.Phase.reducing.bits)
  /// ``drainLoop(_:inBackground:)`` for the types of this store. The code that creates the store specialises it.
  /// Generic code that must drain the queue calls this fast version.
  @usableFromInline let specialisedDrainLoop: @Sendable (StoreCore, UInt, Bool) -> Void

  @usableFromInline init(
    initialState: State, emits: ShouldEmitValue<State>, runawayGuard: RunawayGuard<Action>?,
    effectExecutor: (any TaskExecutor)?, carriedLocals: [CarriedTaskLocal],
    specialisedDrainLoop: @escaping @Sendable (StoreCore, UInt, Bool) -> Void
  ) {
    let cell = StateCell(initialState)
    self.cell = cell
    getState = GetState(reader: cell)
    self.emits = emits
    if case .whenReduced = emits { emitsWhenReduced = true } else { emitsWhenReduced = false }
    self.runawayGuard = runawayGuard
    self.effectExecutor = effectExecutor
    self.carriedLocals = carriedLocals
    self.specialisedDrainLoop = specialisedDrainLoop
    cell.describeCurrentAction = { [unowned self] in self.describeCurrentAction() }
    effects.queueWait.withLock { $0.wait = { [weak self] in await self?.barrier() } }
  }

  @usableFromInline func describeCurrentAction() -> String {
    if let child = passed.value.reducing { return child.value.describe() }
    guard let action = memory.value.current.action, let source = memory.value.current.source else { return "an action" }
    return "\(action.value), dispatched at \(source.value)"
  }

  @usableFromInline var isRunByCallingThread: Bool { cell.gate.isRun(by: currentThreadID()) }

  // MARK: Entering

  /// Returns whether the calling thread now runs the pipeline, starting with the middlewares.
  ///
  /// `dispatch` enters with another first phase. The gate has three further ways to enter: `announce` for a thread that
  /// has added an item to the queue of an idle store, `takeOver` for the background task, and `performReadsLate` for a
  /// thread that left before it saw a waiting reader.
  @inlinable func enter(_ me: UInt) -> Bool {
    cell.gate.enter(PipelineMachine(.handling, thread: me))
  }

  /// Processes the action immediately if the store is idle. Otherwise adds it to the queue.
  @inlinable @inline(never) func dispatch(_ action: Action, from source: ActionSource) -> ActionTask.Progress {
    let me = currentThreadID()
    let first = firstPhase.load(ordering: .relaxed)
    guard cell.gate.enter(PipelineMachine(bits: me | first)) else {
      return enqueue(.action(action, source), from: newOrigin(me), me)
    }
    process(action, source)
    return leaveAfterAction(me)
  }

  /// Leaves the pipeline after an action that was processed immediately. Returns the progress for its handle.
  @inlinable @inline(__always) func leaveAfterAction(_ me: UInt) -> ActionTask.Progress {
    // If the phase is still `reducing`, there was no observer to call and no effect to start.
    if case nil = memory.value.current.group, memory.value.taken.isEmpty,
      cell.gate.isReducing && cell.gate.tryLeave(me)
    {
      return .finished
    }
    return leaveWithGroup(me)
  }

  /// The slow path of ``leaveAfterAction(_:)``.
  @usableFromInline func leaveWithGroup(_ me: UInt) -> ActionTask.Progress {
    let group = memory.value.current.group.take()
    drainAndLeave(me)
    return group.map { .group($0, isQueued: false) } ?? .finished
  }

  /// Processes an action, or other work, immediately if the store is idle. Otherwise returns `nil`.
  ///
  /// - Parameter origin: The effect that sent the action; `nil` if a caller dispatched it.
  @inlinable
  @inline(__always)
  func runIfIdle(_ origin: SendOrigin?, _ me: UInt, _ body: () -> Void) -> ActionTask.Progress? {
    guard enter(me) else { return nil }
    guard let origin else {
      body()
      return leaveAfterAction(me)
    }
    let group = origin.group
    memory.value.current.group = group
    // The group is held until this thread has left the pipeline, because the action may cancel its effect and start the
    // next one.
    if let group { effects.retain(group) }
    // Another thread may have cancelled the effect before this one entered.
    if !origin.dropsActions { body() }
    if case .last(let run) = origin { memory.value.ending = run }
    let progress = leaveAfterAction(me)
    if let group { effects.release(group) }
    return progress
  }

  /// Processes an action of an effect, or adds it to the queue. Any thread may call it, because code may keep a sender.
  @inlinable func deliver(_ action: Action, from source: ActionSource, _ origin: SendOrigin) {
    let me = currentThreadID()
    // The origin of a follow-up action has no run. The action waits until the queue has been processed.
    if let run = origin.run, !run.dropsActions, runIfIdle(origin, me, { process(action, source) }) != nil { return }
    if !origin.isStopped { enqueue(.action(action, source), from: origin, me) }
    origin.end()
  }

  /// Runs work on the pipeline, immediately if the store is idle, and otherwise in the order of the queue.
  ///
  /// - Parameter operation: The caller's operation, for the message if the caller is a reducer: "installed a feature".
  @usableFromInline func perform(_ operation: @autoclosure () -> String, _ work: @escaping @Sendable () -> Void) {
    let me = currentThreadID()
    if runIfIdle(nil, me, work) == nil { _ = enqueueWork(from: nil, me, operation(), work) }
  }

  /// Stops the program if the calling thread is inside a reducer of this store, which has performed `operation`.
  @usableFromInline func diagnoseReducer(_ operation: @autoclosure () -> String) {
    if isRunByCallingThread, cell.gate.isReducing { cell.misused(operation()) }
  }

  /// Stops the program, because a reducer of this store dispatched an action. For other work, `enqueueWork` does this.
  @usableFromInline func diagnoseReducer(adding kind: QueueItem<Action>.Kind) {
    if case .action(let action, let source) = kind { cell.misused("dispatched \(action) (at \(source))") }
  }

  // MARK: Queue

  /// Adds an item to the end of the queue, and keeps its origin live until it has been processed. Returns the progress
  /// for its handle.
  @inlinable @inline(never) @discardableResult func enqueue(
    _ kind: consuming QueueItem<Action>.Kind, from origin: SendOrigin?, _ me: UInt
  ) -> ActionTask.Progress {
    let isRunning = cell.gate.isRun(by: me)
    if isRunning, cell.gate.isReducing { diagnoseReducer(adding: kind) }
    if let origin { effects.retain(origin) }
    var context = ActionContext(origin)
    context.priority = Task.currentPriority.rawValue
    if isRunning {
      context.followsOwnAction = memory.value.current.inherited?.followsOwnAction ?? true
      context.generation = (memory.value.current.inherited?.generation ?? 0) + 1
      if let priority = memory.value.current.inherited?.priority { context.priority = priority }
    }
    if isRunning, origin != nil, !cell.gate.isAnythingWaiting {
      // No announced item waits in the queue, so the end of the taken items is the end of the queue.
      memory.value.taken.append(QueueItem(kind, context: context))
    } else if let ticket = queue.append(QueueItem(kind, context: context)) {
      if cell.gate.announce(me) { drain(me) }
      if origin == nil { return .queued(ticket) }
    } else {
      // The store has been released.
      if let origin { effects.release(origin) }
      return .finished
    }
    return origin?.group.map { .group($0, isQueued: true) } ?? .finished
  }

  /// The origin of an item that no effect sent: its own group if the store carries task-local values, otherwise `nil`.
  @inlinable func newOrigin(_ me: UInt) -> SendOrigin? {
    carriedLocals.isEmpty ? nil : newOriginWithLocals(me)
  }

  @usableFromInline func newOriginWithLocals(_ me: UInt) -> SendOrigin {
    let group =
      cell.gate.isRun(by: me)
      ? newGroup()
      : EffectGroup(in: effects, ticket: 0, priority: Task.currentPriority.rawValue, locals: carriedLocals.captured())
    return .group(group, nil)
  }

  // MARK: Draining

  /// Processes the queue until it is empty or the thread has processed its share. Then leaves the pipeline.
  @inlinable func drain(_ me: UInt, inBackground: Bool = false) {
    specialisedDrainLoop(self, me, inBackground)
  }

  @inlinable func drainLoop(_ me: UInt, inBackground: Bool) {
    cell.gate.endReducing()
    var turn = PipelineMachine.Turn(isBackground: inBackground)
    while true {
      // `processNextItem` also releases values after it has called this function. Their release may cancel observers.
      removeCancelledObservers()
      switch turn.next(memory.value.taken.advanceToHead()) {
      case .process:
        launchDeferred()
        processNextItem()
      case .leave:
        if tryLeave(me) { return }
        cell.gate.acknowledge()
        memory.value.taken.refill(from: queue)
      case .handOver:
        handOver()
        return
      }
    }
  }

  @inlinable func processNextItem() {
    let context: ActionContext
    do {
      let item = memory.value.taken.removeFirst()
      context = item.context
      memory.value.current.inherited = context
      memory.value.current.group = context.origin?.group
      // Only an action with a handle needs its number. An action that this thread added to its own items has none.
      memory.value.current.ticket = context.origin == nil ? memory.value.taken.ticket : 0
      switch item.kind {
      case .work(let work): work()
      case .action(let action, let source):
        if !context.isDropped && (runawayGuard == nil || !reportRunaway({ action }, source)) { process(action, source) }
      }
      // The following lines release the item, observers and the group. A release may call code of the app, so the phase
      // `reducing` must end first. If this code dispatches, its action belongs to the current action.
      cell.gate.endReducing()
      withExtendedLifetime(item) {}
    }
    removeCancelledObservers()
    memory.value.current.group = nil
    memory.value.current.ticket = 0
    // The queue kept the origin of the action live until here.
    if let origin = context.origin { effects.release(origin) }
    memory.value.current.inherited = nil
  }

  /// Hands the rest of the queue, in order, to a task.
  @usableFromInline func handOver() {
    launchDeferred()
    let ending = memory.value.ending.take()
    cell.gate.handOver()
    if let ending { effects.end(ending) }
    // The task is detached, because the remaining actions belong to other tasks.
    Task.detached { [self] in
      let me = currentThreadID()
      cell.gate.takeOver(me)
      drain(me, inBackground: true)
    }
  }

  // MARK: Leaving

  /// Leaves the pipeline. If something waits, drains the queue first.
  @usableFromInline func drainAndLeave(_ me: UInt) {
    removeCancelledObservers()
    if !memory.value.taken.isEmpty || !tryLeave(me) { drain(me) }
  }

  /// Leaves the pipeline unless something waits. Returns whether it has left. In both cases the deferred effect starts.
  /// It reuses the task of an effect that has ended, if this thread runs that task and nothing waits. Otherwise it gets
  /// a new task.
  @usableFromInline func tryLeave(_ me: UInt) -> Bool {
    if memory.value.deferred == nil && memory.value.ending == nil {
      return cell.gate.tryLeave(me, to: memory.value.isEmptied ? .closed : .idle)
    }
    return tryLeaveWithEffects(me)
  }

  /// Leaves the pipeline, with an effect that starts or ends.
  @inline(never) private func tryLeaveWithEffects(_ me: UInt) -> Bool {
    let deferred = memory.value.deferred.take()
    let ending = memory.value.ending.take()
    guard cell.gate.tryLeave(me, to: memory.value.isEmptied ? .closed : .idle) else {
      memory.value.ending = ending
      deferred?.createTask(on: effectExecutor)
      return false
    }
    let taskRun = ending.flatMap { effects.end($0) }
    guard let deferred else { return true }
    // The group must be the same, because an effect of another dispatch has another priority and other task-local
    // values. An effect retains the effect whose task it reuses, and with it the part of that effect. So the task of an
    // effect with a part is not reused.
    if let taskRun, effectExecutor == nil, taskRun.owner.part == nil, ending?.group === deferred.group {
      taskRun.continueTask(with: deferred)
    } else {
      deferred.createTask(on: effectExecutor)
    }
    return true
  }

  /// Returns when the queue is empty and no effect runs. It does not wait for feeds.
  @usableFromInline func settle() async {
    let isBusy = MemoryCell(false)
    repeat {
      isBusy.value = false
      await effects.waitUntilIdle()
      await barrier { [self] in
        // A thread adds the last action of an effect to the queue before it ends the effect.
        isBusy.value = !effects.isIdle || !memory.value.taken.isEmpty || cell.gate.isAnythingWaiting
      }
    } while isBusy.value
  }

  // MARK: End

  /// Cancels the effects and releases the parts of the store. The state remains readable.
  @usableFromInline func close() {
    diagnoseReducer("released the store")
    effects.close()
    perform("released the store") { [self] in
      var old = PipelineMemory<Action, State>()
      swap(&old, &memory.value)
      // This thread may be processing an item of the queue, so it still needs these values.
      swap(&old.taken, &memory.value.taken)
      swap(&old.current, &memory.value.current)
      swap(&old.deferred, &memory.value.deferred)
      swap(&old.ending, &memory.value.ending)
      memory.value.isEmptied = true
      // Tasks may wait for the groups of the discarded items.
      for item in queue.close() { if let origin = item.context.origin { effects.release(origin) } }
      for middleware in old.middlewares { middleware.owner.end() }
      for observer in old.observers.observers { observer.finish() }
    }
  }
}
