@testable import Core
import CoreTesting
import Testing

/// Section G: projections, child stores, and features that are installed at run time.
@Suite(.timeLimit(.minutes(2))) struct ScopeTests {
  enum Action: Sendable, Equatable { case add(Int), name(String), element(ElementAction<Int, Int>) }
  struct Element: Sendable, Identifiable, Equatable {
    let id: Int
    var count = 0
  }
  struct State: Sendable, Equatable {
    var count = 0
    var name = ""
    var elements = [Element(id: 1), Element(id: 2)]
  }
  static let reducer = Reducer<Action, State> { action, state in
    switch action {
    case .add(let number): state.count += number
    case .name(let name): state.name = name
    case .element(let action):
      if action.action < 0 {
        state.elements.removeAll { $0.id == action.id }
      } else if let index = state.elements.firstIndex(where: { $0.id == action.id }) {
        state.elements[index].count += action.action
      }
    }
  }
  static func store() -> Store<Action, State> { Store(initialState: State(), reducer: reducer) }

  // MARK: Projections

  @Test(.conformance(58)) func aProjectionMapsActionsUpAndStateDownLive() {
    let store = Self.store()
    let projection = store.projection(
      action: { (number: Int) in number == 0 ? nil : .add(number) }, state: { "\($0.count)" })
    let byPath = store.projection(action: { (number: Int) in .add(number) }, state: \.count)
    let composed = projection.projection(action: { (text: String) in Int(text) }, state: { $0 + "!" })
    let seen = Journal<String>()
    let touched = Journal<Int>()
    let subscriptions = [composed.subscribe { seen.write($0) }, byPath.subscribe { touched.write($0) }]
    projection.dispatch(1)
    projection.dispatch(0)
    composed.dispatch("5")
    composed.dispatch("no number")
    byPath.dispatch(10)
    store.dispatch(.add(100))
    #expect(store.state.count == 116)
    #expect(projection.state == "116")
    #expect(byPath.state == 116)
    #expect(composed.state == "116!")
    #expect(seen.entries == ["0!", "1!", "6!", "16!", "116!"])
    #expect(touched.entries == [0, 1, 6, 16, 116])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(58)) func aProjectionIsWeakByDefaultAndHarmlessAfterwards() {
    var store: Store<Action, State>? = Self.store()
    let weakStore = store.map { Weak($0) }
    let projection = store?.projection(action: { (number: Int) in .add(number) }, state: { $0.count })
    let buffered = store?.bufferedProjection(action: { (number: Int) in .add(number) }, state: { $0.count })
    let ended = Journal<Int>()
    let subscription = projection?.subscribe(end: { ended.write(1) }) { _ in }
    store?.dispatch(.add(1))
    store = nil
    #expect(weakStore?.object == nil)
    #expect(ended.count == 1)
    projection?.dispatch(5)
    buffered?.dispatch(5)
    #expect(projection?.state == 1)
    #expect(buffered?.state == 1)
    let late = projection?.subscribe(end: { ended.write(2) }) { ended.write($0 * 100) }
    #expect(ended.entries == [1, 100, 2])
    withExtendedLifetime((subscription, late)) {}
  }

  @Test(.conformance(58)) func aProjectionKeepsTheStoreOnRequest() {
    var store: Store<Action, State>? = Self.store()
    let weakStore = store.map { Weak($0) }
    var projections = [
      store?.projection(action: { (number: Int) in .add(number) }, state: { $0.count }, keepsStore: true),
      store?.projection(action: { (number: Int) in .add(number) }, state: \.count, keepsStore: true),
      store?.bufferedProjection(action: { (number: Int) in .add(number) }, state: { $0.count }, keepsStore: true),
    ]
    store = nil
    for (index, projection) in projections.enumerated() {
      projection?.dispatch(1)
      #expect(projection?.state == index + 1)
    }
    #expect(weakStore?.object != nil)
    projections = []
    #expect(weakStore?.object == nil)
  }

  @Test(.conformance(59)) func aBufferedProjectionMapsAtMostOnceAChange() {
    let store = Self.store()
    let computed = Journal<Int>()
    let projection = store.bufferedProjection(
      action: { (number: Int) in .add(number) },
      state: { state in
        computed.write(state.count)
        return state.count * 2
      })
    let seen = Journal<Int>()
    let subscriptions = (0..<5).map { _ in projection.subscribe { seen.write($0) } }
    #expect(projection.state == 0)
    for _ in 0..<3 {
      projection.dispatch(1)
      #expect(projection.state == store.state.count * 2)
      #expect(projection.state == store.state.count * 2)
    }
    #expect(computed.entries == [0, 1, 2, 3])
    #expect(seen.count == 20)
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(59)) func concurrentReadersOfABufferedProjectionComputeOnceAChange() async {
    let store = Self.store()
    let computed = Journal<Int>()
    let projection = store.bufferedProjection(
      action: { (number: Int) in .add(number) },
      state: { state in
        computed.write(state.count)
        for _ in 0..<50 { relax() }
        return state.count
      })
    for round in 1...20 {
      store.dispatch(.add(1))
      let values = await onThread {
        let values = Journal<Int>()
        let readers = (0..<4).map { _ in WorkThread { values.write(projection.state) } }
        for reader in readers { reader.join() }
        return values.entries
      }
      #expect(values == [round, round, round, round])
    }
    #expect(computed.entries == Array(1...20))
  }

  @Test(.conformance(60)) func aProjectionOfAnElementIsNilWhenItIsAbsent() {
    let store = Self.store()
    let projection = store.projection(
      element: 2, of: \.elements, action: { (action: ElementAction<Int, Int>) in .element(action) })
    let missing = store.projection(
      element: 9, of: \.elements, action: { (action: ElementAction<Int, Int>) in .element(action) })
    let seen = Journal<Int?>()
    let subscription = projection.subscribe { seen.write($0?.count) }
    #expect(projection.state == Element(id: 2))
    #expect(missing.state == nil)
    projection.dispatch(5)
    missing.dispatch(5)
    #expect(store.state.elements.map(\.count) == [0, 5])
    projection.dispatch(-1)
    #expect(projection.state == nil)
    projection.dispatch(5)
    #expect(seen.entries.first == 0)
    #expect(seen.entries.contains(5))
    #expect(seen.entries.last == .some(nil))
    withExtendedLifetime(subscription) {}
  }

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
      reducer: .accepting { action, local in
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
          // Reading after the child is gone gives the last state; sending does nothing.
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
    await until { door.isWaitedFor }
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

  // MARK: Installation

  @Test(.conformance(63)) func anInstalledFeatureHandlesActionsFromTheNextOneOnAndIsRemovedAgain() async {
    let seen = Journal<String>()
    let watch = FeedTests.Watch()
    let door = Door()
    struct Plugin: FeedingMiddleware {
      let seen: Journal<String>
      let watch: FeedTests.Watch
      let door: Door
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> {
        seen.write("handle \(action)")
        return action == 5 ? EffectTests.late(door, 50) : .none
      }
      func start(state: GetState<Int>) -> Effect<Int> {
        seen.write("start \(state())")
        return .none
      }
      func feeds(for state: Int) -> [Feed<Int>] { [watch.feed(1, "feed")] }
    }
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    store.dispatch(1)
    let installation = store.install(
      Feature(
        reducer: Reducer { _, state in state += 1_000 },
        middleware: Middleware(Plugin(seen: seen, watch: watch, door: door)),
        interceptor: Interceptor { action, _, _ in action == 7 ? .drop : .pass }))
    #expect(seen.entries == ["start 1"])
    await until { watch.opened.count == 1 }
    store.dispatch(2)
    store.dispatch(7)
    store.dispatch(5)
    #expect(store.state == 2_008)
    #expect(seen.entries == ["start 1", "handle 2", "handle 5"])
    installation.remove()
    installation.remove()
    await until { watch.closed.count == 1 }
    #expect(store.effects.running.isEmpty)
    store.dispatch(7)
    #expect(store.state == 2_015)
    #expect(seen.count == 3)
    door.open()
    await store.settle()
    #expect(store.state == 2_015)
  }

  @Test(.conformance(63)) func installingAndRemovingMeanwhileTakesEffectAfterTheCurrentAction() {
    let hold = Locked<Store<Int, [String]>?>(nil)
    let installation = Locked<Installation?>(nil)
    let feature = Feature<Int, [String]>(reducer: Reducer { action, state in state.append("new \(action)") })
    let store = Store<Int, [String]>(
      initialState: [], reducer: Reducer { action, state in state.append("old \(action)") },
      middleware: Middleware { action, _, _ in
        if action == 1 { installation.withLock { value in value = hold.withLock { $0 }?.install(feature) } }
        if action == 3 { installation.withLock { $0 }?.remove() }
        return .none
      })
    hold.withLock { $0 = store }
    for action in 1...4 { store.dispatch(action) }
    #expect(store.state == ["old 1", "old 2", "new 2", "old 3", "new 3", "old 4"])
    hold.withLock { $0 = nil }
  }

  @Test(.conformance(63, 64)) func aRemovedFeatureIsFreed() {
    let store = Store<Int, Int>(initialState: 0, reducer: .identity)
    var token: Token? = Token()
    let weakToken = token.map { Weak($0) }
    let clock = TestClock()
    let installation = store.install(
      Feature<Int, Int>(
        reducer: Reducer { [token] _, _ in withExtendedLifetime(token) {} },
        middleware: Middleware { [token] action, _, _ in
          .fireAndForget { withExtendedLifetime(token) {} }.throttle(id: action, for: .seconds(1), clock: clock)
        },
        interceptor: Interceptor { [token] _, _, _ in
          withExtendedLifetime(token) {}
          return .pass
        }))
    token = nil
    store.dispatch(1)
    store.dispatch(1)
    #expect(weakToken?.object != nil)
    installation.remove()
    #expect(store.core.memory.pointee.throttles.isEmpty)
    #expect(store.core.memory.pointee.reducers.count == 0)
  }

  @Test(.conformance(63)) func aMiddlewareThatIsInstalledWhileOthersDispatchIsHarmless() async {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    await onThread {
      let workers = (0..<3).map { _ in WorkThread { for _ in 0..<2_000 { store.dispatch(1) } } }
      for _ in 0..<200 {
        let installation = store.install(
          Feature(middleware: Middleware { _, _, state in state() < 0 ? .send(1) : .none }))
        relax()
        installation.remove()
      }
      for worker in workers { worker.join() }
    }
    await store.settle()
    #expect(store.state == 6_000)
  }
}
