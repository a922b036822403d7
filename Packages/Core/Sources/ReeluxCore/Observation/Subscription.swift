/// The registration of an observer. It ends when it is cancelled or released.
///
/// Any thread may cancel it, also repeatedly. After `cancel()` has returned, the observer is not called again, with one
/// exception: if another thread runs the pipeline, one call may still start or be running.
public final class Subscription: Sendable {
  @usableFromInline let teardown: Locked<(@Sendable () -> Void)?>

  /// Creates a subscription that calls `teardown` once, when it is cancelled or released.
  public init(_ teardown: @escaping @Sendable () -> Void) {
    self.teardown = Locked(teardown)
  }

  deinit {
    cancel()
  }

  /// Ends the subscription. A second call has no effect.
  public func cancel() {
    let work = teardown.withLock { $0.take() }
    work?()
  }

  /// Adds the subscription to a collection, which retains it.
  public func store(in collection: SubscriptionCollection) {
    collection.insert(self)
  }

  /// Keeps the subscription for the lifetime of the store, even if this value is released.
  public func detach() {
    // The closure is released after the lock, because its captures may call code of the app.
    _ = teardown.withLock { $0.take() }
  }
}

/// Subscriptions that end together when the collection is released or emptied.
public final class SubscriptionCollection: Sendable {
  private let subscriptions = Locked<[Subscription]>([])

  /// Creates an empty collection.
  public init() {}

  deinit {
    cancelAll()
  }

  /// Adds a subscription.
  public func insert(_ subscription: Subscription) {
    subscriptions.withLock { $0.append(subscription) }
  }

  /// The number of subscriptions in the collection.
  public var count: Int { subscriptions.withLock { $0.count } }

  /// Cancels all subscriptions in the order in which they were added.
  public func cancelAll() {
    for subscription in subscriptions.withLock({ exchange(&$0, with: []) }) { subscription.cancel() }
  }
}
