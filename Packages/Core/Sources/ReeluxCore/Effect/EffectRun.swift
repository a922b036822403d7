public import Synchronization

/// A started effect. Its senders refer to it, so that the store knows which effect sent an action.
///
/// Its states are *registered* (it has no task yet), *running*, *lingering* (its work has ended, but its actions wait
/// in the queue and can still be cancelled) and *gone*.
///
/// If an effect's last action starts another effect, that effect reuses its task (``continueTask(with:)``). A chain of
/// effects therefore stays on one thread. With a new task for each effect, every task would wake another thread, and
/// the store's memory would move between the processors. The next effect takes the task only when the work has finished.
/// Cancelling one effect of the chain cancels no other one. After a cancelled effect, the next one gets a new task.
///
/// `@unchecked Sendable`: `work` and `next` are used by the launching thread before the task is created, and then by the
/// task. The other variables are used only under the lock of ``EffectTable``.
@usableFromInline final class EffectRun: @unchecked Sendable {
  /// The work of an effect. Its last step ends the effect. It runs on its caller's executor, because a switch of
  /// executors takes as long as several allocations.
  @usableFromInline typealias Work = nonisolated(nonsending) @Sendable (EffectRun) async -> Void

  @usableFromInline let table: EffectTable
  /// The ids that cancel the effect, or the key of a feed that accepts messages.
  @usableFromInline let keys: [EffectKey]
  @usableFromInline let owner: EffectOwner
  /// The group of the action that started the effect. A feed and the interval of a throttle have none.
  @usableFromInline let group: EffectGroup?
  /// The part of the state with which the effect ends.
  @usableFromInline let part: EffectPart?
  /// The place that created the effect, for messages about effects that did not end.
  @usableFromInline let source: ActionSource?
  @usableFromInline let kind: Kind
  /// Whether it does not end with a part of the state.
  let isDetached: Bool
  /// The number of the merged effect that it is a part of; 0 if there is none.
  let merge: UInt64
  /// The mailbox of a feed that accepts messages.
  @usableFromInline let mailbox: FeedMailbox?
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Its index in the table.
  var index: Int?
  /// The number of effects that were registered before it.
  var number: UInt64 = 0
  /// The number of its actions in the queue.
  var queued = 0

  /// Whether it has ended or was cancelled.
  var hasEnded = false
  /// The effect whose task this one uses. It is `nil` if this effect has its own task.
  var taskRun: EffectRun?
  /// Its own task, once it exists.
  var task: Task<Void, Never>?
  /// Whether its own task is cancelled, now or as soon as it exists.
  var isTaskCancelled = false

  /// The work until it starts.
  @usableFromInline var work: Work?
  /// The effect that uses the task of this one next.
  private var next: EffectRun?

  /// The number of effects after which a task yields to other tasks.
  private static let effectsBeforeYield = 64

  @usableFromInline enum Kind: Sendable {
    case effect
    /// A feed, which is open as long as the state requires it. No task waits for it.
    case feed
    /// The rest of a throttle's interval, without work. No task waits for it.
    case interval
  }

  @usableFromInline init(
    in table: EffectTable, keys: [EffectKey] = [], owner: EffectOwner, group: EffectGroup?, part: EffectPart? = nil,
    source: ActionSource? = nil, kind: Kind = .effect, isDetached: Bool = false, merge: UInt64 = 0,
    mailbox: FeedMailbox? = nil
  ) {
    self.table = table
    self.keys = keys
    self.owner = owner
    self.group = group
    self.part = part
    self.source = source
    self.kind = kind
    self.isDetached = isDetached
    self.merge = merge
    self.mailbox = mailbox
  }

  /// The group that is live while the effect runs.
  var waitingGroup: EffectGroup? { kind == .effect ? group : nil }

  @inlinable var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Whether its actions are dropped. A sender may be used after the work has ended, so this also depends on the part
  /// and on the middleware.
  @usableFromInline var dropsActions: Bool { isCancelled || owner.isRemoved || part?.hasEnded == true }

  // MARK: Its task

  /// Creates a task for the work, on the preferred executor if there is one.
  @usableFromInline func createTask(on executor: (any TaskExecutor)?) {
    if isCancelled { return discardWork() }
    let priority = (group?.priority).flatMap { $0 == 0 ? nil : TaskPriority(rawValue: $0) }
    // The task is detached, because the thread that runs the pipeline may be in the task of another dispatch. A task
    // with an executor preference, even with `nil`, looks the executor up at each switch. The compiler would wrap a
    // closure in a variable in further closures.
    let task =
      if let executor {
        Task.detached(executorPreference: executor, priority: priority) { await self.runTaskWithLocals() }
      } else if group?.locals != nil {
        Task.detached(priority: priority) { await self.runTaskWithLocals() }
      } else {
        Task.detached(priority: priority) { await self.runTask() }
      }
    table.keep(task, of: self)
  }

  /// Continues the task with another effect. The work that has just finished calls this.
  @usableFromInline func continueTask(with run: EffectRun) {
    if table.lend(taskOf: self, to: run) { next = run } else { run.discardWork() }
  }

