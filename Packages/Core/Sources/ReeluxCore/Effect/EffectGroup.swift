public import Synchronization

/// Everything that follows from one dispatched action: effects, their actions, the effects of these actions, and so on.
///
/// A group is *live* while one of its effects runs or one of its actions waits in the queue.
///
/// `@unchecked Sendable`: the variables are used only under the lock of ``EffectTable``.
@usableFromInline
final class EffectGroup: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  /// The priority of the dispatch.
  @usableFromInline let priority: UInt8
  /// Binds the task-local values that the store carries from the dispatch.
  @usableFromInline let locals: TaskLocalBinding?
  /// The queue's number of the action; 0 if it did not pass the queue.
  @usableFromInline let ticket: UInt64
  /// The number of running effects and waiting actions.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether a task waits for the group, or the ticket must be returned, when the group stops being live.
  @usableFromInline let isAwaited = Atomic<Bool>(false)
  var isCancelled = false
  /// The tasks that wait for the group.
  var waiters = WaitingTasks()
  /// Its index among the awaited groups of the table.
  var place: Int?

  @usableFromInline
  init(in table: EffectTable, ticket: UInt64, priority: UInt8 = 0, locals: TaskLocalBinding? = nil) {
    self.table = table
    self.ticket = ticket
    self.priority = priority
    self.locals = locals
  }

  @inlinable
  var isLive: Bool { count.load(ordering: .sequentiallyConsistent) > 0 }

  /// Adds one to the count if the group is live. Otherwise changes nothing and returns false.
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

  /// Adds one to the count.
  @inlinable
  func retain() {
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Subtracts one from the count. Returns true if the group is no longer live. The caller must then call
  /// `EffectTable.finish(_:)`.
  @inlinable
  func release() -> Bool {
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
      && isAwaited.load(ordering: .sequentiallyConsistent)
  }
}

/// The context of an effect: its middleware, its group, and its part of the state.
@usableFromInline
struct EffectContext: Sendable {
  @usableFromInline let owner: Int
  @usableFromInline let group: EffectGroup
  /// The parts around the effect, the outermost first.
  @usableFromInline var places: [PartPlace] = []
  /// Whether the effect ends with the innermost part.
  @usableFromInline var endsWithPart = false
  @usableFromInline var isDetached = false

  @inlinable
  init(owner: Int, group: EffectGroup) {
    self.owner = owner
    self.group = group
  }

  @usableFromInline
  func inside(_ place: PartPlace) -> EffectContext {
    var copy = self
    copy.places.append(place)
    copy.endsWithPart = !isDetached
    return copy
  }

  @usableFromInline
  var detached: EffectContext {
    var copy = self
    copy.isDetached = true
    copy.endsWithPart = false
    return copy
  }

  @usableFromInline
  func key(_ id: EffectID, isFeed: Bool = false) -> EffectKey {
    EffectKey(owner: owner, id: id.scoped(to: places), isFeed: isFeed)
  }
}
