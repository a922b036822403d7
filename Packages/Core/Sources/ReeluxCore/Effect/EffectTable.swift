public import Synchronization

/// The running effects, and the tasks that wait for them.
///
/// An effect leaves the table when it is cancelled, or when it has ended and none of its actions waits in the queue.
/// Tasks that wait for a group are resumed when the group stops being live. One lock protects the table. Under the lock
/// no code of the app is called, except `==` and `hash(into:)` of ids, and no last reference is released. Follow-up actions
/// usually need no lock. Every operation on one effect is O(1) in the number of other effects. The exceptions are
/// cancelling and ending an effect with an id (O(effects with this id)), and cancelling by middleware and by group
/// (O(effects)).
@usableFromInline package final class EffectTable: Sendable {
  struct Contents: ~Copyable {
    /// The running effects, and the ended ones whose actions wait in the queue.
    var runs: ContiguousArray<EffectRun> = []
    /// The number of effects that have been registered so far.
    var count: UInt64 = 0
    var keys: [EffectKey: [EffectRun]] = [:]
    var tickets: [UInt64: EffectGroup] = [:]
    /// The groups that tasks wait for.
    var awaited: [ObjectIdentifier: EffectGroup] = [:]
    /// The number of running effects, without feeds and intervals of throttles.
    var runningCount = 0
    /// The tasks that wait until no effect runs.
    var idleWaiters = WaitingTasks()
  }

  /// The work that follows after the lock has been released. When this value is destroyed, the waiting tasks resume.
  struct Aftermath: ~Copyable {
    /// The tasks that are to be cancelled.
    var tasks: [Task<Void, Never>] = []
    var waiters = WaitingTasks()
    /// Removed runs and keys that are to be released.
    var runs: ContiguousArray<EffectRun> = []
    var keys: [EffectKey] = []

    consuming func carryOut() {
      for task in tasks { task.cancel() }
    }
  }

  let contents = Locked(Contents())
  @usableFromInline let closed = Atomic<Bool>(false)

  @usableFromInline package init() {}

  /// Whether the store has been released.
  @inlinable var isClosed: Bool { closed.load(ordering: .acquiring) }

  // MARK: Effects

  /// Registers an effect. Returns false if the store has been released or the group was cancelled. The effect must then
  /// not start.
  @usableFromInline func register(_ run: EffectRun) -> Bool {
    let group = run.waitingGroup
    if let group { retain(group) }
    let isAccepted = contents.withLock { contents in
      if isClosed || run.group?.isCancelled == true { return false }
      contents.insert(run)
      return true
    }
    if isAccepted { return true }
    run.cancelled.store(true, ordering: .releasing)
    if let group { release(group) }
    return false
  }

  /// Removes an effect that has ended. Returns the effect whose task it used, for a successor, unless it was cancelled.
  @usableFromInline @discardableResult func end(_ run: EffectRun) -> EffectRun? {
    var taskRun: EffectRun?
    update { contents, aftermath in
      taskRun = run.queued > 0 ? contents.end(run, into: &aftermath) : contents.remove(run, into: &aftermath)
    }
    return taskRun
  }

  /// Cancels one effect.
  @usableFromInline func cancel(_ run: EffectRun) {
    cancel { _ in [run] }
  }

  /// Cancels the effects with this id, if there are any, and the interval of a throttle.
  @usableFromInline func cancel(_ key: EffectKey) {
    cancel { contents in contents.keys[key] ?? [] }
  }

  /// Cancels the effects with this id that are not parts of this merged effect. The interval of a throttle goes on.
  func replace(_ key: EffectKey, outside merge: UInt64) {
    cancel { contents in
      (contents.keys[key] ?? []).filter { $0.kind != .interval && (merge == 0 || $0.merge != merge) }
    }
  }

  /// Cancels the effects of parts that have left the state. Their actions in the queue are dropped later, because the
  /// parts have ended.
  @usableFromInline func cancel(_ parts: [EffectPart]) {
    cancel { _ in parts.flatMap(\.runs.values) }
  }

  /// Cancels the effects of these middlewares, without the detached ones, if `isSelected` accepts the ids of their
  /// parts.
  func cancel(partsOf owners: Set<EffectOwner>, where isSelected: @Sendable ([EffectID]) -> Bool) {
    cancel { contents in
      contents.all {
        owners.contains($0.owner) && $0.kind != .feed && !$0.isDetached && isSelected($0.part?.ids ?? [])
      }
    }
  }

  /// Writes a message to the open feed with this key. Returns false if no such feed accepts it.
  @usableFromInline func write(_ message: any Sendable, to key: EffectKey) -> Bool {
    let mailboxes = contents.withLock { $0.keys[key]?.compactMap(\.mailbox) ?? [] }
    return mailboxes.contains { $0.write(message) }
  }

  /// Cancels the effects and feeds of middlewares that are removed. Senders that are used later send nothing.
  @usableFromInline func cancel(owners: Set<EffectOwner>) {
    for owner in owners { owner.remove() }
    cancel { contents in
      contents.all { owners.contains($0.owner) }
    }
  }

  /// Cancels the effects of a group. Effects of its waiting actions do not start either.
  func cancel(_ group: EffectGroup) {
    cancel { contents in
      group.isCancelled = true
      return contents.all { $0.group === group }
    }
  }

  /// Cancels all effects, refuses new ones, and resumes all waiting tasks.
  @usableFromInline func close() {
    closed.store(true, ordering: .releasing)
    cancel { $0.all { _ in true } }
    update { contents, aftermath in
      aftermath.waiters.take(&contents.idleWaiters)
      // The items in the queue are discarded, so the tasks that wait for them must be resumed here.
      for group in contents.awaited.values { aftermath.waiters.take(&group.waiters) }
      contents.awaited = [:]
      contents.tickets = [:]
    }
  }

  private func cancel(_ select: @Sendable (inout Contents) -> some Sequence<EffectRun>) {
    update { contents, aftermath in
      aftermath.runs = ContiguousArray(select(&contents))
      for run in aftermath.runs {
        run.cancelled.store(true, ordering: .releasing)
        guard let taskRun = contents.remove(run, into: &aftermath) else { continue }
        taskRun.isTaskCancelled = true
        if let task = taskRun.task { aftermath.tasks.append(task) }
      }
    }
  }

  /// Changes the contents under the lock, and then does what follows.
  private func update(_ change: (inout Contents, inout Aftermath) -> Void) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      change(&contents, &aftermath)
      return aftermath
    }.carryOut()
  }

  /// Keeps the task of an effect, which was just created. Cancels it if the effect, or one that continues its task, was
  /// cancelled in the meantime.
  func keep(_ task: Task<Void, Never>, of run: EffectRun) {
    let isCancelled = contents.withLock { _ in
      run.task = task
      return run.isTaskCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Notes that an effect uses the task of another one. Returns false if the effect was cancelled before.
  func lend(taskOf owner: EffectRun, to run: EffectRun) -> Bool {
    contents.withLock { _ in
      if run.isCancelled { return false }
      run.taskRun = owner
      return true
    }
  }

  // MARK: Groups

  /// Keeps the origin of an action live while the action is in the queue.
  @inlinable func retain(_ origin: SendOrigin) {
    if let run = origin.run { retainLocked(run) } else if let group = origin.group { retain(group) }
  }

  /// Keeps a group live. A live group is only counted. A new group without a ticket has no entry in the table.
  @inlinable func retain(_ group: EffectGroup) {
    if group.retainLive() { return }
    if group.ticket == 0 { group.retain() } else { retainLocked(group) }
  }

  @inlinable func release(_ group: EffectGroup) {
    if group.release() { resumeWaiters(of: group) }
  }

  /// Releases the origin of an action that was processed or not accepted.
  @inlinable func release(_ origin: SendOrigin) {
    if let run = origin.run { releaseLocked(run) } else if let group = origin.group { release(group) }
  }

  @usableFromInline func retainLocked(_ group: EffectGroup) {
    contents.withLock { $0.retain(group) }
  }

  @usableFromInline func retainLocked(_ run: EffectRun) {
    contents.withLock { contents in
      run.queued += 1
      if let group = run.group { contents.retain(group) }
    }
  }

  @usableFromInline func releaseLocked(_ run: EffectRun) {
    update { contents, aftermath in
      run.queued -= 1
      if run.queued == 0 && run.hasEnded { _ = contents.remove(run, into: &aftermath) }
      if let group = run.group, group.release() { contents.resumeWaiters(of: group, into: &aftermath) }
    }
  }

  @usableFromInline func resumeWaiters(of group: EffectGroup) {
    update { contents, aftermath in contents.resumeWaiters(of: group, into: &aftermath) }
  }

  /// The live group of the action with this queue number.
  func group(ticket: UInt64) -> EffectGroup? {
    contents.withLock { $0.tickets[ticket] }
  }

  /// Returns when the group is no longer live.
  nonisolated(nonsending) func wait(for group: EffectGroup) async {
    if !group.isLive { return }
    await WaitingTasks.suspend { waiter in
      contents.withLock { contents in
        if !group.isLive || isClosed { return }
        // This thread sets `isAwaited` before it checks the count. A releasing thread changes the count before it
        // checks `isAwaited`.
        group.isAwaited.store(true, ordering: .sequentiallyConsistent)
        if !group.isLive { return }
        group.waiters.take(&waiter)
        contents.awaited[ObjectIdentifier(group)] = group
      }
    }
  }

  /// Returns when no effect runs. Feeds do not count.
  func waitUntilIdle() async {
    await WaitingTasks.suspend { waiter in
      contents.withLock { contents in
        if contents.runningCount > 0 { contents.idleWaiters.take(&waiter) }
      }
    }
  }

  /// Whether no effect runs. Feeds do not count.
  var isIdle: Bool { contents.withLock { $0.runningCount == 0 } }

  /// The running effects and feeds, the newest last.
  package var running: [RunningEffect] {
    contents.withLock { $0.all { $0.kind != .interval && !$0.hasEnded }.reversed().map(\.description) }
  }
}

extension EffectTable.Contents {
  /// The runs that match, the newest first.
  func all(where matches: (EffectRun) -> Bool) -> [EffectRun] {
    runs.filter(matches).sorted { $0.number > $1.number }
  }

  /// Adds a run that its group has already counted.
  mutating func insert(_ run: EffectRun) {
    run.index = runs.count
    run.number = count
    runs.append(run)
    count += 1
    for key in run.keys { keys[key, default: []].append(run) }
    var part = run.part
    while let enclosing = part {
      enclosing.runs[ObjectIdentifier(run)] = run
      part = enclosing.enclosing
    }
    if run.kind == .effect { runningCount += 1 }
  }

  /// Removes a run in O(1). The last run moves to its index.
  mutating func removeEntry(of run: EffectRun) {
    guard let index = run.index.take(), let last = runs.popLast() else { return }
    if last !== run {
      runs[index] = last
      last.index = index
    }
  }

  /// Ends a run if it runs. Returns the run whose task it used.
  mutating func end(_ run: EffectRun, into aftermath: inout EffectTable.Aftermath) -> EffectRun? {
    if run.index == nil || run.hasEnded { return nil }
    run.hasEnded = true
    if run.kind == .effect { runningCount -= 1 }
    if let group = run.waitingGroup, group.release() { resumeWaiters(of: group, into: &aftermath) }
    if runningCount == 0 { aftermath.waiters.take(&idleWaiters) }
    return run.taskRun ?? run
  }

  /// Ends and removes a run if it is registered. Returns the run whose task it used.
  mutating func remove(_ run: EffectRun, into aftermath: inout EffectTable.Aftermath) -> EffectRun? {
    let taskRun = end(run, into: &aftermath)
    if run.index == nil { return nil }
    removeEntry(of: run)
    for key in run.keys {
      keys[key]?.removeAll { $0 === run }
      // The table's key may be that of an earlier run. It may contain the last reference to an id of the app.
      if let index = keys.index(forKey: key), keys[index].value.isEmpty {
        aftermath.keys.append(keys.remove(at: index).key)
      }
    }
    var part = run.part
    while let enclosing = part {
      enclosing.runs[ObjectIdentifier(run)] = nil
      part = enclosing.enclosing
    }
    return taskRun
  }

  mutating func retain(_ group: EffectGroup) {
    group.retain()
    if group.ticket > 0, !group.isAwaited.load(ordering: .relaxed) {
      group.isAwaited.store(true, ordering: .sequentiallyConsistent)
      tickets[group.ticket] = group
    }
  }

  /// Resumes the waiting tasks, unless the group is live again.
  mutating func resumeWaiters(of group: EffectGroup, into aftermath: inout EffectTable.Aftermath) {
    if group.isLive { return }
    group.isAwaited.store(false, ordering: .sequentiallyConsistent)
    aftermath.waiters.take(&group.waiters)
    awaited[ObjectIdentifier(group)] = nil
    if group.ticket > 0 { tickets[group.ticket] = nil }
  }
}
