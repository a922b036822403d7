public import Synchronization

/// The running effects, and the tasks that wait for them.
///
/// An effect leaves the table when it is cancelled, or when it has ended and none of its actions waits in the queue.
/// Tasks that wait for a group are resumed when the group stops being live. One lock protects the table. Under the lock
/// no code of the app is called, except `==` and `hash(into:)` of ids, and no last reference is released. Follow-up
/// actions usually need no lock. Every operation on one effect is O(1) in the number of other effects. The exceptions
/// are cancelling and ending an effect with an id (O(effects with this id)), and cancelling by middleware and by group
/// (O(effects)).
@usableFromInline package final class EffectTable: Sendable {
  struct Contents: ~Copyable {
    /// The running effects, and the ended ones whose actions wait in the queue.
    var runs: ContiguousArray<EffectRun> = []
    var keys: [EffectKey: [EffectRun]] = [:]
    var tickets: [UInt64: EffectGroup] = [:]
    /// The numbers of actions that were cancelled while they waited in the queue.
    var cancelledTickets: Set<UInt64> = []

    /// A running effect; `nil` if there are only feeds and intervals of throttles.
    var runningEffect: EffectRun? { runs.first { $0.kind == .effect && !$0.hasEnded } }
  }

  /// The work that follows when the lock has been released. `deinit` cancels `tasks`. Then the properties are released,
  /// which resumes `waiters`.
  struct AfterUnlock: ~Copyable {
    /// The tasks that are to be cancelled.
    var tasks: [Task<Void, Never>] = []
    var waiters = WaitingTasks()
    /// Removed runs, keys and waiting effects that are to be released.
    var runs: [EffectRun] = []
    var waiting: [EffectRun.Waiting] = []
    var keys: [EffectKey] = []

    deinit {
      for task in tasks { task.cancel() }
    }
  }

  /// The wait for the store's queue. A closure in a mutex must be the property of a struct: each read of a closure that
  /// is the whole value would replace it by a closure that calls the old one.
  struct QueueWait {
    /// Returns when everything that is now in the store's queue has been processed.
    var wait: @Sendable () async -> Void = {}
  }

  let contents = Locked(Contents())
  @usableFromInline let closed = Atomic<Bool>(false)
  /// The store sets it when it is created.
  let queueWait = Locked(QueueWait())

  @usableFromInline package init() {}

  /// Whether the store has been released.
  @inlinable var isClosed: Bool { closed.load(ordering: .acquiring) }

  // MARK: Effects

  /// Registers an effect. Returns false if the store has been released, the owner has ended, or the group was
  /// cancelled. The effect must then not start.
  @usableFromInline func register(_ run: EffectRun) -> Bool {
    if let group = run.group { retain(group) }
    let isAccepted = contents.withLock { contents in
      if isClosed || run.owner.hasEnded || run.group?.isCancelled == true { return false }
      contents.insert(run)
      return true
    }
    if isAccepted { return true }
    run.cancelled.store(true, ordering: .releasing)
    if let group = run.group { release(group) }
    return false
  }

  /// Whether an effect of this owner and group may start.
  func accepts(_ owner: EffectOwner, _ group: EffectGroup) -> Bool {
    contents.withLock { contents in
      !isClosed && !owner.hasEnded && !group.isCancelled && !contents.cancelledTickets.contains(group.ticket)
    }
  }

  /// Ends an effect, and removes it unless one of its actions waits in the queue. Returns the effect whose task it
  /// used, for a successor, unless it was cancelled.
  @usableFromInline @discardableResult func end(_ run: EffectRun) -> EffectRun? {
    var taskRun: EffectRun?
    update { contents, afterUnlock in
      taskRun = run.queued > 0 ? contents.end(run, into: &afterUnlock) : contents.remove(run, into: &afterUnlock)
    }
    return taskRun
  }

  /// Cancels the effects that `select` returns. `select` is called under the lock.
  func cancel(_ select: @Sendable (inout Contents) -> some Sequence<EffectRun>) {
    update { contents, afterUnlock in
      afterUnlock.runs = Array(select(&contents))
      // Of the effects with one id, the newest ends first.
      for run in afterUnlock.runs.reversed() {
        run.cancelled.store(true, ordering: .releasing)
        guard let taskRun = contents.remove(run, into: &afterUnlock) else { continue }
        taskRun.isTaskCancelled = true
        if let task = taskRun.task { afterUnlock.tasks.append(task) }
      }
    }
  }

  /// Cancels one effect.
  @usableFromInline func cancel(_ run: EffectRun) {
    cancel { _ in [run] }
  }

  /// Cancels the effects with this id, if there are any, and the interval of a throttle.
  @usableFromInline func cancel(_ key: EffectKey) {
    cancel { contents in contents.keys[key] ?? [] }
  }

  /// Cancels the effects of a group. Effects of its waiting actions do not start either.
  func cancel(_ group: EffectGroup) {
    cancel { contents in
      group.isCancelled = true
      return contents.runs.filter { $0.group === group }
    }
  }

  /// Cancels the effects of the action with this queue number. If it waits in the queue, its tasks do not start.
  func cancel(ticket: UInt64) {
    cancel { contents -> [EffectRun] in
      guard let group = contents.tickets[ticket] else {
        contents.cancelledTickets.insert(ticket)
        return []
      }
      group.isCancelled = true
      return contents.runs.filter { $0.group === group }
    }
  }

  /// Removes the number of a cancelled action, which has left the queue.
  func forget(ticket: UInt64) {
    contents.withLock { _ = $0.cancelledTickets.remove(ticket) }
  }

  /// Cancels all effects and refuses new ones.
  @usableFromInline func close() {
    closed.store(true, ordering: .releasing)
    cancel { $0.runs }
  }

  // MARK: Throttles

  /// The open interval of the throttle with this key.
  func interval(_ key: EffectKey) -> EffectRun? {
    contents.withLock { $0.keys[key]?.last { $0.kind == .interval } }
  }

  /// Stores an effect that starts at the end of an interval, and ends the effect that was stored before.
  func postpone(_ run: EffectRun, to interval: EffectRun, _ begin: @escaping @Sendable () -> Void) {
    let replaced = contents.withLock { _ -> EffectRun.Waiting? in
      // Another thread may have cancelled the effect since it was registered.
      if run.index == nil { return nil }
      run.interval = interval
      return exchange(&interval.waiting, with: (run, begin))
    }
    if let replaced { end(replaced.run) }
  }

  /// Ends an interval. Returns the effect that waits for its end.
  func endInterval(_ interval: EffectRun) -> EffectRun.Waiting? {
    let waiting = contents.withLock { _ in interval.waiting.take() }
    end(interval)
    return waiting
  }

  /// Changes the contents under the lock. The ``AfterUnlock`` is destroyed after the lock has been released.
  private func update(_ change: (inout Contents, inout AfterUnlock) -> Void) {
    _ = contents.withLock { contents in
      var afterUnlock = AfterUnlock()
      change(&contents, &afterUnlock)
      return afterUnlock
    }
  }

  /// Stores the new task of an effect. Cancels it if the effect, or one that continues its task, was
  /// cancelled in the meantime.
  func keep(_ task: Task<Void, Never>, of run: EffectRun) {
    let isCancelled = contents.withLock { _ in
      run.task = task
      return run.isTaskCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Stores that an effect uses the task of another one.
  func share(taskOf taskRun: EffectRun, with run: EffectRun) {
    contents.withLock { _ in run.taskRun = taskRun }
  }

  // MARK: Groups

  /// Keeps the origin of an action live while the action is in the queue.
  @usableFromInline func retain(_ origin: SendOrigin) {
    if let group = origin.group { retain(group) }
    if let run = origin.run { contents.withLock { _ in run.queued += 1 } }
  }

  /// Releases the origin of an action that was processed or not accepted.
  @usableFromInline func release(_ origin: SendOrigin) {
    if let run = origin.run {
      update { contents, afterUnlock in
        run.queued -= 1
        if run.queued == 0 && run.hasEnded { _ = contents.remove(run, into: &afterUnlock) }
      }
    }
    if let group = origin.group { release(group) }
  }

  /// Keeps a group live. If it is live already, only its count changes. A new group without a ticket has no entry in
  /// the table.
  @usableFromInline func retain(_ group: EffectGroup) {
    let isLive = group.count.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue > 0
    if isLive || group.ticket == 0 { return }
    contents.withLock { contents in
      group.isAwaited.store(true, ordering: .sequentiallyConsistent)
      contents.tickets[group.ticket] = group
      if contents.cancelledTickets.contains(group.ticket) { group.isCancelled = true }
    }
  }

  @usableFromInline func release(_ group: EffectGroup) {
    if group.release() {
      update { contents, afterUnlock in contents.resumeWaiters(of: group, into: &afterUnlock) }
    }
  }

  /// The live group of the action with this queue number.
  func group(ticket: UInt64) -> EffectGroup? {
    contents.withLock { $0.tickets[ticket] }
  }

  /// Returns when the group is no longer live.
  nonisolated(nonsending) func wait(for group: EffectGroup) async {
    if !group.isLive { return }
    await WaitingTasks.suspend { waiter in
      contents.withLock { _ in
        // This thread sets `isAwaited` before it checks the count. A releasing thread changes the count before it
        // checks `isAwaited`.
        group.isAwaited.store(true, ordering: .sequentiallyConsistent)
        if !group.isLive { return }
        group.waiters.take(&waiter)
      }
    }
  }

  /// Returns when no effect runs. Feeds do not count.
  func waitUntilIdle() async {
    while let group = contents.withLock({ $0.runningEffect?.group }) { await wait(for: group) }
  }

  /// Whether no effect runs. Feeds do not count.
  var isIdle: Bool { contents.withLock { $0.runningEffect == nil } }

  /// The running effects and feeds.
  package var running: [EffectRun] {
    contents.withLock { $0.runs.filter { $0.kind != .interval && !$0.hasEnded } }
  }
}

extension EffectTable.Contents {
  /// Adds a run that its group has already counted.
  mutating func insert(_ run: EffectRun) {
    run.index = runs.count
    runs.append(run)
    for key in run.keys { keys[key, default: []].append(run) }
    run.owner.forEachPart { $0.runs[ObjectIdentifier(run)] = run }
  }

  /// Ends a run if it runs. Returns the run whose task it used.
  mutating func end(_ run: EffectRun, into afterUnlock: inout EffectTable.AfterUnlock) -> EffectRun? {
    if run.hasEnded { return nil }
    run.hasEnded = true
    if let group = run.group, group.release() { resumeWaiters(of: group, into: &afterUnlock) }
    return run.taskRun ?? run
  }

  /// Ends and removes a run if it is registered. Returns the run whose task it used.
  mutating func remove(_ run: EffectRun, into afterUnlock: inout EffectTable.AfterUnlock) -> EffectRun? {
    let taskRun = end(run, into: &afterUnlock)
    guard let index = run.index.take(), let last = runs.popLast() else { return nil }
    if last !== run {
      // The last run moves, so this costs O(1).
      runs[index] = last
      last.index = index
    }
    for key in run.keys {
      guard let index = keys.index(forKey: key) else { continue }
      // Effects usually end in the order of their start, so the search is short.
      if let place = keys.values[index].firstIndex(where: { $0 === run }) { keys.values[index].remove(at: place) }
      // The table's key may be that of an earlier run. It may contain the last reference to an id of the app.
      if keys[index].value.isEmpty { afterUnlock.keys.append(keys.remove(at: index).key) }
    }
    run.owner.forEachPart { $0.runs[ObjectIdentifier(run)] = nil }
    if let waiting = run.waiting { _ = remove(waiting.run, into: &afterUnlock) }
    if let interval = run.interval.take(), let waiting = interval.waiting, waiting.run === run {
      afterUnlock.waiting.append(waiting)
      interval.waiting = nil
    }
    return taskRun
  }

  /// Resumes the waiting tasks, unless the group is live again.
  mutating func resumeWaiters(of group: EffectGroup, into afterUnlock: inout EffectTable.AfterUnlock) {
    if group.isLive { return }
    afterUnlock.waiters.take(&group.waiters)
    tickets[group.ticket] = nil
  }
}
