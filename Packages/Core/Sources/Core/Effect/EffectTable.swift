import Synchronization

/// The effects that are running, and who waits for them.
///
/// An effect leaves by ending or by being cancelled, whichever is first; the
/// other is then a no-op. Those who wait for a group are resumed when it stops
/// being live. All of it is behind one lock, and nothing is called back or
/// released under the lock. Every operation on one effect is O(1) in the number
/// of others, but for cancelling by name (O(effects of that name)), by owner and
/// by group (O(effects)).
@usableFromInline
package final class EffectTable: Sendable {
  struct Contents {
    var runs: ContiguousArray<EffectRun> = []
    var keys: [EffectKey: [EffectRun]] = [:]
    /// Ended, with actions in the inbox.
    var lingering: ContiguousArray<EffectRun> = []
    var tickets: [UInt64: EffectGroup] = [:]
    /// Those for which someone waits.
    var awaited: [ObjectIdentifier: EffectGroup] = [:]
    /// How many of the runs are not feeds.
    var effects = 0
    var isClosed = false
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// What is to be done after the lock was released.
  struct Aftermath {
    var tasks: [Task<Void, Never>] = []
    var waiters: [CheckedContinuation<Void, Never>] = []

    func carryOut() {
      for task in tasks { task.cancel() }
      for waiter in waiters { waiter.resume() }
    }
  }

  let contents = Locked(Contents())

  @usableFromInline package init() {}

  // MARK: Effects

  /// Registers an effect. False if the store is gone or its group was cancelled: then it must not start.
  @usableFromInline
  func register(_ run: EffectRun) -> Bool {
    contents.withLock { contents in
      if contents.isClosed || run.group?.isCancelled == true { return false }
      if let group = run.group { contents.retain(group) }
      if let key = run.key { contents.keys[key, default: []].append(run) }
      run.slot = contents.runs.count
      contents.runs.append(run)
      if !run.isFeed { contents.effects += 1 }
      return true
    }
  }

  /// Attaches the task of a registered effect; cancels it if the effect was cancelled meanwhile.
  @usableFromInline
  func attach(_ task: Task<Void, Never>, to run: EffectRun) {
    let isGone = contents.withLock { _ in
      if run.slot < 0 { return true }
      run.task = task
      return false
    }
    if isGone && run.isCancelled { task.cancel() }
  }

  /// Forgets an effect that has ended.
  @usableFromInline
  func end(_ run: EffectRun) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      if run.slot >= 0, run.queued > 0 { contents.lingering.append(run) }
      run.task = nil
      contents.remove(run, into: &aftermath)
      return aftermath
    }.carryOut()
  }

  /// Cancels one effect.
  @usableFromInline
  func cancel(_ run: EffectRun) {
    cancel { _ in [run] }
  }

  /// Cancels the effects with this name; none is no error.
  @usableFromInline
  func cancel(_ key: EffectKey) {
    cancel { contents in
      (contents.keys[key] ?? []) + contents.lingering.filter { $0.key == key }
    }
  }

  /// Cancels what these middlewares started.
  @usableFromInline
  func cancel(owners: Set<Int>) {
    cancel { contents in
      (contents.runs + contents.lingering).filter { owners.contains($0.owner) }
    }
  }

  /// Cancels a group's effects; what the group's waiting actions would start does not start either.
  func cancel(_ group: EffectGroup) {
    cancel { contents in
      group.isCancelled = true
      return (contents.runs + contents.lingering).filter { $0.group === group }
    }
  }

  /// Cancels everything, for good, and lets nobody wait any longer.
  @usableFromInline
  func close() {
    cancel { contents in
      contents.isClosed = true
      return Array(contents.runs)
    }
    contents.withLock { contents in
      var aftermath = Aftermath()
      swap(&aftermath.waiters, &contents.idleWaiters)
      // What waits in the inbox is thrown away: nobody would tell those who wait for it.
      for group in contents.awaited.values {
        aftermath.waiters += group.waiters
        group.waiters = []
      }
      contents.awaited = [:]
      contents.tickets = [:]
      return aftermath
    }.carryOut()
  }

  private func cancel(_ select: @Sendable (inout Contents) -> some Sequence<EffectRun>) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      for run in select(&contents) {
        run.cancelled.store(true, ordering: .releasing)
        contents.remove(run, into: &aftermath)
        if run.queued > 0 { contents.lingering.removeAll { $0 === run } }
      }
      return aftermath
    }.carryOut()
  }

  // MARK: Groups

  /// Keeps live what a tracked action that goes into the inbox has come from.
  @usableFromInline
  func retain(_ context: ActionContext) {
    contents.withLock { contents in
      context.run?.queued += 1
      if let group = context.group { contents.retain(group) }
    }
  }

  /// The tracked action was processed, or not taken.
  @usableFromInline
  func release(_ context: ActionContext) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      if let run = context.run {
        run.queued -= 1
        if run.queued == 0 && run.slot < 0 { contents.lingering.removeAll { $0 === run } }
      }
      if let group = context.group { contents.release(group, into: &aftermath) }
      return aftermath
    }.carryOut()
  }

  /// The live group of the action with this inbox number.
  func group(ticket: UInt64) -> EffectGroup? {
    contents.withLock { $0.tickets[ticket] }
  }

  /// Whether one of the group's effects runs or one of its actions waits.
  func isLive(_ group: EffectGroup) -> Bool {
    contents.withLock { _ in group.count > 0 }
  }

  /// Returns when the group is not live.
  func wait(for group: EffectGroup) async {
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        if group.count == 0 || contents.isClosed { return true }
        group.waiters.append(continuation)
        contents.awaited[ObjectIdentifier(group)] = group
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Returns when no effect runs; feeds do not count.
  func waitUntilIdle() async {
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        if contents.effects == 0 { return true }
        contents.idleWaiters.append(continuation)
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  /// Whether no effect runs; feeds do not count.
  var isIdle: Bool { contents.withLock { $0.effects == 0 } }

  /// What runs now, in no particular order.
  package var running: [EffectRun] { contents.withLock { Array($0.runs) } }

  /// What runs now, each with its task if that is attached already.
  package var runningTasks: [(run: EffectRun, task: Task<Void, Never>?)] {
    contents.withLock { contents in contents.runs.map { ($0, $0.task) } }
  }
}

extension EffectTable.Contents {
  mutating func retain(_ group: EffectGroup) {
    if group.count == 0, group.ticket > 0 { tickets[group.ticket] = group }
    group.count += 1
  }

  mutating func release(_ group: EffectGroup, into aftermath: inout EffectTable.Aftermath) {
    group.count -= 1
    guard group.count == 0 else { return }
    if !group.waiters.isEmpty {
      aftermath.waiters += group.waiters
      group.waiters = []
      awaited[ObjectIdentifier(group)] = nil
    }
    if group.ticket > 0 { tickets[group.ticket] = nil }
  }

  mutating func remove(_ run: EffectRun, into aftermath: inout EffectTable.Aftermath) {
    guard run.slot >= 0 else { return }
    let last = runs.count - 1
    if run.slot != last {
      runs.swapAt(run.slot, last)
      runs[run.slot].slot = run.slot
    }
    runs.removeLast()
    run.slot = -1
    if let task = run.task {
      aftermath.tasks.append(task)
      run.task = nil
    }
    if let key = run.key {
      keys[key]?.removeAll { $0 === run }
      if keys[key]?.isEmpty == true { keys[key] = nil }
    }
    if let group = run.group { release(group, into: &aftermath) }
    if !run.isFeed {
      effects -= 1
      if effects == 0 {
        aftermath.waiters += idleWaiters
        idleWaiters = []
      }
    }
  }
}
