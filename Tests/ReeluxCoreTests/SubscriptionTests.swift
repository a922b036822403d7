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

  /// The provider breaks the rule that no observer is called concurrently. The selection is still safe.
  @Test func aSelectionOfAProviderThatCallsItConcurrentlyKeepsWholeValues() async {
    let names = ConcurrentNames()
    let seen = Locked<Set<String>>([])
    let subscription = names.select { $0 + "!" }.subscribe { name in seen.withLock { _ = $0.insert(name) } }
    let words = (0..<4).map { "a text that needs memory of its own, number \($0)" }
    await withTaskGroup(of: Void.self) { group in
      for word in words { group.addTask { for _ in 0..<10_000 { names.set(word) } } }
    }
    subscription.cancel()
    #expect(seen.withLock { $0 } == Set(words.map { $0 + "!" } + ["!"]))
    #expect(names.select { $0.count }.state == words[0].count)
  }
}

/// A provider of an app. Each thread that sets the state calls the observers.
private final class ConcurrentNames: StateProvider {
  private struct Contents {
    var name = ""
    var observers: [Int: @Sendable (String) -> Void] = [:]
    var count = 0
  }

  private let contents = Locked(Contents())

  var state: String { contents.withLock { $0.name } }

  func set(_ name: String) {
    let observers = contents.withLock { contents in
      contents.name = name
      return Array(contents.observers.values)
    }
    for observer in observers { observer(name) }
  }

  func subscribe(
    end: @escaping @Sendable () -> Void, _ observer: @escaping @Sendable (String) -> Void
  ) -> Subscription {
    let (number, name) = contents.withLock { contents in
      contents.count += 1
      contents.observers[contents.count] = observer
      return (contents.count, contents.name)
    }
    observer(name)
    return Subscription { [weak self] in self?.contents.withLock { _ = $0.observers.removeValue(forKey: number) } }
  }
}