  /// Releases the work of an effect that was cancelled before it started, because the work may retain this run.
  private func discardWork() {
    work = nil
  }

  nonisolated(nonsending) private func runTaskWithLocals() async {
    if let locals = group?.locals { await locals { await self.runTask() } } else { await runTask() }
  }

  /// Performs the work of this effect, and then that of the effects that continue the task.
  @inline(__always) nonisolated(nonsending) private func runTask() async {
    var run = self
    var count = 0
    // `take` removes the work from the run, so that it is released when it has finished.
    while let work = run.work.take() {
      if count == Self.effectsBeforeYield {
        count = 0
        await Task.yield()
      }
      count += 1
      await work(run)
      guard let next = next.take() else { return }
      run = next
    }
  }

  /// The description of the effect. It is called under the table's lock.
  var description: RunningEffect {
    RunningEffect(
      isFeed: kind == .feed, awaitsMessage: mailbox?.isAwaited == true, source: source, task: (taskRun ?? self).task)
  }
}

/// A running effect, for the messages of a test store.
package struct RunningEffect: Sendable {
  /// Whether this is a feed, which is open as long as the state requires it.
  package let isFeed: Bool
  /// Whether the work of this feed waits for a message.
  package let awaitsMessage: Bool
  /// The place that created the effect; `nil` if it waits for the end of a throttle's interval.
  package let source: ActionSource?
  /// The task, once it exists.
  package let task: Task<Void, Never>?
}

/// Everything that follows from one dispatched action: effects, their actions, the effects of these actions, and so on.
///
/// A group is *live* while one of its effects runs or one of its actions waits in the queue.
///
/// `@unchecked Sendable`: the variables are used only under the lock of ``EffectTable``.
@usableFromInline final class EffectGroup: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  /// The priority of the dispatch.
  @usableFromInline let priority: UInt8
  /// Binds the task-local values that the store carries from the dispatch.
  @usableFromInline let locals: TaskLocalBinding?
  /// The queue's number of the action; 0 if it did not pass the queue.
  @usableFromInline let ticket: UInt64
  /// The number of running effects and waiting actions.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether the table must act when the group stops being live: a task waits for the group, or the table contains the
  /// group by its ticket.
  @usableFromInline let isAwaited = Atomic<Bool>(false)
  var isCancelled = false
  /// The tasks that wait for the group.
  var waiters = WaitingTasks()

  @usableFromInline init(in table: EffectTable, ticket: UInt64, priority: UInt8 = 0, locals: TaskLocalBinding? = nil) {
    self.table = table
    self.ticket = ticket
    self.priority = priority
    self.locals = locals
  }

  @inlinable var isLive: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  /// Adds one to the count if the group is live. Otherwise changes nothing and returns false.
  @inlinable func retainLive() -> Bool {
    var old = count.load(ordering: .relaxed)
    while old > 0 {
      let result = count.compareExchange(expected: old, desired: old + 1, ordering: .sequentiallyConsistent)
      if result.exchanged { return true }
      old = result.original
    }
    return false
  }

  /// Adds one to the count.
  @inlinable func retain() {
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Subtracts one from the count. Returns true if the group is no longer live and is awaited. The caller must then
  /// call `EffectTable.resumeWaiters(of:)`.
  @inlinable func release() -> Bool {
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
      && isAwaited.load(ordering: .sequentiallyConsistent)
  }
}

/// The context of an effect: its middleware, its group, its ids, its delay, and its part of the state.
@usableFromInline struct EffectContext: Sendable {
  @usableFromInline let owner: EffectOwner
  @usableFromInline let group: EffectGroup
  @usableFromInline var ids: [CancellableID] = []
  @usableFromInline private(set) var delay: EffectDelay?
  /// The parts around the effect, the outermost first.
  @usableFromInline var parts: [PartReference] = []
  @usableFromInline var isDetached = false
  /// The number of the merged effect that it is a part of; 0 if there is none. The parts of one effect with the same id
  /// do not replace each other.
  var merge: UInt64 = 0

  @inlinable init(owner: EffectOwner, group: EffectGroup) {
    self.owner = owner
    self.group = group
  }

  /// Whether there is no id, no delay and no part.
  @inlinable var isPlain: Bool { ids.isEmpty && delay == nil && parts.isEmpty }

  /// Whether the effect ends with the innermost part.
  var endsWithPart: Bool { !parts.isEmpty && !isDetached }

  /// Adds a delay after the existing ones.
  mutating func add(_ next: EffectDelay) {
    delay =
      delay.map { outer in EffectDelay(source: next.source) { await outer.wait() ? await next.wait() : false } } ?? next
  }

  /// The context after the delay. Running effects with its ids were replaced when the delay began.
  var afterDelay: EffectContext {
    var copy = self
    copy.delay = nil
    copy.ids = ids.map { CancellableID(value: $0.value, cancelsInFlight: false) }
    return copy
  }

  func key(_ id: EffectID, isFeed: Bool = false) -> EffectKey {
    EffectKey(owner: owner, id: id.scoped(to: parts.map(\.id)), isFeed: isFeed)
  }
}
