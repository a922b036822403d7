import ReeluxCore
import ReeluxTestSupport
import Testing

/// Section C: which observers are called, and at which time.
@Suite(.timeLimit(.minutes(15))) struct EmissionTests {
  enum Action: Sendable, Equatable {
    case increment
    case same
    case ignored
    case name(String)
    case optional(Int?)
  }
  struct State: Sendable, Equatable {
    var count = 0
    var name = ""
    var optional: Int?
    var doubled: Int { count * 2 }
  }

  static let reducer = Reducer<Action, State>.partial { action, state in
    switch action {
    case .increment: state.count += 1
    case .same: break
    case .ignored: return false
    case .name(let name): state.name = name
    case .optional(let value): state.optional = value
    }
    return true
  }

  static func store(_ emits: ShouldEmitValue<State> = .whenReduced) -> Store<Action, State> {
    Store(initialState: State(), reducer: reducer, emits: emits)
  }

  /// One reducer for each part, so that the store knows which part an action touches.
  enum PartAction: Sendable { case count(Int), name(String), optional(Int?) }
  static func partStore() -> Store<PartAction, State> {
    let set = Reducer<Int, Int> { $1 = $0 }
    let count = Prism(case: PartAction.count) { if case .count(let it) = $0 { it } else { nil } }
    let name = Prism(case: PartAction.name) { if case .name(let it) = $0 { it } else { nil } }
    let optional = Prism(case: PartAction.optional) { if case .optional(let it) = $0 { it } else { nil } }
    return Store(
      initialState: State(),
      reducer: .compose {
        set.lift(action: count, state: \.count)
        Reducer<String, String> { $1 = $0 }.lift(action: name, state: \.name)
        Reducer<Int?, Int?> { $1 = $0 }.lift(action: optional, state: \.optional)
      })
  }

  @Test(
    .conformance(21, 22),
    arguments: [
      ("always", [0, 1, 1, 1, 2]), ("never", [0]), ("when", [0, 2]), ("whenDifferent", [0, 1, 2]),
      ("whenReduced", [0, 1, 1, 2]),
    ])
  func aPolicyGovernsNotificationOnly(name: String, expected: [Int]) {
    let policies: [String: ShouldEmitValue<State>] = [
      "always": .always, "never": .never, "when": .when { old, new in old.count == 1 && new.count == 2 },
      "whenDifferent": .whenDifferent, "whenReduced": .whenReduced,
    ]
    let store = Self.store(policies[name] ?? .always)
    let seen = Journal<Int>()
    let subscription = store.subscribe { seen.write($0.count) }
    store.dispatch(.increment)
    #expect(store.state.count == 1)
    store.dispatch(.same)
    store.dispatch(.ignored)
    store.dispatch(.increment)
    #expect(store.state.count == 2)
    #expect(seen.entries == expected)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(23)) func aNewSubscriberGetsTheCurrentStateOnceThenOneValueAChange() {
    let store = Self.store()
    let early = Journal<Int>()
    let late = Journal<Int>()
    let first = store.subscribe { early.write($0.count) }
    store.dispatch(.increment)
    let second = store.subscribe { late.write($0.count) }
    store.dispatch(.increment)
    #expect(early.entries == [0, 1, 2])
    #expect(late.entries == [1, 2])
    withExtendedLifetime((first, second)) {}
  }

  @Test(.conformance(23, 12)) func aLateSubscriberOnAnotherThreadMissesNothingAndGetsNothingOld() async {
    for round in 0..<20 {
      let store = Self.store()
      let journals = (0..<4).map { _ in Journal<Int>() }
      let subscriptions = await onThread {
        let begun = Semaphore()
        let writer = WorkThread {
          for number in 0..<400 {
            store.dispatch(.increment)
            if number == round * 10 { for _ in journals { begun.signal() } }
          }
        }
        let kept = Locked<[Subscription]>([])
        let readers = journals.map { journal in
          WorkThread {
            begun.wait()
            let subscription = store.subscribe { journal.write($0.count) }
            kept.withLock { $0.append(subscription) }
          }
        }
        writer.join()
        for reader in readers { reader.join() }
        return kept.withLock { $0 }
      }
      await store.settle()
      for journal in journals {
        let entries = journal.entries
        #expect(entries == entries.sorted())
        #expect(Set(entries).count == entries.count)
        #expect(entries.last == 400)
        // After the first one that passed the queue, one by one.
        if entries.count > 2 {
          #expect(Array(entries.dropFirst()) == Array(entries[1]...400))
        }
      }
      withExtendedLifetime(subscriptions) {}
    }
  }

  @Test(.conformance(24)) func anActionThatNoReducerAcceptsNotifiesNobody() {
    let store = Self.store()
    let seen = Journal<State>()
    let subscription = store.subscribe { seen.write($0) }
    store.dispatch(.ignored)
    #expect(seen.count == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(24)) func oneMutatorAmongManyNotifiesOnce() {
    let nothing = Reducer<Action, State>.partial { _, _ in false }
    let store = Store(
      initialState: State(),
      reducer: Reducer.compose {
        nothing
        nothing
        Self.reducer
        nothing
      })
    let seen = Journal<Int>()
    let subscription = store.subscribe { seen.write($0.count) }
    store.dispatch(.increment)
    #expect(seen.entries == [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(24)) func twoMutatorsNotifyOnce() {
    let store = Store(initialState: State(), reducer: Self.reducer <> Self.reducer)
    let seen = Journal<Int>()
    let selected = Journal<Int>()
    let subscriptions = [
      store.subscribe { seen.write($0.count) }, store.select(\.count).subscribe { selected.write($0) },
    ]
    store.dispatch(.increment)
    #expect(seen.entries == [0, 2])
    #expect(selected.entries == [0, 2])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(28)) func aSelectionNotifiesOnlyWhenItsPartChanged() {
    let store = Self.store()
    let byPath = Journal<Int>()
    let byClosure = Journal<Int>()
    let computed = Journal<Int>()
    let touches = Journal<Int>()
    let even = Journal<Int>()
    let subscriptions = [
      store.select(\.count).subscribe { byPath.write($0) },
      store.select { $0.count }.subscribe { byClosure.write($0) },
      store.select(\.doubled).subscribe { computed.write($0) },
      store.select(everyTouch: \.count).subscribe { touches.write($0) },
      store.select(\.count) { $0 / 2 == $1 / 2 }.subscribe { even.write($0) },
    ]
    for action in [Action.increment, .same, .name("a"), .ignored, .increment, .increment, .name("a")] {
      store.dispatch(action)
    }
    #expect(byPath.entries == [0, 1, 2, 3])
    #expect(byClosure.entries == byPath.entries)
    #expect(computed.entries == [0, 2, 4, 6])
    #expect(touches.entries == [0, 1, 1, 1, 2, 3, 3])
    #expect(even.entries == [0, 2])
    #expect(store.select(\.count).state == 3)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(28)) func aSelectionOfASelectionIsNarrower() {
    let store = Self.store()
    let seen = Journal<Bool>()
    let subscription = store.select(\.count).select { $0 > 1 }.subscribe { seen.write($0) }
    for _ in 0..<4 { store.dispatch(.increment) }
    #expect(seen.entries == [false, true])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(29)) func aChangeOfOnePartDoesNoWorkForSubscribersOfAnother() {
    let store = Self.partStore()
    let comparisons = Journal<Int>()
    let calls = Journal<Int>()
    let subscriptions = [
      store.select(\.count) { old, new in
        comparisons.write(new)
        return old == new
      }.subscribe { _ in },
      store.select(everyTouch: \.optional).subscribe { _ in calls.write(1) },
    ]
    comparisons.clear()
    calls.clear()
    for number in 0..<100 { store.dispatch(.name("\(number)")) }
    #expect(comparisons.count == 0)
    #expect(calls.count == 0)
    store.dispatch(.count(1))
    #expect(comparisons.entries == [1])
    #expect(calls.count == 0)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(30)) func anOptionalScopeDeliversNothingWhileItIsNil() {
    let store = Self.partStore()
    let present = Journal<Int>()
    let optional = Journal<Int?>()
    let byClosure = Journal<Int>()
    let subscriptions = [
      store.select(present: \.optional).subscribe { present.write($0) },
      store.select(\.optional).subscribe { optional.write($0) },
      store.select(present: { $0.optional }).subscribe { byClosure.write($0) },
    ]
    for value in [nil, 1, 1, nil, 1, 2, nil] as [Int?] { store.dispatch(.optional(value)) }
    #expect(present.entries == [1, 1, 2])
    #expect(byClosure.entries == [1, 1, 2])
    #expect(optional.entries == [nil, 1, nil, 1, 2, nil])
    #expect(store.select(present: \.optional).state == nil)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(28, 30)) func aSelectionByClosureDeliversNil() {
    let store = Self.partStore()
    let calls = Journal<Int>()
    let subscription = store.select { $0.optional }.subscribe { _ in calls.write(1) }
    for value in [1, nil, nil, 2] as [Int?] { store.dispatch(.optional(value)) }
    #expect(calls.count == 4)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(31)) func statesYieldTheCurrentOneThenTheNewestWheneverTheConsumerIsReady() async {
    let store = Self.store()
    var states = store.states.makeAsyncIterator()
    #expect(await states.next()?.count == 0)
    for _ in 0..<1_000 { store.dispatch(.increment) }
    #expect(await states.next()?.count == 1_000)
    store.dispatch(.increment)
    #expect(await states.next()?.count == 1_001)
  }

  @Test(.conformance(31)) func leavingTheLoopUnsubscribes() async {
    let store = Self.store()
    for await state in store.states {
      if state.count == 0 { break }
    }
    #expect(store.observerCount == 0)
    let seen = Journal<Void>()
    let task = Task { for await _ in store.states { seen.write(()) } }
    await seen.reaches(count: 1)
    #expect(store.observerCount == 1)
    task.cancel()
    await task.value
    #expect(store.observerCount == 0)
  }

  @Test(.conformance(31), arguments: 0..<4) func theStatesEndWithTheStore(kind: Int) async {
    var store: Store<Action, State>? = Self.store()
    let states =
      switch kind {
      case 0: store?.select(\.count).states
      case 1: store?.select { $0.count }.states
      case 2: store?.projection(action: { (action: Action) in action }, state: \.count).states
      default: store?.select(\.self).select { $0.count }.states
      }
    let door = Door()
    let task = Task {
      var seen: [Int] = []
      guard let states else { return seen }
      for await state in states {
        seen.append(state)
        door.open()
      }
      return seen
    }
    await door.pass()
    store = nil
    #expect(await task.value == [0])
  }

  @Test(.conformance(31, 32)) func neitherASelectionNorItsStatesKeepTheStore() {
    var store: Store<Action, State>? = Self.store()
    let weakStore = store.map { Weak($0) }
    let kept: [Any?] = [
      store?.select(\.count), store?.select { $0.count }, store?.select(by: ==) { $0.count },
      store?.select(present: { $0.optional }), store?.select(present: \.optional), store?.states,
    ]
    let keptByGenericCode = store.map { Self.selections(of: $0) }
    store = nil
    #expect(weakStore?.object == nil)
    withExtendedLifetime((kept, keptByGenericCode)) {}
  }

  private static func selections(of provider: some StateProvider<State>) -> [Any] {
    [provider.whole, provider.select { $0.count }, provider.select(present: { $0.optional }), provider.states]
  }

  @Test(.conformance(32)) func theStoreDoesNotKeepOwnersAndTheSubscriptionKeepsNothingOfTheStore() {
    final class Owner: Sendable {
      let seen = Journal<Int>()
      let subscriptions = SubscriptionCollection()
      func observe(_ store: Store<Action, State>) {
        store.subscribe { [weak self] in self?.seen.write($0.count) }.store(in: subscriptions)
      }
    }
    let store = Self.store()
    var owner: Owner? = Owner()
    owner?.observe(store)
    let weakOwner = owner.map { Weak($0) }
    owner = nil
    #expect(weakOwner?.object == nil)
    store.dispatch(.increment)
    #expect(store.observerCount == 0)
  }

  @Test(.conformance(32)) func cancellingFreesTheObserverAtOnce() {
    let store = Self.store()
    var token: Token? = Token()
    let weakToken = token.map { Weak($0) }
    let subscription = store.subscribe { [token] _ in withExtendedLifetime(token) {} }
    token = nil
    #expect(weakToken?.object != nil)
    subscription.cancel()
    #expect(weakToken?.object == nil)
  }

  // MARK: Empty values

  struct Empty: Sendable, Equatable {}
  struct Mixed: Sendable {
    var first = Empty()
    var count = 0
    var last = Empty()
  }
  enum MixedAction: Sendable { case first, count, last }

  @Test(.conformance(103)) func anObserverOfAnEmptyStructIsNotNotifiedOfItsNeighbours() {
    let accept = { (chosen: MixedAction) in
      Prism<MixedAction, MixedAction>(embed: { $0 }, extract: { "\($0)" == "\(chosen)" ? $0 : nil })
    }
    let store = Store<MixedAction, Mixed>(
      initialState: Mixed(),
      reducer: Reducer<MixedAction, Empty> { _, _ in }.lift(action: accept(.first), state: \.first)
        <> Reducer<MixedAction, Int> { _, count in count += 1 }.lift(action: accept(.count), state: \.count)
        <> Reducer<MixedAction, Empty> { _, _ in }.lift(action: accept(.last), state: \.last))
    let journal = Journal<String>()
    let subscriptions = [
      store.select(everyTouch: \.first).subscribe { _ in journal.write("first") },
      store.select(everyTouch: \.count).subscribe { _ in journal.write("count") },
      store.select(everyTouch: \.last).subscribe { _ in journal.write("last") },
    ]
    journal.clear()
    store.dispatch(.count)
    #expect(journal.entries == ["count"])
    journal.clear()
    store.dispatch(.first)
    store.dispatch(.last)
    #expect(journal.entries == [])
    withExtendedLifetime(subscriptions) {}
  }
}
