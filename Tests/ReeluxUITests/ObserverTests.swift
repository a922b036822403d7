import Dispatch
import ReeluxCore
import ReeluxTestSupport
import ReeluxUI
import Testing

/// Delivery of states on the main actor, for any run loop.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct ObserverTests {
  @Test(.conformance(23)) func anObserverIsCalledWithTheValueAndEachChange() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    var values: [Int] = []
    let subscription = view.observe(\.count) {
      dispatchPrecondition(condition: .onQueue(.main))
      values.append($0)
    }
    await Changes().after { shelf.dispatch(.count(1)) }
    await Changes().after { shelf.dispatch(.title("another field")) }
    await Changes().after { shelf.dispatch(.count(2)) }
    #expect(values == [0, 1, 2])
    subscription.cancel()
  }

  @Test(.conformance(25)) func observersAreCalledInTheOrderOfTheirSubscription() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    let subscriptions = SubscriptionCollection()
    for name in ["first", "second", "third"] {
      view.observe(\.count) { changes.note("\(name) \($0)") }.store(in: subscriptions)
    }
    view.send(.count(1))
    #expect(changes.names == ["first 0", "second 0", "third 0", "first 1", "second 1", "third 1"])
  }

  @Test(.conformance(25)) func observersOfPartsAreCalledInTheOrderOfTheirSubscription() {
    let view = MainActorStore(Shelf.store())
    view.send(.open(Shelf.Sheet(id: 1)))
    let address = view.projection(action: { (city: String) in .city(city) }, state: \.address)
    let sheet = view.projection(action: Shelf.Action.sheet, optional: \.sheet)
    let changes = Changes()
    let subscriptions = SubscriptionCollection()
    for round in 1...5 {
      view.observe { _ in changes.note("view \(round)") }.store(in: subscriptions)
      sheet?.observe { _ in changes.note("sheet \(round)") }.store(in: subscriptions)
      address.observe { _ in changes.note("address \(round)") }.store(in: subscriptions)
    }
    let subscribed = changes.names
    view.send(.count(1))
    #expect(subscribed.count == 15)
    #expect(changes.names == subscribed + subscribed)
  }

  @Test func anObserverIsCalledOnceForASendThatCallsATracker() async {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("tracker") { view.count }
    let subscription = view.observe { changes.note("\($0.count)") }
    view.send(.count(1))
    await changes.turn()
    #expect(changes.names == ["0", "tracker", "1"])
    subscription.cancel()
  }

  @Test(.conformance(26)) func noCallBeginsAfterCancelReturned() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    var count = 0
    let subscription = view.observe(\.count) { _ in count += 1 }
    // The turn is already scheduled when the subscription is cancelled.
    shelf.dispatch(.count(1))
    subscription.cancel()
    subscription.cancel()
    await Changes().turn()
    #expect(count == 1)
  }

  @Test(.conformance(25)) func anObserverThatIsCancelledByAnEarlierOneIsNotCalled() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    var second: Subscription?
    let first = view.observe(\.count) { count in
      changes.note("first \(count)")
      if count == 1 { second?.cancel() }
    }
    second = view.observe(\.count) { changes.note("second \($0)") }
    view.send(.count(1))
    #expect(changes.names == ["first 0", "second 0", "first 1"])
    first.cancel()
  }

  @Test(.conformance(27)) func releasingTheSubscriptionCancels() {
    let view = MainActorStore(Shelf.store())
    var count = 0
    var subscription: Subscription? = view.observe(\.count) { _ in count += 1 }
    #expect(subscription != nil)
    subscription = nil
    view.send(.count(1))
    #expect(count == 1)
  }

  @Test func aCancelledObserverIsReleasedInTheNextTurn() async {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    let (label, subscription) = Self.observe(view)
    #expect(label.object != nil)
    subscription.cancel()
    await changes.turn()
    #expect(label.object == nil)
  }

  /// An observer that refers to an object.
  private static func observe(
    _ view: MainActorStore<Shelf.Action, Shelf>
  ) -> (label: WeakReference<Changes>, subscription: Subscription) {
    let label = Changes()
    return (WeakReference(label), view.observe(\.count) { label.note("\($0)") })
  }

  @Test(.conformance(12)) func anObserverThatSendsIsCalledAgainAfterItHasReturned() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    let first = view.observe(\.count) { count in
      changes.note("begin \(count)")
      if count == 1 { view.send(.count(2)) }
      changes.note("end \(count)")
    }
    let second = view.observe(\.count) { changes.note("second \($0)") }
    changes.note("-")
    view.send(.count(1))
    #expect(
      changes.names == [
        "begin 0", "end 0", "second 0", "-", "begin 1", "second 2", "end 1", "begin 2", "end 2",
      ])
    first.cancel()
    second.cancel()
  }

  @Test func aSelectionCanBeObservedOnTheMainActor() async {
    let shelf = Shelf.store()
    let titles = MainActorStore(observing: shelf.select(\.title))
    var values: [String] = []
    let subscription = titles.observe { values.append($0) }
    await Changes().after { shelf.dispatch(.title("Metropolis")) }
    #expect(values == ["", "Metropolis"])
    subscription.cancel()
  }

  @Test(.conformance(26)) func anObserverCanBeCancelledByAnotherThreadDuringAFlood() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    let flood = Flood(of: shelf, threads: 2)
    for _ in 0..<50 {
      let calls = Changes()
      let subscription = view.observe(\.count) { calls.note("\($0)") }
      await Task.detached { subscription.cancel() }.value
      let count = calls.names.count
      await Changes().turn()
      #expect(calls.names.count == count)
    }
    await flood.end()
  }

  @Test(.conformance(64)) func aViewThatIsReleasedDuringAFloodIsFreed() async {
    let shelf = Shelf.store()
    let flood = Flood(of: shelf, threads: 2)
    for number in 0..<50 {
      var view: MainActorStore? = MainActorStore(shelf)
      let weakView = WeakReference(view)
      view?.send(.title("\(number)"))
      if number.isMultiple(of: 2) { await Task.yield() }
      view = nil
      #expect(weakView.object == nil)
    }
    await flood.end()
  }
}
