@testable import ReeluxCore
import ReeluxTestSupport
import Testing

extension ScopeTests {
  // MARK: Child stores

  struct Local: Sendable, Equatable { var count = 0 }
  enum ChildAction: Sendable, Equatable { case local(Int), both(Int), root(Int), ignored }
  typealias Child = ChildStore<ChildAction, Action, State, Local>

  static func child(
    of store: Store<Action, State>, _ journal: Journal<String> = Journal(),
    middleware: Middleware<ChildAction, ChildAction, ChildState<State, Local>> = .identity
  ) -> Child {
    store.child(
      initialState: Local(),
      reducer: .partial { action, local in
        journal.write("child \(action)")
        switch action {
        case .local(let number), .both(let number): local.count += number
        case .root, .ignored: return false
        }
        return true
      },
      middleware: middleware,
      toRoot: { action in
        switch action {
        case .both(let number), .root(let number): .add(number)
        case .local, .ignored: nil
        }
      })
  }

  @Test(.conformance(21, 61), arguments: ["always", "never", "whenDifferent", "whenReduced"])
  func anActionThatIsNotMappedCallsTheObserversOfTheChildAndNotThoseOfTheRoot(policy: String) {
    let policies: [String: ShouldEmitValue<Int>] = [
      "always": .always, "never": .never, "whenDifferent": .whenDifferent, "whenReduced": .whenReduced,
    ]
    let store = Store<Int, Int>(initialState: 0, reducer: .identity, emits: policies[policy] ?? .never)
    let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { action, sum in sum += action })
    let (root, local) = (Journal<Int>(), Journal<Int>())
    let subscriptions = [store.subscribe { root.write($0) }, child.subscribe { local.write($0.local) }]
    child.dispatch(1)
    child.dispatch(2)
    #expect(root.entries == [0])
    #expect(local.entries == [0, 1, 3])
    withExtendedLifetime(subscriptions) {}
  }

  /// The store is busy when the child gets its last action.
  @Test(.conformance(61), arguments: [false, true])
  func theFollowUpOfTheLastActionArrivesIfTheReleaseWaitsForThisAction(waits: Bool) async {
    let (entered, proceed) = (Semaphore(), Semaphore())
    let store = Store(
      initialState: State(), reducer: Self.reducer,
      middleware: Middleware { action, _, _ in
        if action == .add(1) {
          entered.signal()
          proceed.wait()
        }
        return .none
      })
    var child: Child? = Self.child(
      of: store, middleware: Middleware { action, _, _ in action == .ignored ? .send(.root(10)) : .none })
    let busy = WorkThread { store.dispatch(.add(1)) }
    entered.wait()
    let last = child?.dispatch(.ignored)
    if !waits { child = nil }
    proceed.signal()
    await last?.reduced()
    child = nil
    busy.join()
    await store.settle()
    #expect(store.state.count == (waits ? 11 : 1))
  }

  @Test(.conformance(61)) func aChildsActionIsReducedByTheChildThenTheRootWithOneNotification() {
    let journal = Journal<String>()
    let store = Store(
      initialState: State(),
      reducer: Reducer<Action, State> { action, _ in journal.write("root \(action)") } <> Self.reducer)
    let child = Self.child(of: store, journal)
    let ofChild = Journal<[Int]>()
    let ofRoot = Journal<Int>()
    let subscriptions = [
      child.subscribe { ofChild.write([$0.root.count, $0.local.count]) },
      store.subscribe { ofRoot.write($0.count) },
    ]
    child.dispatch(.both(1))
    #expect(journal.entries == ["child both(1)", "root add(1)"])
    #expect(ofChild.entries == [[0, 0], [1, 1]])
    #expect(ofRoot.entries == [0, 1])
    child.dispatch(.local(1))
    child.dispatch(.root(1))
    child.dispatch(.ignored)
    #expect(ofChild.entries == [[0, 0], [1, 1], [1, 2], [2, 2]])
    #expect(ofRoot.entries == [0, 1, 2])
    store.dispatch(.add(5))
    #expect(ofChild.entries.last == [7, 2])
    #expect(child.state == ChildState(root: store.state, local: Local(count: 2)))
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(61)) func rootActionsDoNotReachAChildAndSiblingsDoNotMeet() {
    let store = Self.store()
    let journals = [Journal<String>(), Journal<String>()]
    let children = journals.map { Self.child(of: store, $0) }
    let second = Journal<Int>()
    let subscription = children[1].subscribe { second.write($0.local.count) }
    store.dispatch(.add(1))
    children[0].dispatch(.local(1))
    #expect(journals[0].entries == ["child local(1)"])
    #expect(journals[1].entries == [])
    #expect(children.map(\.state.local.count) == [1, 0])
    #expect(second.entries == [0, 0])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(61)) func aChildLivesAsLongAsItIsHeldAndEndsAlone() async {
    let store = Self.store()
    let door = Door()
    let sent = Journal<Int>()
    let done = Door()
    var child: Child? = Self.child(
      of: store,
      middleware: Middleware { action, _, state in
        guard action == .ignored else { return .none }
        return .run { send in
          await door.pass()
          // After the child was released, reading returns the last state, and sending has no effect.
          sent.write(state().local.count)
          send(.both(100))
          done.open()
        }
      })
    let weakChild = child.map { Weak($0) }
    let weakPipeline = child.map { Weak($0.pipeline) }
    child?.dispatch(.local(3))
    let began = store.effects.running.count
    child?.dispatch(.ignored)
    #expect(store.effects.running.count == began + 1)
    await door.isReached()
    child = nil
    #expect(weakChild?.object == nil)
    #expect(store.effects.running.isEmpty)
    #expect(store.observerCount == 0)
    door.open()
    await done.pass()
    await store.settle()
    #expect(sent.entries == [3])
    #expect(store.state.count == 0)
    #expect(weakPipeline?.object == nil)
  }

  @Test(.conformance(61)) func aChildKeepsItsRoot() {
    var store: Store<Action, State>? = Self.store()
    let weakStore = store.map { Weak($0) }
    var child = store.map { Self.child(of: $0) }
    store = nil
    child?.dispatch(.both(2))
    #expect(child?.state.root.count == 2)
    child = nil
    #expect(weakStore?.object == nil)
  }

  @Test(.conformance(61, 24)) func aChildsObserverCancelsAndAddsLikeTheRoots() {
    let store = Self.store()
    let child = Self.child(of: store)
    let order = Journal<String>()
    let added = SubscriptionCollection()
    let victims = SubscriptionCollection()
    let first = child.subscribe { [weak child] state in
      order.write("first \(state.local.count)")
      if state.local.count == 1 {
        victims.cancelAll()
        child?.subscribe { order.write("added \($0.local.count)") }.store(in: added)
      }
    }
    child.subscribe { order.write("victim \($0.local.count)") }.store(in: victims)
    let last = child.subscribe { order.write("last \($0.local.count)") }
    order.clear()
    child.dispatch(.both(1))
    #expect(order.entries == ["first 1", "added 1", "last 1"])
    order.clear()
    child.dispatch(.local(1))
    #expect(order.entries == ["first 2", "last 2", "added 2"])
    withExtendedLifetime((first, last)) {}
  }

  @Test(.conformance(61, 23)) func aLateObserverOfAChildOnAnotherThreadMissesNothing() async {
    for _ in 0..<10 {
      let store = Self.store()
      let child = Self.child(of: store)
      let seen = Journal<Int>()
      let subscription = await onThread {
        let writer = WorkThread {
          for number in 0..<300 { child.dispatch(number % 2 == 0 ? .local(1) : .both(1)) }
        }
        for _ in 0..<20 { relax() }
        let subscription = child.subscribe { seen.write($0.local.count) }
        writer.join()
        return subscription
      }
      await store.settle()
      #expect(seen.entries == seen.entries.sorted())
      #expect(Set(seen.entries).count == seen.count)
      #expect(seen.entries.last == 300)
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(.conformance(62)) func whatAChildsMiddlewareSendsReturnsToThatChild() async {
    let store = Self.store()
    let journals = [Journal<String>(), Journal<String>()]
    let children = journals.map { journal in
      Self.child(
        of: store, journal,
        middleware: Middleware { action, _, _ in
          guard action == .ignored else { return .none }
          return .send(.local(1)) <> .task { .local(2) } <> .afterReducer { send in send(.both(3)) }
        })
    }
    children[0].dispatch(.ignored)
    await store.settle()
    #expect(children.map(\.state.local.count) == [6, 0])
    #expect(journals[0].entries.sorted() == ["child both(3)", "child ignored", "child local(1)", "child local(2)"])
    #expect(journals[1].entries == [])
    #expect(store.state.count == 3)
  }

  @Test(.conformance(62)) func aChildsMiddlewareSeesTheStateBeforeAndTheRootsMiddlewareToo() {
    let journal = Journal<String>()
    let store = Store(
      initialState: State(), reducer: Self.reducer,
      middleware: Middleware { action, _, state in
        journal.write("root \(action) \(state().count)")
        return .afterReducer { _ in journal.write("root after \(state().count)") }
      })
    let child = Self.child(
      of: store,
      middleware: Middleware { action, _, state in
        journal.write("child \(action) \(state().root.count) \(state().local.count)")
        return .afterReducer { _ in journal.write("child after \(state().root.count) \(state().local.count)") }
      })
    child.dispatch(.both(1))
    #expect(
      journal.entries == [
        "child both(1) 0 0", "root add(1) 0", "root after 1", "child after 1 1",
      ])
  }

  @Test(.conformance(61, 14)) func aChildThatSendsToItselfWithoutEndIsGuarded() {
    let reports = Journal<DispatchedAction<Action>>()
    let store = Store(
      initialState: State(), feature: Feature(reducer: Self.reducer),
      runawayGuard: RunawayGuard(limit: 50) { reports.write($0) })
    let child = Self.child(
      of: store, middleware: Middleware { action, _, _ in action == .root(1) ? .send(.root(1), info: "loop") : .none })
    child.dispatch(.root(1))
    #expect(store.state.count == 51)
    #expect(reports.entries.map(\.source.info) == ["loop"])
  }

  @Test(.conformance(61)) func aChildsMiddlewareReadsTheStateBeforeEachActionThatReplacesAnother() {
    let store = Store(initialState: State(), reducer: Self.reducer)
    let journal = Journal<Int>()
    let child = store.child(
      initialState: 0,
      feature: Feature<Int, Int>(
        reducer: Reducer { number, sum in sum += number },
        middleware: Middleware { _, _, sum in
          journal.write(sum())
          return .none
        },
        interceptor: Interceptor { number, _, _ in .multiply([number, number + 1]) }))
    child.dispatch(1)
    #expect(journal.entries == [0, 1])
    #expect(child.state.local == 3)
  }

  @Test(.conformance(61)) func aQueuedActionOfAChildIsMappedOnce() {
    let store = Store(initialState: State(), reducer: Self.reducer)
    let mapped = Journal<Int>()
    let child = store.child(
      initialState: 0,
      feature: Feature<Int, Int>(
        reducer: .identity, middleware: Middleware { number, _, _ in number < 2 ? .send(number + 1) : .none }),
      toRoot: { number in
        mapped.write(number)
        return .add(number)
      })
    child.dispatch(1)
    #expect(mapped.entries == [1, 2])
    #expect(store.state.count == 3)
  }
}
