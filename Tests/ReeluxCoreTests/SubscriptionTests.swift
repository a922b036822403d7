import ReeluxCore
import ReeluxTestSupport
import Testing

extension EmissionTests {
  @Test(.conformance(25)) func observersAreCalledInTheOrderOfTheirSubscription() {
    let store = Self.store()
    let order = Journal<Int>()
    var subscriptions = (0..<20).map { number in store.subscribe { _ in order.write(number) } }
    subscriptions.remove(at: 7).cancel()
    subscriptions.append(store.subscribe { _ in order.write(7) })
    order.clear()
    store.dispatch(.increment)
    #expect(order.entries == Array(0..<7) + Array(8..<20) + [7])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(25, 26)) func oneThatIsCancelledDuringARoundIsNotCalledAgain() {
    let store = Self.store()
    let order = Journal<Int>()
    let victims = Locked<[Subscription]>([])
    let killer = store.subscribe { state in
      order.write(0)
      if state.count == 1 { for victim in victims.withLock({ $0 }) { victim.cancel() } }
    }
    let second = store.subscribe { _ in order.write(1) }
    let third = store.subscribe { _ in order.write(2) }
    victims.withLock { $0 = [second, killer] }
    order.clear()
    store.dispatch(.increment)
    #expect(order.entries == [0, 2])
    store.dispatch(.increment)
    #expect(order.entries == [0, 2, 2])
    withExtendedLifetime(third) {}
  }

  @Test(.conformance(25)) func oneThatIsAddedDuringARoundGetsTheStateOnceAndJoinsTheNext() {
    let store = Self.store()
    let order = Journal<String>()
    let added = SubscriptionCollection()
    let first = store.subscribe { [weak store] state in
      order.write("first \(state.count)")
      if state.count == 1 {
        store?.subscribe { order.write("added \($0.count)") }.store(in: added)
      }
    }
    let second = store.subscribe { order.write("second \($0.count)") }
    order.clear()
    store.dispatch(.increment)
    #expect(order.entries == ["first 1", "added 1", "second 1"])
    order.clear()
    store.dispatch(.increment)
    #expect(order.entries == ["first 2", "second 2", "added 2"])
    withExtendedLifetime((first, second)) {}
  }

  @Test(.conformance(26)) func cancellingIsImmediateIdempotentAndTearsDownOnce() {
    let teardowns = Journal<Int>()
    do {
      let subscription = Subscription { teardowns.write(1) }
      subscription.cancel()
      subscription.cancel()
    }
    #expect(teardowns.count == 1)
    let store = Self.store()
    let seen = Journal<Int>()
    let subscription = store.subscribe { seen.write($0.count) }
    subscription.cancel()
    store.dispatch(.increment)
    #expect(seen.entries == [0])
  }

  @Test(.conformance(26)) func cancellingFromManyThreadsTearsDownOnce() async {
    for _ in 0..<50 {
      let teardowns = Journal<Int>()
      let subscription = Subscription { teardowns.write(1) }
      await onThread {
        let threads = (0..<4).map { _ in WorkThread { subscription.cancel() } }
        for thread in threads { thread.join() }
      }
      #expect(teardowns.count == 1)
    }
  }

  @Test(.conformance(26)) func anObserverMayCancelItself() {
    let store = Self.store()
    let seen = Journal<Int>()
    let own = SubscriptionCollection()
    store.subscribe { state in
      seen.write(state.count)
      if state.count == 1 { own.cancelAll() }
    }.store(in: own)
    #expect(own.count == 1)
    store.dispatch(.increment)
    store.dispatch(.increment)
    #expect(seen.entries == [0, 1])
    #expect(own.count == 0)
  }

  @Test(.conformance(27)) func releasingASubscriptionOrACollectionCancels() {
    let store = Self.store()
    let seen = Journal<String>()
    var subscription: Subscription? = store.subscribe { seen.write("one \($0.count)") }
    var collection: SubscriptionCollection? = SubscriptionCollection()
    for number in 0..<2 {
      let member = store.subscribe { seen.write("member \(number) \($0.count)") }
      if let collection { member.store(in: collection) }
    }
    #expect(collection?.count == 2)
    store.subscribe { seen.write("detached \($0.count)") }.detach()
    withExtendedLifetime((subscription, collection)) {}
    seen.clear()
    subscription = nil
    collection = nil
    store.dispatch(.increment)
    #expect(seen.entries == ["detached 1"])
  }
}
