@testable import ReeluxCore
import ReeluxTestSupport
import Testing

extension ReducerTests {
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
    let byID = Self.append.lift(action: Prism.identity, element: .byID(\Many.list))
    let byName = Self.append.lift(action: Prism.identity, element: .byID(\Many.list, \.name))
    let byIndex = Self.append.lift(action: Prism.identity, element: .byIndex(\Many.list))
    let byKey = Self.append.lift(action: Prism.identity, element: .byKey(\Many.byKey))
    let fast = Self.append.lift(action: Prism.identity, element: .byID(\Many.fast))
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
    #expect(!Self.append.lift(action: Prism.identity, element: .byID(\Many.list)).reduce(ElementAction(7, 1), &state))
    #expect(
      !Self.append.lift(action: Prism.identity, element: .byID(\Many.list, \.name))
        .reduce(ElementAction("x", 1), &state))
    for index in [-1, 4, .max, .min] {
      #expect(
        !Self.append.lift(action: Prism.identity, element: .byIndex(\Many.list)).reduce(ElementAction(index, 1), &state)
      )
    }
    #expect(
      !Self.append.lift(action: Prism.identity, element: .byKey(\Many.byKey)).reduce(ElementAction("x", 1), &state))
    #expect(!Self.append.lift(action: Prism.identity, element: .byID(\Many.fast)).reduce(ElementAction(7, 1), &state))
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
    let lift = Self.append.lift(action: Prism.identity, element: .byID(\Holder.watched))
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
        action: Prism(case: BigAction.list) { if case .list(let it) = $0 { it } else { nil } }, element: .byID(\.list))
      setElement.lift(
        action: Prism(case: BigAction.index) { if case .index(let it) = $0 { it } else { nil } },
        element: .byIndex(\.list))
      setElement.lift(
        action: Prism(case: BigAction.each) { if case .each(let it) = $0 { it } else { nil } }, each: \.list)
      set.lift(
        action: Prism(case: BigAction.byKey) { if case .byKey(let it) = $0 { it } else { nil } },
        element: .byKey(\.byKey))
    }
  }

  /// The addresses of the elements of all large arrays.
  static func places(_ state: Big) -> [UInt] {
    [state.array, state.element.values, state.optional ?? [], state.list[0].values, state.byKey["a"] ?? []]
      .map { unsafe $0.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
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
        store.projection(action: { $0 }, state: { $0.array }).projection(action: { $0 }, state: { $0 })
          .subscribe { _ in },
      ] : []
    // The first change may copy, because the code that created the state may still have a reference. The following
    // changes may not.
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
}
