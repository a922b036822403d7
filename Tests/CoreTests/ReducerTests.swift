@testable import Core
import CoreTesting
import Testing

/// Section D: reducers, their composition and their lifts.
@Suite struct ReducerTests {
  // MARK: Generated reducers

  /// A reducer that can be described, so that a failure can be read.
  enum Recipe: Sendable, CaseIterable {
    case add, double, reverse, refuse, onlyEven, append

    var reducer: Reducer<Int, [Int]> {
      switch self {
      case .add: Reducer { action, state in state = state.map { $0 &+ action } }
      case .double: Reducer { _, state in state = state.map { $0 &* 2 } }
      case .reverse: Reducer { _, state in state.reverse() }
      case .refuse: .accepting { _, _ in false }
      case .onlyEven:
        .accepting { action, state in
          guard action % 2 == 0 else { return false }
          state.append(action)
          return true
        }
      case .append: Reducer { action, state in state.append(action) }
      }
    }
  }

  static func reducer(_ generator: inout SeededGenerator) -> Reducer<Int, [Int]> {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      Recipe.allCases.randomElement(using: &generator)?.reducer ?? .identity
    }.joined()
  }

  /// What a reducer does to generated states under generated actions.
  static func outcome<Action: Sendable, State: Sendable>(
    _ reducer: Reducer<Action, State>, _ actions: [Action], _ states: [State]
  ) -> [(State, Bool)] {
    states.flatMap { state in
      actions.map { action in
        var copy = state
        let accepted = reducer.reduce(action, &copy)
        return (copy, accepted)
      }
    }
  }

  static func same<State: Equatable>(_ lhs: [(State, Bool)], _ rhs: [(State, Bool)]) -> Bool {
    lhs.map(\.0) == rhs.map(\.0) && lhs.map(\.1) == rhs.map(\.1)
  }

  static func inputs(_ generator: inout SeededGenerator) -> ([Int], [[Int]]) {
    let actions = (0..<8).map { _ in Int.random(in: -9...9, using: &generator) }
    let states = (0..<5).map { _ in
      (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: -9...9, using: &generator) }
    }
    return (actions, states)
  }

  @Test(.conformance(34), arguments: 0..<100) func identityAndAssociativityHold(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (actions, states) = Self.inputs(&generator)
    let a = Self.reducer(&generator)
    let b = Self.reducer(&generator)
    let c = Self.reducer(&generator)
    let plain = Self.outcome(a, actions, states)
    #expect(Self.same(Self.outcome(.identity <> a, actions, states), plain))
    #expect(Self.same(Self.outcome(a <> .identity, actions, states), plain))
    #expect(
      Self.same(Self.outcome((a <> b) <> c, actions, states), Self.outcome(a <> (b <> c), actions, states)))
    #expect(Self.outcome(.identity, actions, states).allSatisfy { !$0.1 })
    let built = Reducer<Int, [Int]>.compose {
      a
      b
      c
    }
    #expect(Self.same(Self.outcome(built, actions, states), Self.outcome(a <> b <> c, actions, states)))
  }

  @Test(.conformance(35)) func theSecondSeesTheFirstOnesChangeAndOrderMatters() {
    let add = Reducer<Int, Int> { action, state in state += action }
    let double = Reducer<Int, Int> { _, state in state *= 2 }
    var first = 1
    (add <> double).reduce(3, &first)
    #expect(first == 8)
    var second = 1
    (double <> add).reduce(3, &second)
    #expect(second == 5)
  }

  @Test(.conformance(35)) func anEmptyBuilderIsIdentityAndConditionsAndLoopsWork() {
    var state = [1]
    #expect(Reducer<Int, [Int]>.compose {}.reduce(1, &state) == false)
    #expect(state == [1])
    #expect(Reducer<Int, [Int]>.compose {}.units.isEmpty)
    for flag in [true, false] {
      let built = Reducer<Int, [Int]>.compose {
        if flag { Recipe.append.reducer }
        if flag { Recipe.double.reducer } else { Recipe.reverse.reducer }
        for _ in 0..<3 { Recipe.append.reducer }
      }
      #expect(built.units.count == (flag ? 5 : 4))
    }
  }

  @Test(.conformance(35)) func compositionIsFlat() {
    let one = Recipe.append.reducer
    let many = ((one <> .identity) <> (one <> one)) <> .identity <> .compose { one <> one }
    #expect(many.units.count == 5)
    #expect(many.lift(action: .identity, state: \[Int].self).units.count == 5)
  }

  // MARK: Lifts

  enum Action: Sendable, Equatable {
    case first(Int)
    case second(Int)
    case nothing
  }
  struct State: Sendable, Equatable {
    var first: [Int] = []
    var second: [Int] = []
    var setterCalls = 0
    var computed: [Int] {
      get { first }
      set {
        setterCalls += 1
        first = newValue
      }
    }
  }
  static let first = Prism(case: Action.first) { if case .first(let it) = $0 { it } else { nil } }
  static let second = Prism(case: Action.second) { if case .second(let it) = $0 { it } else { nil } }
  /// The same, but the store has to ask it each time.
  static let askedFirst = Prism(embed: Action.first) { if case .first(let it) = $0 { it } else { nil } }

  @Test(.conformance(36)) func anUnmatchedActionLeavesTheWholeUntouchedAndTheSetterUncalled() {
    let reducer = Recipe.append.reducer
    let setterCalls = Journal<Int>()
    let lifts: [Reducer<Action, State>] = [
      reducer.lift(action: Self.first, state: \.first),
      reducer.lift(action: Self.first, state: \.computed),
      reducer.lift(action: Self.askedFirst, state: \.computed),
      reducer.lift(
        action: Self.first, get: { $0.first },
        set: {
          setterCalls.write(1)
          $0.first = $1
        }),
      reducer.lift(action: Self.first.appending(.identity), state: \.computed),
      reducer.lift(action: .identity, state: \.self).lift(action: Self.first, state: \.computed),
    ]
    for lift in lifts {
      var state = State()
      #expect(lift.reduce(.second(1), &state) == false)
      #expect(lift.reduce(.nothing, &state) == false)
      #expect(state == State())
      #expect(lift.reduce(.first(1), &state))
      #expect(state.first == [1])
    }
    #expect(setterCalls.count == 1)
  }

  @Test(.conformance(36)) func aRefusedActionDoesNotCallTheClosureSetter() {
    let lift = Recipe.refuse.reducer.lift(
      action: Self.first, get: { (state: State) in state.first }, set: { $0.computed = $1 })
    var state = State()
    #expect(!lift.reduce(.first(1), &state))
    #expect(state.setterCalls == 0)
  }

  @Test(.conformance(37), arguments: 0..<50) func theLiftsAgreeAndDistributeAndCompose(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (numbers, lists) = Self.inputs(&generator)
    let actions = numbers.flatMap { [Action.first($0), .second($0)] } + [.nothing]
    let states = lists.map { State(first: $0, second: $0.reversed()) }
    let a = Self.reducer(&generator)
    let b = Self.reducer(&generator)
    let path = Self.outcome(a.lift(action: Self.first, state: \.first), actions, states)
    func agrees(_ other: Reducer<Action, State>, _ expected: [(State, Bool)]? = nil) -> Bool {
      Self.same(Self.outcome(other, actions, states), expected ?? path)
    }
    #expect(agrees(a.lift(action: Self.first, get: { $0.first }, set: { $0.first = $1 })))
    #expect(agrees(a.lift(action: Self.first).lift(state: \.first)))
    #expect(agrees(a.lift(state: \State.first).lift(action: Self.first)))
    #expect(agrees(a.lift(action: Self.askedFirst, state: \.first)))
    // Identity is lifted to identity.
    let identity = Reducer<Int, [Int]>.identity.lift(action: Self.first, state: \State.first)
    #expect(identity.units.isEmpty)
    // Lifting distributes over composition.
    let parts = a.lift(action: Self.first, state: \State.first) <> b.lift(action: Self.first, state: \State.first)
    #expect(agrees((a <> b).lift(action: Self.first, state: \.first), Self.outcome(parts, actions, states)))
    // Two lifts are one.
    struct Outer: Sendable, Equatable {
      var padding = 0
      var inner: State
    }
    enum OuterAction: Sendable { case inner(Action), other }
    let inner = Prism(case: OuterAction.inner) { if case .inner(let it) = $0 { it } else { nil } }
    let twice = a.lift(action: Self.first, state: \State.first).lift(action: inner, state: \Outer.inner)
    let once = a.lift(action: inner.appending(Self.first), state: \Outer.inner.first)
    let outerActions = actions.map { OuterAction.inner($0) } + [.other]
    let outerStates = states.map { Outer(inner: $0) }
    #expect(
      Self.same(
        Self.outcome(twice, outerActions, outerStates), Self.outcome(once, outerActions, outerStates)))
  }

  @Test(.conformance(37)) func theStoreAgreesWithTheReducerAlone() {
    for seed in 0..<30 {
      var generator = SeededGenerator(seed: UInt64(seed))
      let (numbers, _) = Self.inputs(&generator)
      let reducer = Reducer<Action, State>.compose {
        Self.reducer(&generator).lift(action: Self.first, state: \.first)
        Self.reducer(&generator).lift(action: Self.askedFirst, state: \.second)
        Self.reducer(&generator).lift(action: Self.second, state: \.computed)
        Self.reducer(&generator).lift(action: Self.second, get: { $0.second }, set: { $0.second = $1 })
      }
      let store = Store(initialState: State(), reducer: reducer)
      var alone = State()
      for number in numbers {
        for action in [Action.first(number), .nothing, .second(number)] {
          store.dispatch(action)
          reducer.reduce(action, &alone)
          #expect(store.state == alone)
        }
      }
    }
  }

  @Test(.conformance(37), arguments: 0..<20) func prismsObeyTheirLaws(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    func check<Whole: Sendable & Equatable, Part: Sendable & Equatable>(
      _ prism: Prism<Whole, Part>, _ wholes: [Whole], _ parts: [Part]
    ) {
      for part in parts { #expect(prism.extract(prism.embed(part)) == part) }
      for whole in wholes {
        if let part = prism.extract(whole) { #expect(prism.embed(part) == whole) }
      }
    }
    let numbers = (0..<10).map { _ in Int.random(in: .min ... .max, using: &generator) }
    let actions = numbers.flatMap { [Action.first($0), .second($0), .nothing] }
    check(Self.first, actions, numbers)
    check(Self.askedFirst, actions, numbers)
    check(Prism<Action, Action>.identity, actions, actions)
    check(Self.first.appending(.identity), actions, numbers)
    check(Prism<Action, Action>.identity.appending(Self.second), actions, numbers)
    #expect(actions.allSatisfy { Prism<Action, Never>.never.extract($0) == nil })
  }

  // MARK: Collections

  struct Element: Sendable, Identifiable, Equatable {
    let id: Int
    var name = ""
    var values: [Int] = []
  }
  struct Many: Sendable, Equatable {
    var list: [Element] = (0..<4).map { Element(id: $0 * 10, name: "\($0)") }
    var byKey: [String: Element] = ["a": Element(id: 1), "b": Element(id: 2)]
    var fast = FastList()
    var optional: Element?
  }
  struct FastList: IdentifiedCollection, Sendable, Equatable {
    var elements = (0..<4).map { Element(id: $0 * 10) }
    var startIndex: Int { elements.startIndex }
    var endIndex: Int { elements.endIndex }
    func index(after index: Int) -> Int { index + 1 }
    subscript(position: Int) -> Element {
      get { elements[position] }
      set { elements[position] = newValue }
    }
    func index(id: Int) -> Int? { id % 10 == 0 && elements.indices.contains(id / 10) ? id / 10 : nil }
  }
  static let append = Reducer<Int, Element> { action, element in element.values.append(action) }

  @Test(.conformance(38)) func aLiftIntoACollectionChangesOnlyTheAddressedElement() {
    let byID = Self.append.lift(action: Prism.identity, element: \Many.list)
    let byName = Self.append.lift(action: Prism.identity, element: \Many.list, id: \.name)
    let byIndex = Self.append.lift(action: Prism.identity, index: \Many.list)
    let byKey = Self.append.lift(action: Prism.identity, key: \Many.byKey)
    let fast = Self.append.lift(action: Prism.identity, element: \Many.fast)
    var state = Many()
    #expect(byID.reduce(ElementAction(20, 1), &state))
    #expect(byName.reduce(ElementAction("2", 2), &state))
    #expect(byIndex.reduce(ElementAction(2, 3), &state))
    #expect(byKey.reduce(ElementAction("b", 4), &state))
    #expect(fast.reduce(ElementAction(30, 5), &state))
    var expected = Many()
    expected.list[2].values = [1, 2, 3]
    expected.byKey["b"]?.values = [4]
    expected.fast.elements[3].values = [5]
    #expect(state == expected)
  }

  @Test(.conformance(38)) func aMissingElementIsNoErrorAndNotAccepted() {
    var state = Many()
    #expect(!Self.append.lift(action: Prism.identity, element: \Many.list).reduce(ElementAction(7, 1), &state))
    #expect(
      !Self.append.lift(action: Prism.identity, element: \Many.list, id: \.name)
        .reduce(ElementAction("x", 1), &state))
    for index in [-1, 4, .max, .min] {
      #expect(
        !Self.append.lift(action: Prism.identity, index: \Many.list).reduce(ElementAction(index, 1), &state))
    }
    #expect(!Self.append.lift(action: Prism.identity, key: \Many.byKey).reduce(ElementAction("x", 1), &state))
    #expect(!Self.append.lift(action: Prism.identity, element: \Many.fast).reduce(ElementAction(7, 1), &state))
    #expect(state == Many())
  }

  @Test(.conformance(38)) func anIdentifiedCollectionIsNotSearched() {
    struct Watched: IdentifiedCollection, Sendable {
      let visits: Journal<Int>
      var elements = (0..<1_000).map { Element(id: $0) }
      var startIndex: Int { 0 }
      var endIndex: Int { elements.count }
      func index(after index: Int) -> Int { index + 1 }
      subscript(position: Int) -> Element {
        get {
          visits.write(position)
          return elements[position]
        }
        set { elements[position] = newValue }
      }
      func index(id: Int) -> Int? { elements.indices.contains(id) ? id : nil }
    }
    struct Holder: Sendable { var watched: Watched }
    let visits = Journal<Int>()
    var state = Holder(watched: Watched(visits: visits))
    let lift = Self.append.lift(action: Prism.identity, element: \Holder.watched)
    #expect(lift.reduce(ElementAction(900, 1), &state))
    #expect(Set(visits.entries) == [900])
    #expect(state.watched.elements[900].values == [1])
  }

  @Test(.conformance(39)) func aLiftIntoAnOptionalDoesNothingForNone() {
    let lift = Self.append.lift(action: Prism.identity, optional: \Many.optional)
    var state = Many()
    #expect(!lift.reduce(1, &state))
    #expect(state == Many())
    state.optional = Element(id: 1)
    #expect(lift.reduce(1, &state))
    #expect(state.optional?.values == [1])
  }

  @Test(.conformance(39)) func aLiftOverEachElementHitsEachOnce() {
    let lift = Self.append.lift(action: Prism.identity, each: \Many.list)
    var state = Many()
    #expect(lift.reduce(7, &state))
    #expect(state.list.map(\.values) == Array(repeating: [7], count: 4))
    state.list = []
    #expect(!lift.reduce(7, &state))
  }

  // MARK: In place

  struct Big: Sendable {
    var other = 0
    var array = Array(repeating: 0, count: 100_000)
    var element = Element(id: 1, values: Array(repeating: 0, count: 100_000))
    var optional: [Int]? = Array(repeating: 0, count: 100_000)
    var list = [Element(id: 1, values: Array(repeating: 0, count: 100_000))]
    var byKey = ["a": Array(repeating: 0, count: 100_000)]
  }
  enum BigAction: Sendable {
    case array(Int), other(Int), element(Int), optional(Int), list(ElementAction<Int, Int>)
    case index(ElementAction<Int, Int>), each(Int), byKey(ElementAction<String, Int>)
  }

  static var bigReducer: Reducer<BigAction, Big> {
    let set = Reducer<Int, [Int]> { action, array in array[action] += 1 }
    let setElement = Reducer<Int, Element> { action, element in element.values[action] += 1 }
    return .compose {
      set.lift(action: Prism(case: BigAction.array) { if case .array(let it) = $0 { it } else { nil } }, state: \.array)
      Reducer<Int, Int> { $1 = $0 }
        .lift(action: Prism(case: BigAction.other) { if case .other(let it) = $0 { it } else { nil } }, state: \.other)
      set.lift(
        action: Prism(case: BigAction.element) { if case .element(let it) = $0 { it } else { nil } },
        state: \.element.values)
      set.lift(
        action: Prism(case: BigAction.optional) { if case .optional(let it) = $0 { it } else { nil } },
        optional: \.optional)
      setElement.lift(
        action: Prism(case: BigAction.list) { if case .list(let it) = $0 { it } else { nil } }, element: \.list)
      setElement.lift(
        action: Prism(case: BigAction.index) { if case .index(let it) = $0 { it } else { nil } }, index: \.list)
      setElement.lift(
        action: Prism(case: BigAction.each) { if case .each(let it) = $0 { it } else { nil } }, each: \.list)
      set.lift(action: Prism(case: BigAction.byKey) { if case .byKey(let it) = $0 { it } else { nil } }, key: \.byKey)
    }
  }

  /// Where the elements of all large arrays lie.
  static func places(_ state: Big) -> [UInt] {
    [state.array, state.element.values, state.optional ?? [], state.list[0].values, state.byKey["a"] ?? []]
      .map { $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
  }

  @Test(.conformance(40), arguments: [false, true]) func aLargeArrayIsChangedInPlace(withSubscribers: Bool) {
    let store = Store(initialState: Big(), reducer: Self.bigReducer)
    let changes = Journal<Int>()
    let slots = Journal<Int>()
    let subscriptions: [Subscription] =
      withSubscribers
      ? [
        store.select(\.other).subscribe { changes.write($0) },
        store.select { $0.array[17] }.subscribe { slots.write($0) },
        store.subscribe { _ in },
      ] : []
    // Whoever made the state has let go of it: the first change may copy, the following may not.
    let actions: [BigAction] = [
      .array(17), .element(17), .optional(17), .list(ElementAction(1, 17)), .index(ElementAction(0, 17)), .each(17),
      .byKey(ElementAction("a", 17)),
    ]
    for action in actions { store.dispatch(action) }
    let before = store.withState(Self.places)
    for action in actions {
      for _ in 0..<3 { store.dispatch(action) }
      #expect(store.withState(Self.places) == before, "\(action)")
    }
    #expect(
      store.withState {
        [$0.array[17], $0.element.values[17], $0.optional?[17], $0.list[0].values[17], $0.byKey["a"]?[17]]
      } == [4, 4, 4, 12, 4])
    if withSubscribers {
      #expect(changes.entries == [0])
      #expect(slots.entries == [0, 1, 2, 3, 4])
    }
    withExtendedLifetime(subscriptions) {}
  }

  @Test(.conformance(40)) func aLiftedFeatureWithAMiddlewareAndAFeedReducesInPlace() {
    struct Wishing: FeedingMiddleware {
      func handle(action: Int, from source: ActionSource, state: GetState<[Int]>) -> Effect<Int> {
        state()[0] > 100 ? .send(0) : .none
      }
      func feeds(for state: [Int]) -> [Feed<Int>] { [] }
    }
    let feature = Feature<Int, [Int]>(
      reducer: Reducer { action, array in array[action] += 1 }, middleware: Middleware(Wishing()))
    let prism = Prism(case: BigAction.array) { if case .array(let it) = $0 { it } else { nil } }
    let store = Store(initialState: Big(), feature: feature.lift(action: prism, state: \Big.array))
    let child = store.child(initialState: 0, reducer: Reducer<Int, Int> { _, _ in }, toRoot: { .array($0) })
    store.dispatch(.array(1))
    let before = store.withState(Self.places)
    for _ in 0..<3 { store.dispatch(.array(1)) }
    child.dispatch(1)
    #expect(store.withState(Self.places) == before)
    #expect(store.withState { $0.array[1] } == 5)
  }

  // MARK: Open action types

  protocol OpenAction: Sendable {}
  protocol OpenState: Sendable {}
  struct SetName: OpenAction { let name: String }
  struct SetAge: OpenAction { let age: Int }
  struct Person: OpenState, Equatable {
    var name = ""
    var age = 0
  }
  struct Place: OpenState, Equatable { var name = "" }

  @Test(.conformance(41)) func anOpenSetOfActionsIsServedByACastingPrism() {
    let name = Reducer<SetName, String> { $1 = $0.name }
      .lift(action: Prism<any OpenAction, SetName>.cast { $0 }, state: \Person.name)
    let age = Reducer<SetAge, Int> { $1 = $0.age }
      .lift(action: Prism<any OpenAction, SetAge>.cast { $0 }, state: \Person.age)
    let store = Store(initialState: Person(), reducer: name <> age)
    store.dispatch(SetName(name: "Maria"))
    store.dispatch(SetAge(age: 100))
    #expect(store.state == Person(name: "Maria", age: 100))
    let prism = Prism<any OpenAction, SetName>.cast { $0 }
    #expect(prism.extract(prism.embed(SetName(name: "x")))?.name == "x")
    #expect(prism.extract(SetAge(age: 1)) == nil)
  }

  @Test(.conformance(41)) func aTypedReducerRunsIfAndOnlyIfBothTypesMatch() {
    let reducer =
      Reducer<any OpenAction, any OpenState>.typed { (action: SetName, state: inout Person) in
        state.name = action.name
      }
      <> .typed { (action: SetName, state: inout Place) in state.name = "at " + action.name }
      <> .typed { (action: SetAge, state: inout Person) in state.age = action.age }
    var state: any OpenState = Person()
    #expect(reducer.reduce(SetName(name: "a"), &state))
    #expect(reducer.reduce(SetAge(age: 3), &state))
    #expect(state as? Person == Person(name: "a", age: 3))
    state = Place()
    #expect(reducer.reduce(SetName(name: "a"), &state))
    #expect(!reducer.reduce(SetAge(age: 3), &state))
    #expect(state as? Place == Place(name: "at a"))
  }

  // MARK: Routing by case

  @Test(.conformance(36)) func actionsReachTheirCasesWhateverTheEnumLooksLike() {
    enum Single: Sendable { case only(Int) }
    enum Indirect: Sendable {
      case leaf(Int)
      indirect case node(Indirect)
      case empty
    }
    enum Mixed: Sendable { case text(String), number(Int), object(Token), a, b, c }
    func count<Action: Sendable, Part: Sendable>(_ prism: Prism<Action, Part>, _ actions: [Action]) -> Int {
      let store = Store(
        initialState: 0, reducer: Reducer<Part, Int> { _, count in count += 1 }.lift(action: prism))
      for action in actions { store.dispatch(action) }
      return store.state
    }
    #expect(count(Prism(case: Single.only) { if case .only(let it) = $0 { it } else { nil } }, [.only(1)]) == 1)
    let indirect: [Indirect] = [.leaf(1), .node(.leaf(2)), .empty, .node(.node(.empty))]
    #expect(count(Prism(case: Indirect.node) { if case .node(let it) = $0 { it } else { nil } }, indirect) == 2)
    #expect(count(Prism(case: Indirect.leaf) { if case .leaf(let it) = $0 { it } else { nil } }, indirect) == 1)
    let mixed: [Mixed] = [.text("x"), .number(1), .object(Token()), .a, .b, .c, .text("")]
    #expect(count(Prism(case: Mixed.text) { if case .text(let it) = $0 { it } else { nil } }, mixed) == 2)
    #expect(count(Prism(case: Mixed.object) { if case .object(let it) = $0 { it } else { nil } }, mixed) == 1)
    let b = Prism<Mixed, Void>(case: { .b }, extract: { if case .b = $0 { () } else { nil } })
    #expect(count(b, mixed) == 1)
    let optional: [Int?] = [1, nil, 2]
    #expect(count(Prism(case: Int?.some) { $0 }, optional) == 2)
  }
}
