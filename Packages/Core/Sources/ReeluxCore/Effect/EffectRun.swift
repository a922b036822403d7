public import Synchronization

/// A started effect. Its senders refer to it. By this reference, the store finds the effect that sent an action.
///
/// The table contains it from its registration, which comes before its task, until its work has ended and no action of
/// it waits in the queue. Until then, it can be cancelled together with these actions.
///
/// If the answer of an effect starts another effect in an idle store, that effect reuses its task
/// (``continueTask(with:)``). A chain of effects therefore stays on one thread. With a new task for each effect, every
/// task would wake another thread, and the store's memory would move between the processors. The next effect takes the
/// task only when the work has finished. Cancelling one effect of the chain cancels no other one. After a cancelled
/// effect, the next one gets a new task.
///
/// `@unchecked Sendable`: `work` is used by the launching thread before the task is created, and then by the task. Only
/// the task uses `next`. The other variables are used only under the lock of ``EffectTable``.
@usableFromInline package final class EffectRun: @unchecked Sendable {
  /// The work of an effect. Its last step ends the effect. It runs on its caller's executor, because a switch of
  /// executors takes as long as several allocations.
  @usableFromInline typealias Work = nonisolated(nonsending) @Sendable (EffectRun) async -> Void

  @usableFromInline let table: EffectTable
  /// The ids that cancel the effect.
  @usableFromInline let keys: [EffectKey]
  /// The middleware, or the part of the state with which the effect ends.
  @usableFromInline let owner: EffectOwner
  /// The group of the action that started the effect. A feed and the interval of a throttle have none.
  @usableFromInline let group: EffectGroup?
  /// The place that created the effect, for messages about effects that did not end; `nil` for the interval of a
  /// throttle, and for an effect that waits for its end.
  @usableFromInline package let source: ActionSource?
  @usableFromInline let kind: Kind
  /// Whether it does not end with a part of the state.
  let isDetached: Bool
  /// The number of the merged effect that it is a member of; 0 if there is none.
  let merge: UInt64
  /// The mailbox of a feed that accepts messages.
  @usableFromInline let mailbox: FeedMailbox?
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Its index in the table.
  var index: Int?
  /// The number of its actions in the queue.
  var queued = 0

  /// Whether it has ended or was cancelled.
  var hasEnded = false
  /// The effect whose task this one uses. It is `nil` if this effect has its own task.
  var taskRun: EffectRun?
  /// Its own task, once it exists.
  var task: Task<Void, Never>?
  /// The run of an effect that waits for the end of this interval of a throttle. It counts as running, and ends with
  /// the interval.
  var waiting: Waiting?
  /// The interval for whose end it waits.
  var interval: EffectRun?
  /// Whether its own task is cancelled, now or as soon as it exists.
  var isTaskCancelled = false

  /// The work until it starts.
  @usableFromInline var work: Work?
  /// The effect that uses the task of this one next.
  private var next: EffectRun?

  /// The number of effects after which a task yields to other tasks.
  private static let effectsBeforeYield = 64

  /// An effect, and the start of its work on the pipeline's thread.
  typealias Waiting = (run: EffectRun, begin: @Sendable () -> Void)

  @usableFromInline enum Kind: Sendable {
    case effect
    /// A feed, which is open as long as the state requires it. No task waits for it.
    case feed
    /// The rest of a throttle's interval. At its end, the effect that waits for the interval starts. No task waits for
    /// this run.
    case interval
  }

  @usableFromInline init(
    in table: EffectTable, keys: [EffectKey] = [], owner: EffectOwner, group: EffectGroup?,
    source: ActionSource? = nil, kind: Kind = .effect, isDetached: Bool = false, merge: UInt64 = 0,
    mailbox: FeedMailbox? = nil
  ) {
    self.table = table
    self.keys = keys
    self.owner = owner
    self.group = group
    self.source = source
    self.kind = kind
    self.isDetached = isDetached
    self.merge = merge
    self.mailbox = mailbox
  }

  @inlinable var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Whether its actions are dropped. A sender may be used after the work has ended, so this also depends on the owner.
  @usableFromInline var dropsActions: Bool { isCancelled || owner.hasEnded }

  // MARK: Its task

  /// Creates a task for the work, on the preferred executor if there is one.
  @usableFromInline func createTask(on executor: (any TaskExecutor)?) {
    if isCancelled {
      // The work may retain this run.
      work = nil
      return
    }
    let priority = (group?.priority).flatMap { $0 == 0 ? nil : TaskPriority(rawValue: $0) }
    // The task is detached, because the thread that runs the pipeline may be in the task of another dispatch. A task
    // with an executor preference, even with `nil`, looks the executor up at each switch. No variable holds the
    // closure, because the compiler would then wrap it in further closures.
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
    table.share(taskOf: self, with: run)
    next = run
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
      if !run.isCancelled { await work(run) }
      guard let next = next.take() else { return }
      run = next
    }
  }

  // MARK: For a test store

  package var isFeed: Bool { kind == .feed }

  /// Whether the work of this feed waits for a message.
  package var awaitsMessage: Bool { mailbox?.isAwaited == true }

  /// The task that performs the work, once it exists.
  package var currentTask: Task<Void, Never>? { table.contents.withLock { _ in (taskRun ?? self).task } }
}

