/// Subscriptions that end together: when the collection is released or emptied.
public final class SubscriptionCollection: Sendable {
  private let subscriptions = Locked<[Subscription]>([])

  /// An empty collection.
  public init() {}

  deinit {
    cancelAll()
  }

  /// Keeps a subscription.
  public func insert(_ subscription: Subscription) {
    subscriptions.withLock { $0.append(subscription) }
  }

  /// The number of subscriptions in the collection.
  public var count: Int { subscriptions.withLock { $0.count } }

  /// Cancels all subscriptions, in the order in which they were added.
  public func cancelAll() {
    let all = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    for subscription in all { subscription.cancel() }
  }
}
