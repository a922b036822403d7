public import Synchronization

/// One started effect. Its sends refer to it, so the store knows which effect sent an
/// action.
///
/// States: *registered* (its task not yet attached), *running*, *lingering* (its
/// work has ended, but actions of it wait in the queue, and can still be
/// cancelled), *gone*.
///
/// `@unchecked Sendable`: the variables are used under ``EffectTable``'s lock
/// only, but for `chain` and `source`, which the launching thread sets before it
/// says so in `progress`.
@usableFromInline
final class EffectRun: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  @usableFromInline let keys: [EffectKey]
  @usableFromInline let owner: Int
  /// The ids that cancel it; a feed has none.
  @usableFromInline let group: EffectGroup?
  /// The part of the state with which it ends.
  @usableFromInline let part: EffectPart?
  /// Where the effect was made, for messages about effects that did not end.
  @usableFromInline var source: ActionSource?
  @usableFromInline let kind: Kind
  /// The way into a feed that can be written to.
  @usableFromInline let mailbox: FeedMailbox?
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Whether the table holds it as running, and its neighbours there.
  var isRegistered = false
  var next: Unmanaged<EffectRun>?
  var previous: Unmanaged<EffectRun>?
  /// How many actions of it wait in the queue.
  var queued = 0
  private var chain: EffectChain?
  private let progress = Atomic<UInt8>(unattached)

  private static let unattached: UInt8 = 0
  private static let attached: UInt8 = 1
  private static let detached: UInt8 = 2

  @usableFromInline
  enum Kind: Sendable {
    case effect
    /// Open as long as the state asks for it. No task waits for it.
    case feed
    /// The rest of a throttle's interval, without work. No task waits for it.
    case interval
  }

  @usableFromInline
  init(
    in table: EffectTable, keys: [EffectKey] = [], owner: Int, group: EffectGroup?, part: EffectPart? = nil,
    kind: Kind = .effect, mailbox: FeedMailbox? = nil
  ) {
    self.table = table
    self.keys = keys
    self.owner = owner
    self.group = group
    self.part = part
    self.kind = kind
    self.mailbox = mailbox
  }

  /// The group that is live while it runs.
  var waitingGroup: EffectGroup? { kind == .effect ? group : nil }

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

  /// Returns the task, if it is attached; called by the code that unlinked the
  /// run.
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
    return RunningEffect(
      isFeed: kind == .feed, source: isAttached ? source : nil, task: isAttached ? chain?.task : nil)
  }
}

/// A running effect in a test store's messages.
package struct RunningEffect: Sendable {
  /// Whether it is a feed, which is open as long as the state asks for it.
  package let isFeed: Bool
  /// The place that made it; `nil` before its task is made.
  package let source: ActionSource?
  /// Its task, once there is one.
  package let task: Task<Void, Never>?
}
