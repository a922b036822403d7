public import ReeluxCore

extension MainActorStore {
  /// Calls `observer` on the main actor with a field, immediately and after each change.
  ///
  /// Use it for UIKit, AppKit, a terminal or any other run loop:
  ///
  /// ```swift
  /// subscription = store.observe(\.title) { label.text = $0 }
  /// ```
  ///
  /// Observers are called after the trackers, in the order of their subscription, with the newest value. Values that
  /// were replaced before the main actor's turn are skipped. If this store sends an action, its observers are called
  /// before `send` returns. If an observer itself sends an action, it is called again after it has returned.
  ///
  /// After `cancel()` has returned on the main actor, the observer is not called again. The store releases it in the
  /// next turn of the main actor. Releasing the subscription cancels it.
  public func observe<Value: Equatable>(
    _ path: KeyPath<State, Value>, _ observer: @escaping @MainActor (Value) -> Void
  ) -> Subscription {
    observe(FieldObserver(read: { [weak self] in self?.shown[keyPath: path] }, areEqual: { $0 == $1 }, observer))
  }

  /// Calls `observer` on the main actor with the whole state, immediately and after each update.
  ///
  /// It compares nothing, so the observer is also called if the state is equal to the one before. The order of the
  /// calls and the end of the subscription are the same as for ``observe(_:_:)``.
  public func observe(_ observer: @escaping @MainActor (State) -> Void) -> Subscription {
    observe(FieldObserver(read: { [weak self] in self?.shown }, areEqual: { _, _ in false }, observer))
  }

  private func observe<Value>(_ observer: FieldObserver<Value>) -> Subscription {
    add(observer)
    return Subscription { [weak self, removal, lifetime = observer.lifetime] in
      lifetime.end()
      // One task removes all observers that are cancelled before it runs.
      if !removal.schedule() { return }
      Task.detached(priority: .high) { @MainActor [weak self] in self?.removeCancelledObservers() }
    }
  }
}

/// The task that removes cancelled observers. Any thread may schedule it.
final class Removal: Sendable {
  private let isScheduled = Locked(false)

  /// Returns false if the task is already scheduled.
  func schedule() -> Bool {
    isScheduled.withLock { isScheduled in
      defer { isScheduled = true }
      return !isScheduled
    }
  }

  func begin() { isScheduled.withLock { $0 = false } }
}

/// An observer of one field, which the store calls after an update.
@MainActor
protocol FieldObserving: AnyObject {
  var lifetime: Lifetime { get }
  func check()
}

/// An observer with the last value that it received.
final class FieldObserver<Value>: FieldObserving {
  let lifetime = Lifetime()
  private let read: () -> Value?
  private let areEqual: (Value, Value) -> Bool
  private let observer: (Value) -> Void
  private var last: Value?
  private var isRunning = false
  /// Whether there was an update since the last value was read.
  private var isUpdated = false

  init(
    read: @escaping () -> Value?, areEqual: @escaping (Value, Value) -> Bool,
    _ observer: @escaping @MainActor (Value) -> Void
  ) {
    self.read = read
    self.areEqual = areEqual
    self.observer = observer
  }

  /// Calls the observer until it has received the newest value.
  func check() {
    isUpdated = true
    if isRunning { return }
    isRunning = true
    defer { isRunning = false }
    while isUpdated, !lifetime.hasEnded {
      // The getter of the field may send an action, which is another update.
      isUpdated = false
      guard let value = read() else { return }
      if let last, areEqual(last, value) { continue }
      last = value
      observer(value)
    }
  }
}
