import Dispatch
import Observation
import ReeluxCore
import ReeluxTestSupport
@testable import ReeluxUI
import Testing

/// The displayed state after an action was sent, on an idle and on a busy store.
@MainActor
@Suite(.timeLimit(.minutes(15))) struct SendingTests {
  @Test func theEffectOfASentActionIsShownBeforeSendReturns() {
    let view = MainActorStore(Shelf.store())
    let changes = Changes()
    changes.track("count") { view.count }
    view.send(.count(5))
    #expect(view.count == 5)
    #expect(changes.names == ["count"])
  }

  @Test func aDispatchToTheStoreItselfIsShownInTheNextTurn() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    shelf.dispatch(.count(5))
    #expect(view.count == 0)
    await Changes().turn()
    #expect(view.count == 5)
  }

  @Test func aProjectionWithoutItsRootStoreKeepsItsLastValueAndDropsActions() {
    let shelf = Shelf.store()
    var view: MainActorStore? = MainActorStore(shelf)
    let address = view?.projection(action: { (city: String) in .city(city) }, state: \.address)
    address?.send("Paris")
    view = nil
    address?.send("Rome")
    #expect(address?.city == "Paris")
    #expect(shelf.state.address.city == "Paris")
  }

  @Test func aSentActionCarriesThePlaceOfTheCallThroughEveryProjection() {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(middleware: sources.middleware))
    view.projection(action: { (city: String) in .city(city) }, state: \.address).send("Paris", info: "here")
    let line = UInt(#line - 1)
    #expect(sources.all.map(\.line) == [line])
    #expect(sources.all.first?.info == "here")
    #expect(sources.all.first?.file == "ReeluxUITests/SendingTests.swift")
  }

  @Test func sendReturnsWhatTheActionLedTo() async {
    let shelf = Shelf.store(
      middleware: Middleware { action, _, _ in
        if case .count = action { .task { .title("loaded") } } else { .none }
      })
    let view = MainActorStore(shelf.projection(action: { $0 }, state: { $0 }))
    await view.send(.count(1)).finish()
    #expect(view.title == "loaded")
  }

  /// The effect has ended before `finish()` is called, and the main actor has had no turn since then.
  @Test func finishShowsAChangeWhoseTurnHasNotCome() async {
    let (isSent, sent) = AsyncStream.makeStream(of: Void.self)
    let shelf = Shelf.store(
      middleware: Middleware { action, _, _ in
        guard case .city = action else { return .none }
        return .task {
          for await _ in isSent {}
          return .street("loaded")
        }
      })
    let view = MainActorStore(shelf)
    let address = view.projection(action: { (city: String) in .city(city) }, state: \.address)
    let changes = Changes()
    changes.track("street") { address.street }
    let task = address.send("Paris")
    sent.finish()
    block { await shelf.settle() }
    #expect(address.street == "")
    await task.finish()
    #expect(address.street == "loaded")
    #expect(changes.names == ["street"])
  }

  @Test func reducedShowsAChangeWhoseTurnHasNotCome() async {
    let (inside, added) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let shelf = Shelf.store(
      middleware: Middleware { action, _, _ in
        guard case .title = action else { return .none }
        inside.signal()
        added.wait()
        return .none
      })
    let view = MainActorStore(shelf, waitLimit: .zero)
    let slow = Task.detached { shelf.dispatch(.title("slow")) }
    blockUntilSignalled(inside)
    let task = view.send(.count(1))
    added.signal()
    block {
      _ = await slow.value
      await shelf.settle()
    }
    #expect(view.count == 0)
    await task.reduced()
    #expect(view.count == 1)
  }

  @Test func theTaskOfADroppedActionEndsAtOnce() async throws {
    let sources = Sources()
    let view = MainActorStore(Shelf.store(Shelf(sheet: Shelf.Sheet(id: 1)), middleware: sources.middleware))
    let sheet = try #require(view.projection(action: Shelf.Action.sheet, optional: \.sheet))
    view.send(.close)
    let task = sheet.send(.text("late"))
    await task.finish()
    await task.reduced()
    #expect(sources.all.count == 1)
  }

  @Test func aTaskCancelsTheEffectsOfItsAction() async {
    let shelf = Shelf.store(
      middleware: Middleware { action, _, _ in
        guard case .count = action else { return .none }
        return .task {
          // A stream without elements ends when the task is cancelled.
          let (never, continuation) = AsyncStream.makeStream(of: Never.self)
          for await _ in never {}
          withExtendedLifetime(continuation) {}
          return .title("answered")
        }
      })
    let view = MainActorStore(shelf)
    let task = view.send(.count(1))
    task.cancel()
    await task.finish()
    #expect(view.title == "")
  }

  /// The middleware of the background's action holds the pipeline until the main actor has added its action to the
  /// queue. The thread that sends the action therefore cannot reduce it.
  @Test func onABusyStoreSendWaitsForItsAction() {
    let inside = DispatchSemaphore(value: 0)
    let shelf = Shelf.store(
      middleware: Middleware { action, _, _ in
        if case .title("slow") = action { inside.signal() }
        return .none
      })
    let view = MainActorStore(shelf, waitLimit: .seconds(100))
    for round in 1...200 {
      DispatchQueue.global().async {
        shelf.dispatch(.title("slow"))
        for _ in 0..<50 { shelf.dispatch(.street("\(round)")) }
      }
      inside.wait()
      view.send(.count(round))
      #expect(view.count == round)
    }
  }

  @Test(arguments: [Duration.seconds(9_223_372_036.9), .seconds(Int64.max)])
  func theLongestLimitsAreAllowed(limit: Duration) {
    let held = HeldStore()
    let view = MainActorStore(held.store, waitLimit: limit)
    held.hold()
    held.letGo()
    view.send(.count(5))
    #expect(view.count == 5)
  }

  @Test(.conformance(87)) func sendGivesUpAfterItsLimitAndShowsTheEffectInALaterTurn() async {
    let held = HeldStore()
    let view = MainActorStore(held.store, waitLimit: .zero)
    let changes = Changes()
    changes.track("count") { view.count }
    held.hold()
    let task = view.send(.count(5))
    #expect(view.count == 0)
    held.letGo()
    await task.finish()
    await changes.turn()
    #expect(view.count == 5)
    #expect(changes.names == ["count"])
  }

  @Test func anActionThatIsSentFromAnObserverOnTheMainActorIsNotWaitedFor() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf, waitLimit: .seconds(100))
    let subscription = shelf.select(\.count).subscribe { count in
      MainActor.assumeIsolated { if count == 1 { view.send(.title("from the observer")) } }
    }
    view.send(.count(1))
    #expect(view.title == "from the observer")
    subscription.cancel()
  }

  @Test(.conformance(12)) func noOlderStateIsShownAfterANewerOne() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf)
    var last = 0
    var isAscending = true
    let subscription = view.observe(\.count) { count in
      if count < last { isAscending = false }
      last = count
    }
    let flood = Task.detached { for count in 1...20_000 { shelf.dispatch(.count(count)) } }
    for turn in 0..<200 {
      view.send(.title("\(turn)"))
      await Task.yield()
    }
    await flood.value
    await shelf.settle()
    await Changes().turn()
    #expect(isAscending)
    #expect(last == 20_000)
    subscription.cancel()
  }

  @Test func aFloodIsShownInOneTurn() async {
    let shelf = Shelf.store()
    let view = MainActorStore(shelf, waitLimit: .seconds(100))
    var values: [Int] = []
    let subscription = view.observe(\.count) { values.append($0) }
    let hasBegun = DispatchSemaphore(value: 0)
    let flood = Task.detached {
      for count in 1...5_000 {
        shelf.dispatch(.count(count))
        if count == 100 { hasBegun.signal() }
      }
    }
    Self.wait(for: hasBegun)
    // The main actor takes no turn until its own action has been reduced, after some of the others.
    view.send(.title("x"))
    let shownBySend = values.count
    #expect(shownBySend == 2)
    Self.flood(shelf, 5_001...10_000)
    #expect(values.count == shownBySend)
    view.send(.title("y"))
    #expect(values.count == shownBySend + 1)
    await flood.value
    await shelf.settle()
    await Changes().turn()
    #expect(shelf.state.title == "y")
    subscription.cancel()
  }

  /// Another thread sends actions. The main actor waits for it and takes no turn.
  private static func flood(_ shelf: Store<Shelf.Action, Shelf>, _ counts: ClosedRange<Int>) {
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { for count in counts { shelf.dispatch(.count(count)) } }
    group.wait()
  }

  private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

  @Test func aChangeBetweenTheReadAndItsRegistrationIsNotMissed() async {
    for round in 1...200 {
      let shelf = Shelf.store()
      let view = MainActorStore(shelf)
      let changes = Changes()
      let flood = Task.detached { _ = shelf.dispatch(.count(round)) }
      var read = 0
      changes.track("count") { read = view.count }
      await flood.value
      await changes.turn()
      #expect(view.count == round)
      #expect((read == round) != (changes.names == ["count"]))
    }
  }

  /// A tracked closure that sends an action is registered when it has returned, and is called in the next turn.
  @Test func aLoopOfSendsKeepsOneRegistrationUntilTheNextTurn() async {
    let connection = StoreConnection(Shelf.store(), waitLimit: .zero)
    let view = MainActorStore(connection, shown: Shelf())
    let changes = Changes()
    var first: Registration?
    for count in 1...1_000 {
      changes.track("count") { view.count }
      view.send(.count(count))
      first = first ?? connection.sendingTrackers
      #expect(first != nil && connection.sendingTrackers === first)
    }
    #expect(changes.names.count == 1_000)
    await changes.turn()
    #expect(connection.sendingTrackers == nil)
  }

  @Test func aPolicyThatEmitsNothingIsKept() async {
    let view = MainActorStore(Shelf.store(emits: .never))
    let changes = Changes()
    changes.track("count") { view.count }
    view.send(.count(1))
    await changes.turn()
    #expect(changes.names == [])
  }

  /// The tracker of the title requests a turn, for a closure that may have sent the action.
  @Test func aTurnAfterASendShowsNothingThatThePolicyDoesNotEmit() async {
    let shelf = Shelf.store(emits: .when { $0.title != $1.title })
    let view = MainActorStore(shelf)
    let changes = Changes()
    changes.track("title") { view.title }
    view.send(.title("Metropolis"))
    shelf.dispatch(.count(5))
    await changes.turn()
    #expect(changes.names == ["title"])
    #expect(view.count == 0)
  }

  @Test func aTurnAfterALateActionShowsNothingThatThePolicyDoesNotEmit() async {
    let held = HeldStore(emits: .never)
    let view = MainActorStore(held.store, waitLimit: .zero)
    held.hold()
    let task = view.send(.count(5))
    held.letGo()
    await task.finish()
    await held.store.settle()
    await Changes().turn()
    #expect(held.store.state.count == 5)
    #expect(view.count == 0)
  }
}

