import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// The part of the state that a lifted middleware belongs to, whatever lifts led to it.
@Suite(.timeLimit(.minutes(15))) struct LiftPlaceTests {
  struct Row: Sendable, Identifiable {
    var id: Int
    var count = 0
  }
  struct Part: Sendable {
    var sum = 0
    var rows = [Row(id: 1), Row(id: 2)]
    var sheet: Row? = Row(id: 7)
    var only = Only()
    /// A computed property of the same type.
    var reversed: Part {
      get { Part(rows: rows.reversed(), sheet: sheet) }
      set { rows = newValue.rows.reversed() }
    }
  }
  /// A struct with the same bytes as its only property.
  struct Only: Sendable {
    var value = 0
  }
  struct Empty: Sendable {}
  struct App: Sendable {
    var part = Part()
    var empty = Empty()
    var other = Part()
  }
  enum Action: Sendable { case start, cancel }

  /// A middleware whose effect for `start` runs until it is cancelled or the door opens.
  static func running<State: Sendable>(_ door: Door, _: State.Type) -> Feature<Action, State> {
    Feature(
      middleware: Middleware { action, _, _ in
        if case .start = action { .run { _ in await door.pass() } } else { .none }
      })
  }

  /// A middleware that returns this effect for `cancel`.
  static func cancelling<State: Sendable>(_ effect: Effect<Action>, _: State.Type) -> Feature<Action, State> {
    Feature(middleware: Middleware { action, _, _ in if case .cancel = action { effect } else { .none } })
  }

  /// An action that addresses the first row.
  static let firstRow = Prism<Action, ElementAction<Int, Action>>(
    embed: { $0.action }, extract: { ElementAction(1, $0) })

  /// The number of effects that run before and after `cancel`.
  static func counts(_ door: Door, _ feature: Feature<Action, App>) async -> [Int] {
    let store = Store(initialState: App(), feature: feature)
    store.dispatch(.start)
    let before = store.effects.running.count
    store.dispatch(.cancel)
    let after = store.effects.running.count
    door.open()
    await store.settle()
    return [before, after]
  }

  // MARK: A parent

  @Test(.conformance(90)) func aParentCancelsWhatIsLiftedByALongerPathInOneStep() async {
    let door = Door()
    let counts = await Self.counts(
      door,
      Feature {
        Self.running(door, Int.self).lift(action: .identity, state: \App.part.sum)
        Self.running(door, Int.self).lift(action: .identity, state: \App.part.only.value)
        Self.running(door, Row.self).lift(action: Self.firstRow, element: .byID(\App.part.rows))
        Self.running(door, Row.self).lift(action: .identity, optional: \App.part.sheet)
        Self.running(door, Row.self).lift(action: .identity, each: \App.part.rows)
        Self.running(door, Int.self).lift(action: .identity, state: \Part.sum).lift(action: .identity, state: \App.part)
        Self.cancelling(.cancel(everythingIn: \App.part), App.self)
      })
    #expect(counts == [7, 0])
  }

  @Test(.conformance(90)) func aParentCancelsWhatIsLiftedInTwoStepsByAComputedProperty() async {
    let door = Door()
    let counts = await Self.counts(
      door,
      Feature {
        Self.running(door, Int.self).lift(action: .identity, state: \Part.sum)
          .lift(action: .identity, state: \App.part.reversed)
        Self.running(door, Part.self).lift(action: .identity, state: \Part.reversed)
          .lift(action: .identity, state: \Part.self).lift(action: .identity, state: \App.part)
        Self.cancelling(.cancel(everythingIn: \App.part.reversed), App.self)
      })
    #expect(counts == [2, 0])
  }

  @Test(.conformance(90)) func aParentOfAStructWithOnePropertyCancelsWhatIsLiftedToTheProperty() async {
    let door = Door()
    let counts = await Self.counts(
      door,
      Feature {
        Self.running(door, Int.self).lift(action: .identity, state: \App.part.only.value)
        Self.cancelling(.cancel(everythingIn: \App.part.only), App.self)
      })
    #expect(counts == [1, 0])
  }

  /// The middlewares of a store have the paths of their lifts, and those of a child store also the path of its own
  /// state.
  @Test(.conformance(90), arguments: [false, true])
  func toTheWholeStateBelongsWhatIsLiftedByAKeyPath(inAChildStore: Bool) async {
    let door = Door()
    let feature = Feature<Action, App> {
      Self.running(door, Int.self).lift(action: .identity, state: \App.part.sum)
      Self.running(door, Part.self).lift(action: .identity, state: \App.part.reversed)
      Self.running(door, Int.self).lift(action: .identity, state: \Part.sum).lift(action: .identity, state: \App.part)
      Self.running(door, Int.self).lift(action: .identity, state: \Part.reversed.sum)
        .lift(action: .identity, state: \App.part)
      Self.running(door, Empty.self).lift(action: .identity, state: \App.empty)
      Self.running(door, Row.self).lift(action: .identity, each: \App.part.reversed.rows)
      Self.running(door, Row.self).lift(action: .identity, optional: \App.part.sheet)
      Self.running(door, Int.self)
        .lift(action: .identity, get: { (part: Part) in part.sum }, set: { $0.sum = $1 })
        .lift(action: .identity, state: \App.part)
      // These do not belong to it.
      Self.running(door, App.self)
      Self.running(door, App.self).lift(action: .identity)
      Self.running(door, App.self).lift(action: .identity, state: \App.self)
      Self.running(door, Int.self).lift(
        action: .identity, get: { (app: App) in app.part.sum }, set: { $0.part.sum = $1 })
      Self.cancelling(.cancel(everythingIn: \App.self), App.self)
    }
    let root = Store(initialState: App(), feature: inAChildStore ? .identity : feature)
    let child = root.child(initialState: App(), feature: inAChildStore ? feature : .identity, toRoot: \.self)
    child.dispatch(.start)
    #expect(root.effects.running.count == 13)
    child.dispatch(.cancel)
    #expect(root.effects.running.count == 4)
    door.open()
    await root.settle()
  }

  @Test(.conformance(90)) func theWholeStateOfALiftedParentEndsAtItsPart() async {
    let door = Door()
    let part = Feature<Action, Part> {
      Self.running(door, Int.self).lift(action: .identity, state: \Part.sum)
      Self.running(door, [Row].self).lift(action: .identity, state: \Part.reversed.rows)
      Self.running(door, Part.self)
      Self.cancelling(.cancel(everythingIn: \Part.self), Part.self)
    }
    let counts = await Self.counts(
      door,
      Feature {
        Self.running(door, Int.self).lift(action: .identity, state: \App.part.sum)
        Self.running(door, Int.self).lift(action: .identity, state: \Part.sum).lift(
          action: .identity, state: \App.other)
        Self.running(door, Part.self).lift(action: .identity, state: \App.other)
        part.lift(action: .identity, state: \App.part)
      })
    // Left are the two of the other part, and the one of the whole part.
    #expect(counts == [6, 3])
  }

  @Test(.conformance(90)) func aParentCancelsNothingBesideThePartOrAroundIt() async {
    let door = Door()
    let only = Feature<Action, Only> {
      Self.running(door, Only.self)
      Self.cancelling(.cancel(everythingIn: \Only.value), Only.self)
    }
    let counts = await Self.counts(
      door,
      Feature {
        Self.running(door, App.self)
        Self.running(door, Part.self).lift(action: .identity, state: \App.part)
        Self.running(door, [Row].self).lift(action: .identity, state: \App.part.rows)
        Self.running(door, Empty.self).lift(action: .identity, state: \App.empty)
        Self.running(door, Int.self).lift(action: .identity, state: \App.other.sum)
        Self.running(door, Row.self).lift(action: .identity, each: \App.other.rows)
        // The state of this middleware has the bytes of the part, but it is the parent's state.
        only.lift(action: .identity, state: \App.part.only)
        Self.cancelling(.cancel(everythingIn: \App.part.sum), App.self)
      })
    #expect(counts == [8, 8])
    let around = await Self.counts(
      door,
      Feature {
        Self.running(door, Empty.self).lift(action: .identity, state: \App.empty)
        Self.running(door, Part.self).lift(action: .identity, state: \App.other)
        Self.cancelling(.cancel(everythingIn: \App.part), App.self)
      })
    #expect(around == [2, 2])
  }

  @Test(.conformance(90)) func anElementOfALiftOverEachIsNotAnElementWithAnID() async {
    let door = Door()
    func store(_ id: Int) async -> [Int] {
      await Self.counts(
        door,
        Feature {
          Self.running(door, Row.self).lift(action: .identity, each: \App.part.rows)
          Self.running(door, Row.self).lift(action: Self.firstRow, element: .byID(\App.part.rows))
          Self.cancelling(.cancel(everythingIn: \App.part.rows, element: id), App.self)
        })
    }
    #expect(await store(0) == [3, 3])
    #expect(await store(1) == [3, 2])
  }

  // MARK: Lifts with closures

  @Test(.conformance(90, 99)) func aParentInsideALiftWithClosuresCancelsItsParts() async {
    let door = Door()
    let part = Feature<Action, Part> {
      Self.running(door, Part.self)
      Self.running(door, Int.self).lift(action: .identity, state: \Part.sum)
      Self.running(door, Row.self).lift(action: Self.firstRow, element: .byID(\Part.rows))
      Self.running(door, Row.self).lift(action: .identity, optional: \Part.sheet)
      Self.cancelling(.cancel(everythingIn: \Part.sum) <> .cancel(everythingIn: \Part.rows, element: 1), Part.self)
    }
    let counts = await Self.counts(
      door, part.lift(action: .identity, get: { $0.part }, set: { (app: inout App, part) in app.part = part }))
    #expect(counts == [4, 2])
  }

  @Test(.conformance(90, 99)) func twoLiftsWithClosuresAreTwoParts() async {
    let door = Door()
    let other = Feature<Action, Part> {
      Self.running(door, Int.self).lift(action: .identity, state: \Part.sum)
      Self.running(door, Row.self).lift(action: .identity, optional: \Part.sheet)
    }
    let part = Feature<Action, Part> {
      other
      Self.cancelling(.cancel(everythingIn: \Part.sum) <> .cancel(everythingIn: \Part.sheet), Part.self)
    }
    let counts = await Self.counts(
      door,
      Feature {
        part.lift(action: .identity, get: { $0.part }, set: { (app: inout App, part) in app.part = part })
        other.lift(action: .identity, get: { $0.other }, set: { (app: inout App, part) in app.other = part })
        other.lift(action: .identity, state: \App.other)
      })
    #expect(counts == [6, 4])
  }

  @Test(.conformance(90, 99)) func aParentCancelsWhatIsLiftedWithClosuresInsideOfThePart() async {
    let door = Door()
    let only = Self.running(door, Int.self)
      .lift(action: .identity, get: { $0.value }, set: { (only: inout Only, value) in only.value = value })
    let counts = await Self.counts(
      door,
      Feature {
        only.lift(action: .identity, state: \Part.only).lift(action: .identity, state: \App.part)
        only.lift(action: .identity, state: \App.part.only)
        only.lift(action: .identity, state: \App.other.only)
        Self.cancelling(.cancel(everythingIn: \App.part), App.self)
      })
    #expect(counts == [3, 1])
  }

  // MARK: Nested lifts

  struct List: Sendable {
    var rows = (0..<1_000).map { Row(id: $0) }
    var token: Token?
  }
  struct Lists: Sendable { var list: List? = List() }

  /// A row's feature inside of an optional, which is counted up by its reducer.
  static func lists(
    _ state: Lists, _ effect: @escaping @Sendable (GetState<Row>) -> Effect<Action> = { _ in .none }
  ) -> Store<Action, Lists> {
    let row = Feature<Action, Row>(
      reducer: Reducer { _, row in row.count += 1 }, middleware: Middleware { _, _, state in effect(state) })
    return Store(
      initialState: state,
      feature: Feature {
        row.lift(action: firstRow, element: .byIndex(\List.rows)).lift(action: .identity, optional: \Lists.list)
        Reducer<Action, Lists>.partial { action, lists in
          guard case .cancel = action else { return false }
          lists.list = nil
          return true
        }
      })
  }

  @Test(.conformance(40)) func theMiddlewareOfANestedElementReadsItForEachAction() {
    let seen = Journal<Int>()
    let store = Self.lists(Lists()) { state in
      seen.write(state().count)
      return .none
    }
    for _ in 0..<3 { store.dispatch(.start) }
    #expect(seen.entries == [0, 1, 2])
  }

  @Test(.conformance(40)) func aNestedLiftChangesAnElementInPlace() {
    let store = Self.lists(Lists())
    func place(_ lists: Lists) -> UInt {
      unsafe (lists.list?.rows ?? []).withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    store.dispatch(.start)
    let before = store.withState(place)
    for _ in 0..<3 { store.dispatch(.start) }
    #expect(store.withState(place) == before)
    #expect(store.withState { $0.list?.rows[1].count } == 4)
  }

  @Test(.conformance(64, 88)) func aNestedLiftKeepsNothingOfARemovedPart() async {
    for effect in [Effect<Action>.none, .fireAndForget {}] {
      let store: Store<Action, Lists>
      let token: Weak<Token>
      do {
        let object = Token()
        token = Weak(object)
        store = Self.lists(Lists(list: List(token: object))) { _ in effect }
      }
      store.dispatch(.start)
      await store.settle()
      store.dispatch(.cancel)
      #expect(store.withState { $0.list == nil })
      #expect(token.object == nil)
    }
  }

  @Test(.conformance(88)) func aKeptGetterOfANestedElementReadsTheRemovedElement() {
    let getters = Journal<GetState<Row>>()
    let store = Self.lists(Lists()) { state in
      if getters.count < 2 { getters.write(state) }
      return .none
    }
    for _ in 0..<3 { store.dispatch(.start) }
    #expect(getters.entries.map { $0().count } == [3, 3])
    store.dispatch(.cancel)
    // The removed element as it was when the action was handled.
    #expect(getters.entries.map { $0().count } == [0, 1])
  }

  @Test(.conformance(88)) func theElementThatAGetterReplacesIsReleasedOutsideOfItsLock() {
    struct Item: Sendable, Identifiable {
      var id = 1
      var token: Reading?
    }
    /// Reads the getter when it is released.
    final class Reading: Sendable {
      let read: @Sendable () -> Void
      init(_ read: @escaping @Sendable () -> Void) { self.read = read }
      deinit { read() }
    }
    let items = Locked<[Item]>([])
    let getter = Locked<GetState<Item>?>(nil)
    let state = ElementState<[Item], Int, Item>(.byID(\.self), .init(GetState { items.withLock { $0 } }, 1))
    getter.withLock { $0 = state.getter }
    let reads = Journal<Bool>()
    items.withLock {
      $0 = [
        Item(
          token: Reading {
            items.withLock { $0 = [] }
            if let getter = getter.withLock({ $0 }) { reads.write(getter().token == nil) }
          })
      ]
    }
    state.storeCopy()
    items.withLock { $0 = [Item()] }
    state.storeCopy()
    #expect(reads.entries == [true])
    getter.withLock { $0 = nil }
  }
}
