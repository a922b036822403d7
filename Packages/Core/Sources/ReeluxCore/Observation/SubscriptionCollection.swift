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

  /// How many it keeps.
  public var count: Int { subscriptions.withLock { $0.count } }

  /// Cancels them all, in the order in which they came.
  public func cancelAll() {
    let all = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    for subscription in all { subscription.cancel() }
  }
}