/// The sources of the actions that a middleware handled.
final class Sources: Sendable {
  private let list = Locked<[ActionSource]>([])
  var all: [ActionSource] { list.withLock { $0 } }

  var middleware: Middleware<Shelf.Action, Shelf.Action, Shelf> {
    Middleware { [self] _, source, _ in
      list.withLock { $0.append(source) }
      return .none
    }
  }
}

/// A store whose pipeline another thread holds until it is released.
final class HeldStore: Sendable {
  let store: Store<Shelf.Action, Shelf>
  private let inside = DispatchSemaphore(value: 0)
  private let door = DispatchSemaphore(value: 0)

  init(_ state: Shelf = Shelf(), emits: ShouldEmitValue<Shelf> = .whenReduced) {
    store = Shelf.store(
      state,
      middleware: Middleware { [inside, door] action, _, _ in
        if case .street("hold") = action {
          inside.signal()
          door.wait()
        }
        return .none
      }, emits: emits)
  }

  func hold() {
    DispatchQueue.global().async { self.store.dispatch(.street("hold")) }
    inside.wait()
  }

  func letGo() { door.signal() }
}

/// Blocks the main thread, so that the main actor has no turn, until the work has ended.
private func block(until work: @escaping @Sendable () async -> Void) {
  let ended = DispatchSemaphore(value: 0)
  Task.detached {
    await work()
    ended.signal()
  }
  ended.wait()
}

/// Blocks the main thread until the semaphore is signalled.
private func blockUntilSignalled(_ semaphore: DispatchSemaphore) {
  semaphore.wait()
}
