import ReeluxCore
import ReeluxTestSupport
import Testing

/// Line 96: children from features, handles, and children of children.
@Suite(.timeLimit(.minutes(15))) struct ChildTreeTests {
  enum RootAction: Sendable, Equatable { case add(Int) }
  enum MiddleAction: Sendable, Equatable { case middle(Int), up(Int), load(Int) }
  enum LeafAction: Sendable, Equatable { case leaf(Int), up(Int), all(Int), load(Int), blocked }

  static func root() -> Store<RootAction, Int> {
    Store(initialState: 0, reducer: Reducer { action, count in if case .add(let number) = action { count += number } })
  }

  static func middle(
    of store: Store<RootAction, Int>, _ door: Door = Door(), _ journal: Journal<String> = Journal()
  ) -> ChildStore<MiddleAction, RootAction, Int, Int> {
    store.child(
      initialState: 0,
      feature: Feature(
        reducer: .partial { action, count in
          guard case .middle(let number) = action else { return false }
          count += number
          return true
        },
        middleware: Middleware { action, _, state in
          journal.write("middle \(action)")
          guard case .load(let number) = action else { return .none }
          return .task {
            await door.pass()
            return .middle(number + state())
          }
        }),
      toRoot: { if case .up(let number) = $0 { .add(number) } else { nil } })
  }

  static func leaf(
    of middle: ChildStore<MiddleAction, RootAction, Int, Int>, _ door: Door = Door(),
    _ journal: Journal<String> = Journal()
  ) -> ChildStore<LeafAction, MiddleAction, ChildState<Int, Int>, Int> {
    middle.child(
      initialState: 0,
      feature: Feature(
        reducer: .partial { action, count in
          switch action {
          case .leaf(let number), .all(let number): count += number
          default: return false
          }
          return true
        },
        middleware: Middleware { action, _, _ in
          journal.write("leaf \(action)")
          guard case .load(let number) = action else { return .none }
          return .task {
            await door.pass()
            return .leaf(number)
          }
        },
        interceptor: Interceptor { action, _, _ in
          switch action {
          case .blocked: .drop
          case .all(let number) where number > 100: .multiply([.leaf(1), .up(1)])
          default: .pass
          }
        }),
      toRoot: { action in
        switch action {
        case .up(let number): .up(number)
        case .all(let number): .middle(number)
        default: nil
        }
      })
  }

  static func numbers(_ state: ChildState<ChildState<Int, Int>, Int>) -> [Int] {
    [state.root.root, state.root.local, state.local]
  }

  @Test(.conformance(96)) func anActionOfAChildsChildReachesEachLevelItMeansSomethingTo() {
    let store = Self.root()
    let journal = Journal<String>()
    let middle = Self.middle(of: store, Door(), journal)
    let leaf = Self.leaf(of: middle, Door(), journal)
    leaf.dispatch(.leaf(1))
    #expect(Self.numbers(leaf.state) == [0, 0, 1])
    leaf.dispatch(.all(2))
    #expect(Self.numbers(leaf.state) == [0, 2, 3])
    leaf.dispatch(.up(5))
    #expect(Self.numbers(leaf.state) == [5, 2, 3])
    #expect(middle.state == ChildState(root: 5, local: 2))
    #expect(
      journal.entries == ["leaf leaf(1)", "leaf all(2)", "middle middle(2)", "leaf up(5)", "middle up(5)"])
    middle.dispatch(.middle(10))
    store.dispatch(.add(100))
    #expect(Self.numbers(leaf.state) == [105, 12, 3])
  }

  @Test(.conformance(96)) func oneActionNotifiesEachObserverOfTheTreeOnceInTheOrderOfSubscription() {
    let store = Self.root()
    let middle = Self.middle(of: store)
    let leaf = Self.leaf(of: middle)
    let journal = Journal<String>()
    let subscriptions = [
      leaf.subscribe { journal.write("leaf \(Self.numbers($0))") },
      store.subscribe { journal.write("root \($0)") },
      middle.subscribe { journal.write("middle \([$0.root, $0.local])") },
    ]
    journal.clear()
    leaf.dispatch(.leaf(1))
    #expect(journal.entries == ["leaf [0, 0, 1]"])
    journal.clear()
    leaf.dispatch(.all(2))
    #expect(journal.entries == ["leaf [0, 2, 3]", "middle [0, 2]"])
    journal.clear()
    leaf.dispatch(.up(5))
    #expect(journal.entries == ["leaf [5, 2, 3]", "root 5", "middle [5, 2]"])
    journal.clear()
    middle.dispatch(.middle(1))
    #expect(journal.entries == ["leaf [5, 3, 3]", "middle [5, 3]"])
    journal.clear()
    leaf.dispatch(.load(0))
    #expect(journal.entries == [])
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(96)) func aChildIsReducedTogetherWithTheFirstActionOfItsParentsInterceptorOrAlone() {
    let store = Self.root()
    let sum = Reducer<Int, Int> { action, count in count += action }
    let middle = store.child(
      initialState: 0,
      feature: Feature(
        reducer: sum,
        interceptor: Interceptor { action, _, _ in action == 5 ? .drop : .multiply([action, action * 10]) }))
    let leaf = middle.child(initialState: 0, feature: Feature(reducer: sum), toRoot: { $0 })
    let journal = Journal<[Int]>()
    let subscription = leaf.subscribe { journal.write(Self.numbers($0)) }
    leaf.dispatch(1)
    leaf.dispatch(5)
    #expect(journal.entries == [[0, 0, 0], [0, 1, 1], [0, 11, 1], [0, 11, 6]])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(96)) func anObserverThatSubscribesInItsFirstCallStaysBeforeTheNewOne() {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { action, count in count += action })
    let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { action, count in count += action })
    let journal = Journal<String>()
    let inner = Locked<Subscription?>(nil)
    let outer = child.subscribe { _ in
      journal.write("outer")
      if inner.withLock({ $0 == nil }) {
        let subscription = child.subscribe { _ in journal.write("inner") }
        inner.withLock { $0 = subscription }
      }
    }
    journal.clear()
    store.dispatch(1)
    child.dispatch(1)
    #expect(journal.entries == ["outer", "inner", "outer", "inner"])
    withExtendedLifetime(outer) {}
  }

  @Test(.conformance(96)) func theInterceptorOfAChildsFeatureDecidesAboutItsActions() {
    let store = Self.root()
    let middle = Self.middle(of: store)
    let journal = Journal<String>()
    let leaf = Self.leaf(of: middle, Door(), journal)
    leaf.dispatch(.blocked)
    leaf.dispatch(.all(101))
    #expect(journal.entries == ["leaf leaf(1)", "leaf up(1)"])
    #expect(Self.numbers(leaf.state) == [1, 0, 1])
  }

  @Test(.conformance(96)) func theHandleOfAChildsActionWaitsForItsEffects() async {
    let store = Self.root()
    let doors = [Door(), Door()]
    let middle = Self.middle(of: store, doors[0])
    let leaf = Self.leaf(of: middle, doors[1])
    let loads = [middle.dispatch(.load(4)), leaf.dispatch(.load(7))]
    await loads[0].reduced()
    #expect(Self.numbers(leaf.state) == [0, 0, 0])
    doors[0].open()
    await loads[0].finish()
    #expect(Self.numbers(leaf.state) == [0, 4, 0])
    doors[1].open()
    await loads[1].finish()
    #expect(Self.numbers(leaf.state) == [0, 4, 7])
  }

  @Test(.conformance(96)) func theHandleOfAChildsActionThatWaitedInTheQueueWaitsAndCancels() async {
    let store = Self.root()
    let middle = Self.middle(of: store, Door())
    let leaf = Self.leaf(of: middle, Door())
    let tasks = Journal<ActionTask>()
    let subscription = store.subscribe { count in
      if count == 1 { tasks.write(leaf.dispatch(.load(7))) }
      if count == 1 { tasks.write(leaf.dispatch(.leaf(2))) }
    }
    store.dispatch(.add(1))
    await tasks.entries[1].finish()
    #expect(Self.numbers(leaf.state) == [1, 0, 2])
    tasks.entries[0].cancel()
    await tasks.entries[0].finish()
    #expect(Self.numbers(leaf.state) == [1, 0, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(96)) func aChildSettles() async {
    let store = Self.root()
    let door = Door()
    let middle = Self.middle(of: store)
    let leaf = Self.leaf(of: middle, door)
    leaf.dispatch(.load(7))
    door.open()
    await leaf.settle()
    #expect(Self.numbers(leaf.state) == [0, 0, 7])
    await middle.settle()
  }

  @Test(.conformance(96)) func aChildsChildEndsAloneAndKeepsItsParents() {
    var store: Store<RootAction, Int>? = Self.root()
    let weakStore = store.map { Weak($0) }
    var middle = store.map { Self.middle(of: $0) }
    let weakMiddle = middle.map { Weak($0) }
    var leaf = middle.map { Self.leaf(of: $0) }
    let weakLeaf = leaf.map { Weak($0) }
    let seen = Journal<[Int]>()
    let subscription = leaf?.subscribe { seen.write(Self.numbers($0)) }
    store = nil
    middle = nil
    leaf?.dispatch(.up(2))
    #expect(seen.entries == [[0, 0, 0], [2, 0, 0]])
    #expect(weakStore?.object != nil && weakMiddle?.object != nil)
    leaf = nil
    #expect(weakLeaf?.object == nil)
    #expect(weakMiddle?.object == nil)
    #expect(weakStore?.object == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(96)) func theStoreKeepsNoObserverOfAChildThatEnded() {
    final class Screen: Sendable {}
    let store = Self.root()
    var middle = Optional(Self.middle(of: store))
    var leaf = middle.map { Self.leaf(of: $0) }
    var screen: Screen? = Screen()
    let weakScreen = screen.map { Weak($0) }
    let subscription = leaf?.subscribe { [screen] _ in withExtendedLifetime(screen) {} }
    screen = nil
    #expect(weakScreen?.object != nil && store.observerCount == 1)
    leaf = nil
    middle = nil
    #expect(weakScreen?.object == nil && store.observerCount == 0)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(54), .conformance(96)) func feedsOfAChildsChildFollowTheStatesOfAllLevels() async {
    struct Following: FeedingMiddleware {
      let opened: Journal<String>
      let door: Door
      func handle(
        action: LeafAction, from source: ActionSource, state: GetState<ChildState<ChildState<Int, Int>, Int>>
      ) -> Effect<LeafAction> { .none }
      func feeds(for state: ChildState<ChildState<Int, Int>, Int>) -> [Feed<LeafAction>] {
        let key = "\(ChildTreeTests.numbers(state))"
        return [
          Feed(key: key) { [opened, door] _ in
            opened.write(key)
            await door.pass()
          }
        ]
      }
    }
    let store = Self.root()
    let middle = Self.middle(of: store)
    let opened = Journal<String>()
    let door = Door()
    let leaf = middle.child(
      initialState: 0,
      reducer: Reducer<LeafAction, Int> { action, count in if case .leaf(let number) = action { count += number } },
      middleware: Middleware(Following(opened: opened, door: door)))
    store.dispatch(.add(1))
    middle.dispatch(.middle(1))
    leaf.dispatch(.leaf(1))
    leaf.dispatch(.up(1))
    #expect(store.effects.running.filter(\.isFeed).count == 1)
    await opened.reaches { $0.last == "[1, 1, 1]" }
    door.open()
  }

  @Test(.conformance(96)) func theEffectsOfAChildsMiddlewaresBeginWithTheLastOne() {
    let child = Self.root().child(
      initialState: [],
      feature: Feature<Int, [Int]> {
        Reducer { $1.append($0) }
        Middleware { action, _, _ in action == 0 ? .send(1) : .none }
        Middleware { action, _, _ in action == 0 ? .send(2) : .none }
      })
    child.dispatch(0)
    #expect(child.state.local == [0, 2, 1])
  }

  private final class Session: Sendable {
    let end: @Sendable () -> Void
    init(end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  @Test(.conformance(96)) func aMappedActionIsReleasedAfterTheReducers() {
    let store = Self.root()
    let middle = store.child(
      initialState: 0, feature: Feature<Session, Int>(reducer: Reducer { _, count in count += 1 }))
    let leaf = middle.child(
      initialState: 0, feature: Feature<Int, Int>(reducer: Reducer { $1 += $0 }),
      toRoot: { _ in Session { store.dispatch(.add(1)) } })
    leaf.dispatch(1)
    #expect(store.state == 1)
    #expect(leaf.state.root.local == 1)
    #expect(leaf.state.local == 1)
  }
}
