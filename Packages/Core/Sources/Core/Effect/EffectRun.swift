public import Synchronization

/// One started effect: what its sends carry, so that the store knows whom they came from.
///
/// States: *registered* (its task not yet attached), *running*, *lingering* (its
/// work has ended, but actions of it wait in the inbox, and can still be
/// cancelled), *gone*.
///
/// `@unchecked Sendable`: the variables are used under ``EffectTable``'s lock
/// only; the flag that others read is atomic.
@usableFromInline
package final class EffectRun: @unchecked Sendable {
  @usableFromInline let key: EffectKey?
  @usableFromInline let owner: Int
  @usableFromInline let group: EffectGroup?
  /// Where the effect was made, for messages about effects that did not end.
  @usableFromInline package let source: ActionSource
  /// Whether it is a feed, which lives as long as the state wants it and is not waited for.
  @usableFromInline package let isFeed: Bool
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Its place among the running effects, or -1.
  var slot = -1
  /// How many actions of it wait in the inbox.
  var queued = 0
  var task: Task<Void, Never>?

  @usableFromInline
  init(key: EffectKey?, owner: Int, group: EffectGroup?, source: ActionSource, isFeed: Bool) {
    self.key = key
    self.owner = owner
    self.group = group
    self.source = source
    self.isFeed = isFeed
  }

  @inlinable
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
}

/// Everything that one dispatched action led to: effects, their actions, those actions' effects.
///
/// It is *live* while one of them runs or waits in the inbox.
///
/// `@unchecked Sendable`: the variables are used under ``EffectTable``'s lock only.
@usableFromInline
package final class EffectGroup: @unchecked Sendable {
  /// The number under which the inbox knew the action, or 0 if it did not go through the inbox.
  @usableFromInline let ticket: UInt64
  var count = 0
  var isCancelled = false
  var waiters: [CheckedContinuation<Void, Never>] = []

  @usableFromInline
  init(ticket: UInt64) { self.ticket = ticket }
}
