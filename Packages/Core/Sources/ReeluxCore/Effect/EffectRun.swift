public import Synchronization

/// A started effect. Its senders refer to it, so that the store knows which effect sent an action.
///
/// Its states are *registered* (it has no task yet), *running*, *lingering* (its work has ended, but its actions wait
/// in the queue and can still be cancelled) and *gone*.
///
/// `@unchecked Sendable`: the variables are used only under the lock of ``EffectTable``, except `chain`. The launching
/// thread sets it before it sets `progress`.
@usableFromInline
final class EffectRun: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  @usableFromInline let keys: [EffectKey]
  @usableFromInline let owner: Int
  /// The ids that cancel the effect. A feed has none.
  @usableFromInline let group: EffectGroup?
  /// The part of the state with which the effect ends.
  @usableFromInline let part: EffectPart?
  /// The place that created the effect, for messages about effects that did not end.
  @usableFromInline let source: ActionSource?
  @usableFromInline let kind: Kind
  /// The mailbox of a feed that accepts messages.
  @usableFromInline let mailbox: FeedMailbox?
  @usableFromInline let cancelled = Atomic<Bool>(false)
  /// Its index in the table while it runs.
  var place: Int?
  /// How many were registered before it.
  var number: UInt64 = 0
  /// The number of its actions in the queue.
  var queued = 0
  private var chain: EffectChain?
  private let progress = Atomic<UInt8>(unattached)

  private static let unattached: UInt8 = 0
  private static let attached: UInt8 = 1
  private static let detached: UInt8 = 2

  @usableFromInline
  enum Kind: Sendable {
    case effect
    /// A feed, which is open as long as the state requires it. No task waits for it.
    case feed
    /// The rest of a throttle's interval, without work. No task waits for it.
    case interval
  }

  @usableFromInline
  init(
    in table: EffectTable, keys: [EffectKey] = [], owner: Int, group: EffectGroup?, part: EffectPart? = nil,
    source: ActionSource? = nil, kind: Kind = .effect, mailbox: FeedMailbox? = nil
  ) {
    self.table = table
    self.keys = keys
    self.owner = owner
    self.group = group
    self.part = part
    self.source = source
    self.kind = kind
    self.mailbox = mailbox
  }

  /// The group that is live while the effect runs.
  var waitingGroup: EffectGroup? { kind == .effect ? group : nil }

  @inlinable
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Stores the task of the work, so that it can be cancelled. Cancels it immediately if the effect was cancelled in
  /// the meantime.
  ///
  /// The launching thread calls this once. It takes no lock.
  func attach(_ chain: EffectChain) {
    self.chain = chain
    let isFirst = progress.compareExchange(
      expected: Self.unattached, desired: Self.attached, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst { return }
    self.chain = nil
    if isCancelled { chain.cancel() }
  }

  /// Returns the task, if it is attached; called by the code that removed the run.
  func detach() -> EffectChain? {
    let old = progress.exchange(Self.detached, ordering: .acquiringAndReleasing)
    return old == Self.attached ? chain.take() : nil
  }

  /// Whether the effect has ended or was cancelled.
  @usableFromInline
  var isDetached: Bool { progress.load(ordering: .acquiring) == Self.detached }

  /// The description of the effect, if its task exists. It is called under the table's lock.
  var description: RunningEffect {
    let isAttached = progress.load(ordering: .acquiring) == Self.attached
    return RunningEffect(
      isFeed: kind == .feed, source: isAttached ? source : nil, task: isAttached ? chain?.task : nil)
  }
}

/// A running effect, for the messages of a test store.
package struct RunningEffect: Sendable {
  /// Whether this is a feed, which is open as long as the state requires it.
  package let isFeed: Bool
  /// The place that created the effect; `nil` before its task is created.
  package let source: ActionSource?
  /// The task, once it exists.
  package let task: Task<Void, Never>?
}
