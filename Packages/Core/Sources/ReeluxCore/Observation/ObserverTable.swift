public import Synchronization

/// An observer: the bytes that it reads, and the closure to call.
@usableFromInline
final class Observer<State: Sendable>: Sendable {
  @usableFromInline let span: StateSpan
  @usableFromInline let notify: @Sendable (Lent<State>) -> Void
  /// Called once when the store is released, unless the observer was cancelled before.
  @usableFromInline let end: (@Sendable () -> Void)?
  @usableFromInline let isAlive = Atomic<Bool>(true)

  @inlinable
  init(
    span: StateSpan, end: (@Sendable () -> Void)?, notify: @escaping @Sendable (Lent<State>) -> Void
  ) {
    self.span = span
    self.end = end
    self.notify = notify
  }
}

/// The observers of a store, in the order of their subscription.
///
/// Only the thread that runs the pipeline uses it. Cancelled observers stay in the table until `sweep`, which is never
/// called during a notification. A notification can therefore iterate over its list without retaining the members.
@usableFromInline
struct ObserverTable<State: Sendable> {
  @usableFromInline var observers: ContiguousArray<Observer<State>> = []
  /// Changes whenever the list of observers to call may have changed.
  @usableFromInline var version: UInt64 = 1
  @usableFromInline var needsSweep = false

  @inlinable
  init() {}

  @inlinable
  mutating func append(_ observer: Observer<State>) {
    observers.append(observer)
    version += 1
  }

  @inlinable
  var isEmpty: Bool { observers.isEmpty }

  /// The observers that read any of these bytes, in their order.
  @inlinable
  func affected(by span: StateSpan) -> ContiguousArray<Observer<State>> {
    observers.filter { $0.span.overlaps(span) }
  }

  /// Removes the cancelled observers. The caller releases them when this is safe.
  @inlinable
  mutating func sweep() -> ContiguousArray<Observer<State>> {
    needsSweep = false
    let removed = observers.filter { !$0.isAlive.load(ordering: .relaxed) }
    guard !removed.isEmpty else { return [] }
    observers.removeAll { !$0.isAlive.load(ordering: .relaxed) }
    version += 1
    return ContiguousArray(removed)
  }
}
