public import ReeluxCore

extension MainActorStore {
  /// Calls `observer` on the main actor with a field: now, and whenever it has become different.
  ///
  /// For UIKit, AppKit, a terminal or any other run loop:
  ///
  /// ```swift
  /// subscription = store.observe(\.title) { label.text = $0 }
  /// ```
  ///
  /// Observers are called in the order of their subscription, after the trackers, each with the newest value and never
  /// with an older one after a newer one. A value that was replaced before the main actor had its turn is left out. The
  /// effect of an own `send` arrives before `send` returns; if the observer itself sends, it is called again after it
  /// has returned.
  ///
  /// Cancelling on the main actor is immediate: no call begins after `cancel()` has returned. Releasing the subscription
  /// cancels it. The observer is kept by the store until then.
  public func observe<Value: Equatable>(
    _ path: KeyPath<State, Value>, _ observer: @escaping @MainActor (Value) -> Void
  ) -> Subscription {
    observe(FieldObserver(read: { [weak self] in self?.shown[keyPath: path] }, areEqual: { $0 == $1 }, observer))
  }

  /// Calls `observer` on the main actor with the whole state: now, and after each update.
  public func observe(_ observer: @escaping @MainActor (State) -> Void) -> Subscription {
    observe(FieldObserver(read: { [weak self] in self?.shown }, areEqual: { _, _ in false }, observer))
  }

  private func observe<Value>(_ observer: FieldObserver<Value>) -> Subscription {
    add(observer)
    return Subscription { [membership = observer.membership] in membership.end() }
  }
}

/// An observer of one field, as the store calls it after an update.
@MainActor
protocol FieldObserving: AnyObject {
  var isAlive: Bool { get }
  func check()
}

/// Whether an observer is to be called; any thread may end it.
final class Membership: Sendable {
  private let isAlive = Locked(true)

  var value: Bool { isAlive.withLock { $0 } }

  func end() { isAlive.withLock { $0 = false } }
}

/// The last value that an observer was called with.
final class FieldObserver<Value>: FieldObserving {
  let membership = Membership()
  private let read: () -> Value?
  private let areEqual: (Value, Value) -> Bool
  private let observer: (Value) -> Void
  private var last: Value?
  private var isRunning = false
  /// Counts the updates, for values that cannot be compared.
  private var updates = 0

  init(
    read: @escaping () -> Value?, areEqual: @escaping (Value, Value) -> Bool,
    _ observer: @escaping @MainActor (Value) -> Void
  ) {
    self.read = read
    self.areEqual = areEqual
    self.observer = observer
  }

  var isAlive: Bool { membership.value }

  /// Calls the observer until it has seen the newest value.
  func check() {
    updates += 1
    if isRunning { return }
    isRunning = true
    defer { isRunning = false }
    var seen = 0
    while seen != updates, isAlive, let value = read() {
      seen = updates
      if let last, areEqual(last, value) { continue }
      last = value
      observer(value)
    }
  }
}
