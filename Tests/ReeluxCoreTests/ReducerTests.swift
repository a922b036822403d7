@testable import ReeluxCore
import ReeluxTestSupport
import Testing

/// Section D: reducers, their composition and their lifts.
@Suite(.timeLimit(.minutes(15))) struct ReducerTests {
  // MARK: Generated reducers

  /// A reducer with a description for failure messages.
  enum Recipe: Sendable, CaseIterable {
    case add, double, reverse, refuse, onlyEven, append

    var reducer: Reducer<Int, [Int]> {
      switch self {
      case .add: Reducer { action, state in state = state.map { $0 &+ action } }
      case .double: Reducer { _, state in state = state.map { $0 &* 2 } }
      case .reverse: Reducer { _, state in state.reverse() }
      case .refuse: .partial { _, _ in false }
      case .onlyEven:
        .partial { action, state in
          guard action % 2 == 0 else { return false }
          state.append(action)
          return true
        }
      case .append: Reducer { action, state in state.append(action) }
      }
    }
  }

  static func reducer(_ generator: inout SplitMix64) -> Reducer<Int, [Int]> {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      Recipe.allCases.randomElement(using: &generator)?.reducer ?? .identity
    }.joined()
  }

  /// The results of a reducer for generated states and actions.
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

  static func inputs(_ generator: inout SplitMix64) -> ([Int], [[Int]]) {
    let actions = (0..<8).map { _ in Int.random(in: -9...9, using: &generator) }
    let states = (0..<5).map { _ in
      (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: -9...9, using: &generator) }
    }
    return (actions, states)
  }

  @Test(.conformance(34), arguments: 0..<100) func identityAndAssociativityHold(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
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
  /// The same prism, but the store must call `extract` each time.
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
    var generator = SplitMix64(seed: UInt64(seed))
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
    #expect(agrees(a.lift(action: Self.first).lift(action: .identity, state: \.first)))
    #expect(agrees(a.lift(action: .identity, state: \State.first).lift(action: Self.first)))
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
      var generator = SplitMix64(seed: UInt64(seed))
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
    var generator = SplitMix64(seed: UInt64(seed))
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

  /// A store calls a prism for the actions that it claims only.
  @Test(.conformance(36)) func aPrismThatIsAppendedToTheIdentityClaimsItsCaseOnly() {
    for prism in [Self.second.appending(.identity), Prism<Action, Action>.identity.appending(Self.second)] {
      #expect([Action.first(1), .second(1), .nothing].map { prism.claims?($0) } == [false, true, false])
    }
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
