public import Synchronization

/// One started effect: what its sends carry, so that the store knows whom they came from.
///
/// States: *registered* (its task not yet attached), *running*, *lingering* (its
/// work has ended, but actions of it wait in the inbox, and can still be
/// cancelled), *gone*.
///
/// `@unchecked Sendable`: the variables are used under ``EffectTable``'s lock
/// only, but for `chain` and `source`, which the launching thread sets before it
/// says so in `progress`.
@usableFromInline
final class EffectRun: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  @usableFromInline let key: EffectKey?
  @usableFromInline let owner: Int
  @usableFromInline let group: EffectGroup?
  /// Where the effect was made, for messages about effects that did not end.
  @usableFromInline var source: ActionSource?
  /// Whether it is a feed, which lives as long as the state wants it and is not waited for.
  @usableFromInline let isFeed: Bool
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Whether the table holds it as running, and its neighbours there.
  var isRegistered = false
  var next: Unmanaged<EffectRun>?
  var previous: Unmanaged<EffectRun>?
  /// How many actions of it wait in the inbox.
  var queued = 0
  private var chain: EffectChain?
  private let progress = Atomic<UInt8>(unattached)

  private static let unattached: UInt8 = 0
  private static let attached: UInt8 = 1
  private static let detached: UInt8 = 2

  @usableFromInline
  init(in table: EffectTable, key: EffectKey?, owner: Int, group: EffectGroup?, isFeed: Bool) {
    self.table = table
    self.key = key
    self.owner = owner
    self.group = group
    self.isFeed = isFeed
  }

  @inlinable
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Keeps the task that does its work, to cancel it; cancels it now if the effect was cancelled meanwhile.
  ///
  /// To be called once, by the thread that launches it. Takes no lock.
  func attach(_ chain: EffectChain) {
    self.chain = chain
    let isFirst = progress.compareExchange(
      expected: Self.unattached, desired: Self.attached, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst { return }
    self.chain = nil
    if isCancelled { chain.cancel() }
  }

  /// Gives up the list's reference, after it was unlinked.
  func leaveList() {
    Unmanaged.passUnretained(self).release()
  }

  /// Gives the task away, if it is attached; by whoever unlinked it.
  func detach() -> EffectChain? {
    let old = progress.exchange(Self.detached, ordering: .acquiringAndReleasing)
    return old == Self.attached ? chain.take() : nil
  }

  /// Whether it has ended, or was cancelled.
  @usableFromInline
  var isDetached: Bool { progress.load(ordering: .acquiring) == Self.detached }

  /// What the effect is about, if its task is attached; under the table's lock.
  var description: RunningEffect {
    let isAttached = progress.load(ordering: .acquiring) == Self.attached
    return RunningEffect(isFeed: isFeed, source: isAttached ? source : nil, task: isAttached ? chain?.task : nil)
  }
}

/// What a test store says of an effect that is running.
package struct RunningEffect: Sendable {
  /// Whether it is a feed, which lives as long as the state wants it and is not waited for.
  package let isFeed: Bool
  /// Where it was made; `nil` before its task is.
  package let source: ActionSource?
  /// Its task, once there is one.
  package let task: Task<Void, Never>?
}

/// Everything that one dispatched action led to: effects, their actions, those actions' effects.
///
/// It is *live* while one of them runs or waits in the inbox.
///
/// `@unchecked Sendable`: the variables are used under ``EffectTable``'s lock only.
@usableFromInline
final class EffectGroup: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  /// The number under which the inbox knew the action, or 0 if it did not go through the inbox.
  @usableFromInline let ticket: UInt64
  /// How many of them run or wait.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether somebody must be told, or the ticket given back, when it stops being live.
  @usableFromInline let isAwaited = Atomic<Bool>(false)
  var isCancelled = false
  var waiters: [CheckedContinuation<Void, Never>] = []

  @usableFromInline
  init(in table: EffectTable, ticket: UInt64) {
    self.table = table
    self.ticket = ticket
  }

  @inlinable
  var isLive: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  /// Counts one more if it is live; false, and nothing changes, if it is not.
  @inlinable
  func retainLive() -> Bool {
    var old = count.load(ordering: .relaxed)
    while old > 0 {
      let result = count.compareExchange(expected: old, desired: old + 1, ordering: .sequentiallyConsistent)
      if result.exchanged { return true }
      old = result.original
    }
    return false
  }

  /// Counts one less; true if it is not live any more and somebody has to be told.
  @inlinable
  func release() -> Bool {
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
      && isAwaited.load(ordering: .sequentiallyConsistent)
  }
}
