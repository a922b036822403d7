public import Synchronization

/// The running effects, and the tasks that wait for them.
///
/// An effect leaves the table when it ends or is cancelled. Tasks that wait for
/// a group are resumed when the group stops being live. One lock protects the
/// table. No closure is called and no reference is released under the lock.
/// Follow-up actions need no lock. Every operation on one effect is O(1) in the
/// number of others, except cancelling by id (O(effects with this id)), by
/// middleware and by group (O(effects)).
@usableFromInline
package final class EffectTable: Sendable {
  struct Contents {
    /// The runs: a doubly linked list, which holds a reference to each.
    var first: Unmanaged<EffectRun>?
    var keys: [EffectKey: [EffectRun]] = [:]
    /// Ended, with actions in the queue.
    var lingering: ContiguousArray<EffectRun> = []
    var tickets: [UInt64: EffectGroup] = [:]
    /// The groups that tasks wait for.
    var awaited: [ObjectIdentifier: EffectGroup] = [:]
    /// The number of runs that tasks wait for.
    var effects = 0
    var isClosed = false
    var idleWaiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The work after the lock was released.
  struct Aftermath {
    var chains: [EffectChain] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
    /// Forgotten, to be released.
    var runs: ContiguousArray<EffectRun> = []

    func carryOut() {
      for chain in chains { chain.cancel() }
      for waiter in waiters { waiter.resume() }
    }
  }

  let contents = Locked(Contents())
  @usableFromInline let closed = Atomic<Bool>(false)

  @usableFromInline package init() {}

  /// Whether the store is gone.
  @inlinable
  var isClosed: Bool { closed.load(ordering: .acquiring) }

  // MARK: Effects

  /// Registers an effect. False if the store is gone or its group was cancelled: then it must not start.
  @usableFromInline
  func register(_ run: EffectRun) -> Bool {
    let group = run.waitingGroup
    if let group { retain(.group(group)) }
    let isAccepted = contents.withLock { contents in
      if contents.isClosed || run.group?.isCancelled == true { return false }
      contents.insert(run)
      return true
    }
    if isAccepted { return true }
    run.cancelled.store(true, ordering: .releasing)
    if let group { release(.group(group)) }
    return false
  }

  /// Forgets an effect that has ended. Returns its task, for a successor, unless it was cancelled.
  @usableFromInline
  @discardableResult
  func end(_ run: EffectRun) -> EffectChain? {
    let isGone = contents.withLock { contents in
      // An effect without an id, for which nothing waits, is just unlinked.
      guard run.isRegistered, run.keys.isEmpty, run.part == nil, run.queued == 0, contents.idleWaiters.isEmpty else {
        return false
      }
      contents.unlink(run)
      return true
    }
    if !isGone { return endNamed(run) }
    let chain = run.detach()
    if let group = run.waitingGroup { release(.group(group)) }
    run.leaveList()
    return chain
  }

  private func endNamed(_ run: EffectRun) -> EffectChain? {
    let (chain, aftermath) = contents.withLock { contents in
      var aftermath = Aftermath()
      if run.isRegistered, run.queued > 0 { contents.lingering.append(run) }
      let chain = contents.remove(run, into: &aftermath)
      return (chain, aftermath)
    }
    aftermath.carryOut()
    return chain
  }

  /// Cancels one effect.
  @usableFromInline
  func cancel(_ run: EffectRun) {
    cancel { _ in [run] }
  }

  /// Cancels the effects with this id; none is no error.
  @usableFromInline
  func cancel(_ key: EffectKey) {
    cancel { contents in
      (contents.keys[key] ?? []) + contents.lingering.filter { $0.keys.contains(key) }
    }
  }

  /// Cancels the effects of parts that have left the state.
  @usableFromInline
  func cancel(_ parts: [EffectPart]) {
    cancel { contents in
      parts.flatMap { part in part.runs.values.map { $0.takeUnretainedValue() } }
        + contents.lingering.filter { $0.part?.hasEnded == true }
    }
  }

  /// Cancels the effects of a middleware that `isSelected` names by the ids of their parts.
  func cancel(owner: Int, where isSelected: @Sendable ([EffectID]) -> Bool) {
    cancel { contents in
      (contents.all + contents.lingering).filter {
        $0.owner == owner && $0.kind != .feed && isSelected($0.part?.ids ?? [])
      }
    }
  }

  /// Writes a message into the open feed with this key; false if there is none that takes it.
  @usableFromInline
  func write(_ message: any Sendable, to key: EffectKey) -> Bool {
    let mailboxes = contents.withLock { $0.keys[key]?.compactMap(\.mailbox) ?? [] }
    return mailboxes.contains { $0.write(message) }
  }

  /// Cancels what these middlewares started.
  @usableFromInline
  func cancel(owners: Set<Int>) {
    cancel { contents in
      (contents.all + contents.lingering).filter { owners.contains($0.owner) }
    }
  }

  /// Cancels a group's effects; what the group's waiting actions would start does not start either.
  func cancel(_ group: EffectGroup) {
    cancel { contents in
      group.isCancelled = true
      return (contents.all + contents.lingering).filter { $0.group === group }
    }
  }

  /// Cancels all effects, refuses new ones, and resumes all waiting tasks.
  @usableFromInline
  func close() {
    closed.store(true, ordering: .releasing)
    cancel { contents in
      contents.isClosed = true
      return contents.all
    }
    contents.withLock { contents in
      var aftermath = Aftermath()
      swap(&aftermath.waiters, &contents.idleWaiters)
      // The items in the queue are discarded, so the tasks that wait for them must be
      // resumed here.
      for group in contents.awaited.values {
        aftermath.waiters += group.waiters
        group.waiters = []
      }
      contents.awaited = [:]
      contents.tickets = [:]
      swap(&aftermath.runs, &contents.lingering)
      return aftermath
    }.carryOut()
  }

  private func cancel(_ select: @Sendable (inout Contents) -> some Sequence<EffectRun>) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      for run in select(&contents) {
        run.cancelled.store(true, ordering: .releasing)
        if let chain = contents.remove(run, into: &aftermath) { aftermath.chains.append(chain) }
        if run.queued > 0 { contents.lingering.removeAll { $0 === run } }
      }
      return aftermath
    }.carryOut()
  }

  // MARK: Groups

  /// Keeps live what an action that goes into the queue has come from.
  @inlinable
  func retain(_ origin: SendOrigin) {
    switch origin {
    // Live already: it is counted, and nothing else. A new one without a ticket has no entry in the table either.
    case .group(let group), .part(_, let group):
      if !group.retainLive() {
        if group.ticket == 0 { group.retain() } else { retainLocked(group) }
      }
    case .run(let run), .last(let run): retainLocked(run)
    case .outside: break
    }
  }

  /// The action was processed, or not taken.
  @inlinable
  func release(_ origin: SendOrigin) {
    switch origin {
    case .group(let group), .part(_, let group): if group.release() { finish(group) }
    case .run(let run), .last(let run): releaseLocked(run)
    case .outside: break
    }
  }

  @usableFromInline
  func retainLocked(_ group: EffectGroup) {
    contents.withLock { $0.retain(group) }
  }

  @usableFromInline
  func retainLocked(_ run: EffectRun) {
    contents.withLock { contents in
      run.queued += 1
      if let group = run.group { contents.retain(group) }
    }
  }

  @usableFromInline
  func releaseLocked(_ run: EffectRun) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      run.queued -= 1
      if run.queued == 0 && !run.isRegistered { contents.lingering.removeAll { $0 === run } }
      if let group = run.group, group.release() { contents.finish(group, into: &aftermath) }
      return aftermath
    }.carryOut()
  }

  @usableFromInline
  func finish(_ group: EffectGroup) {
    contents.withLock { contents in
      var aftermath = Aftermath()
      contents.finish(group, into: &aftermath)
      return aftermath
    }.carryOut()
  }

  /// The live group of the action with this queue number.
  func group(ticket: UInt64) -> EffectGroup? {
    contents.withLock { $0.tickets[ticket] }
  }

  /// Whether one of the group's effects runs or one of its actions waits.
  func isLive(_ group: EffectGroup) -> Bool {
    group.isLive
  }

  /// Returns when the group is not live.
  func wait(for group: EffectGroup) async {
    await withCheckedContinuation { continuation in
      let isDone = contents.withLock { contents in
        if !group.isLive || contents.isClosed { return true }
        // It sets the waiting mark before it looks again; a thread that releases counts
        // before it looks.
        group.isAwaited.store(true, ordering: .sequentiallyConsistent)
        if !group.isLive { return true }
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

  /// What runs now, the last begun last.
  package var running: [RunningEffect] {
    contents.withLock { $0.all.reversed().filter { $0.kind != .interval }.map(\.description) }
  }
}

extension EffectTable.Contents {
  /// The runs, the last registered first.
  var all: ContiguousArray<EffectRun> {
    var all: ContiguousArray<EffectRun> = []
    var place = first
    while let run = place?.takeUnretainedValue() {
      all.append(run)
      place = run.next
    }
    return all
  }

  /// Adds a run whose group counts it already.
  mutating func insert(_ run: EffectRun) {
    let link = Unmanaged.passRetained(run)
    run.next = first
    first?._withUnsafeGuaranteedRef { $0.previous = link }
    first = link
    run.isRegistered = true
    for key in run.keys { keys[key, default: []].append(run) }
    var part = run.part
    while let enclosing = part {
      enclosing.runs[ObjectIdentifier(run)] = Unmanaged.passUnretained(run)
      part = enclosing.enclosing
    }
    if run.kind == .effect { effects += 1 }
  }

  /// Takes a run out of the list, which then still has its reference.
  mutating func unlink(_ run: EffectRun) {
    run.isRegistered = false
    run.next?._withUnsafeGuaranteedRef { $0.previous = run.previous }
    if let previous = run.previous {
      previous._withUnsafeGuaranteedRef { $0.next = run.next }
    } else {
      first = run.next
    }
    run.next = nil
    run.previous = nil
    if run.kind == .effect { effects -= 1 }
  }

  /// Forgets a run, if it is registered; returns its task.
  mutating func remove(_ run: EffectRun, into aftermath: inout EffectTable.Aftermath) -> EffectChain? {
    guard run.isRegistered else { return nil }
    unlink(run)
    let chain = run.detach()
    for key in run.keys {
      keys[key]?.removeAll { $0 === run }
      if keys[key]?.isEmpty == true { keys[key] = nil }
    }
    var part = run.part
    while let enclosing = part {
      enclosing.runs[ObjectIdentifier(run)] = nil
      part = enclosing.enclosing
    }
    if let group = run.waitingGroup, group.release() { finish(group, into: &aftermath) }
    if effects == 0, !idleWaiters.isEmpty {
      aftermath.waiters += idleWaiters
      idleWaiters = []
    }
    // The caller that asked for the removal has a reference too.
    run.leaveList()
    return chain
  }

  mutating func retain(_ group: EffectGroup) {
    group.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if group.ticket > 0, !group.isAwaited.load(ordering: .relaxed) {
      group.isAwaited.store(true, ordering: .sequentiallyConsistent)
      tickets[group.ticket] = group
    }
  }

  /// Resumes the waiting tasks, unless the group is live again.
  mutating func finish(_ group: EffectGroup, into aftermath: inout EffectTable.Aftermath) {
    if group.isLive { return }
    group.isAwaited.store(false, ordering: .sequentiallyConsistent)
    if !group.waiters.isEmpty {
      aftermath.waiters += group.waiters
      group.waiters = []
      awaited[ObjectIdentifier(group)] = nil
    }
    if group.ticket > 0 { tickets[group.ticket] = nil }
  }
}
