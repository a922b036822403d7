/// The registration of an observer. It ends when it is cancelled or released.
///
/// Any thread may cancel it, more than once. After `cancel()` has returned, no
/// call of the observer begins. If another thread runs the pipeline, a call
/// that has begun may still be running.
public final class Subscription: Sendable {
  @usableFromInline let teardown: Locked<(@Sendable () -> Void)?>

  /// A subscription that calls `teardown` once, when it is cancelled or released.
  public init(_ teardown: @escaping @Sendable () -> Void) {
    self.teardown = Locked(teardown)
  }

  deinit {
    cancel()
  }

  /// Ends the subscription; a second call does nothing.
  public func cancel() {
    let work = teardown.withLock { $0.take() }
    work?()
  }

  /// Adds the subscription to a collection, which keeps it.
  public func store(in collection: SubscriptionCollection) {
    collection.insert(self)
  }

  /// Keeps the subscription for the lifetime of the store, also if this value
  /// is released.
  public func detach() {
    teardown.withLock { $0 = nil }
  }
}
