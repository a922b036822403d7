/// An observer's membership; it ends when it is cancelled or released.
///
/// Cancelling is immediate and idempotent, and may be done from any thread. On
/// the pipeline's thread no call begins after `cancel()` has returned.
public final class Subscription: Sendable {
  @usableFromInline let teardown: Locked<(@Sendable () -> Void)?>

  /// A subscription that calls `teardown` once, when it is cancelled or released.
  public init(_ teardown: @escaping @Sendable () -> Void) {
    self.teardown = Locked(teardown)
  }

  deinit {
    cancel()
  }

  /// Ends it; a second call does nothing.
  public func cancel() {
    let work = teardown.withLock { $0.take() }
    work?()
  }

  /// Gives it to a collection, which keeps it.
  public func store(in collection: SubscriptionCollection) {
    collection.insert(self)
  }

  /// Lets the observer live as long as what it observes, whoever releases this.
  public func detach() {
    teardown.withLock { $0 = nil }
  }
}
