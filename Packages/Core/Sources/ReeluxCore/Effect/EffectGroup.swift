public import Synchronization

/// Everything that one dispatched action led to: effects, their actions, those actions' effects.
///
/// It is *live* while one of them runs or waits in the queue.
///
/// `@unchecked Sendable`: the variables are used under ``EffectTable``'s lock only.
@usableFromInline
final class EffectGroup: @unchecked Sendable {
  @usableFromInline let table: EffectTable
  /// The priority of the dispatch that led to it.
  @usableFromInline let priority: UInt8
  /// Binds the task-local values that the store carries from that dispatch.
  @usableFromInline let locals: TaskLocalBinding?
  /// The number under which the queue knew the action, or 0 if it did not go through the queue.
  @usableFromInline let ticket: UInt64
  /// How many of them run or wait.
  @usableFromInline let count = Atomic<Int>(0)
  /// Whether a task waits for the group, or the ticket must be returned, when the group
  /// stops being live.
  @usableFromInline let isAwaited = Atomic<Bool>(false)
  var isCancelled = false
  var waiters: [CheckedContinuation<Void, Never>] = []

  @usableFromInline
  init(in table: EffectTable, ticket: UInt64, priority: UInt8 = 0, locals: TaskLocalBinding? = nil) {
    self.table = table
    self.ticket = ticket
    self.priority = priority
    self.locals = locals
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

  /// Counts one more.
  @inlinable
  func retain() {
    count.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// Counts one less; true if it is not live any more and `EffectTable.finish(_:)` must be called.
  @inlinable
  func release() -> Bool {
    count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0
      && isAwaited.load(ordering: .sequentiallyConsistent)
  }
}