/// A middleware of a store, or a part of the state that it was lifted to, as the owner of its effects. The effects of
/// an owner end with the owner.
///
/// A part begins with its first effect. It ends when it is absent after an action. A part that appears later at the
/// same index or key is a new part. Effects, queued follow-up actions and senders of the part retain it. The store
/// refers to it weakly, and drops the empty reference at its next search for removed parts.
///
/// `@unchecked Sendable`: `runs` is used only under the lock of ``EffectTable``, and `openFeeds` and `updateFeeds` only
/// by the thread that runs the pipeline.
@usableFromInline final class EffectOwner: Hashable, @unchecked Sendable {
  /// The part; `nil` for a middleware.
  @usableFromInline let part: PartReference?
  /// The part or middleware that contains this part; `nil` for a middleware.
  let enclosing: EffectOwner?
  /// The bytes of the state whose change may remove the part, or a part of this middleware.
  let span: StateSpan
  /// The parts of the state to which the middleware was lifted.
  let liftPath: LiftPath
  /// Whether this part has left the state, or the middleware was removed from the store.
  private let ended = Atomic<Bool>(false)
  /// The effects that end with this part, while they are in the table.
  var runs: [ObjectIdentifier: EffectRun] = [:]
  /// The middleware's open feeds, by their keys. They retain this owner. ``end()`` removes them, which ends the cycle.
  var openFeeds: [EffectID: EffectRun] = [:]
  /// Opens and closes the middleware's feeds. It retains the pipeline until this owner ends.
  var updateFeeds: () -> Void = {}

  init(
    _ part: PartReference? = nil, in enclosing: EffectOwner? = nil, span: StateSpan = .whole,
    liftPath: LiftPath = .unknown
  ) {
    self.part = part
    self.enclosing = enclosing
    self.span = span
    self.liftPath = liftPath
  }

  /// Whether this owner, or one around it, has ended. Its effects then send nothing.
  @usableFromInline var hasEnded: Bool {
    ended.load(ordering: .acquiring) || (enclosing?.hasEnded ?? false)
  }

  /// Only the thread that runs the pipeline calls it.
  func end() {
    ended.store(true, ordering: .releasing)
    openFeeds = [:]
    updateFeeds = {}
  }

  /// The middleware.
  var middleware: EffectOwner { enclosing?.middleware ?? self }

  /// The ids of this part and of the parts around it, the outermost first.
  var ids: [EffectID] { (enclosing?.ids ?? []) + (part.map { [$0.id] } ?? []) }

  /// Calls `body` with this part and the parts around it; not at all for a middleware.
  func forEachPart(_ body: (EffectOwner) -> Void) {
    guard let enclosing else { return }
    body(self)
    enclosing.forEachPart(body)
  }

  @usableFromInline static func == (lhs: EffectOwner, rhs: EffectOwner) -> Bool { lhs === rhs }

  @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
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
  /// Whether the table must act when the group stops being live. It becomes true when a task first waits for the group,
  /// or when the table first contains the group by its ticket. Then it stays true.
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

  /// Subtracts one from the count. Returns true if the group is no longer live and is awaited. The caller must then
  /// call `EffectTable.Contents.resumeWaiters(of:into:)`.
  @inlinable func release() -> Bool {
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
      && isAwaited.load(ordering: .sequentiallyConsistent)
  }
}

/// The context of an effect: its middleware, its group, its ids, its delay, and its part of the state.
@usableFromInline struct EffectContext: Sendable {
  /// The innermost part around the effect, or the middleware.
  var innermost: EffectOwner
  let group: EffectGroup
  /// The ids that cancel the effect.
  var keys: [EffectKey] = []
  /// The ids whose running effects are cancelled when the effect starts.
  var replacedKeys: [EffectKey] = []
  /// The delays, which are added.
  var delays: [EffectDelay] = []
  var isDetached = false
  /// The number of the merged effect that it is a member of; 0 if there is none. The members of one effect with the
  /// same id do not replace each other.
  var merge: UInt64 = 0

  @usableFromInline init(owner: EffectOwner, group: EffectGroup) {
    innermost = owner
    self.group = group
  }

  /// The owner with which the effect ends.
  var owner: EffectOwner { isDetached ? innermost.middleware : innermost }

  /// Whether the owner has ended, so that the effect does not start.
  @usableFromInline var hasEnded: Bool { owner.hasEnded }

  /// The key of an id that is used here.
  func key(_ id: EffectID) -> EffectKey { EffectKey(owner: innermost.middleware, id: id.scoped(to: innermost.ids)) }

  /// Adds an id to the effect. An id that is added outside of a lift does not belong to the part of this lift.
  mutating func add(_ id: EffectID, replaces: Bool = false) {
    keys.append(key(id))
    if replaces { replacedKeys.append(key(id)) }
  }
}
