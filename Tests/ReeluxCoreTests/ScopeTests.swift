@testable import ReeluxCore
import ReeluxTestSupport
import Testing

/// Section G: projections, child stores, and features that are installed at run time.
@Suite(.timeLimit(.minutes(15))) struct ScopeTests {
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

  @Test(.conformance(55, 58)) func theHandleOfAProjectionsActionWaitsForItsEffects() async {
    let door = Door()
    let store = EffectTests.store { action in action == 1 ? EffectTests.late(door, 2) : .none }
    let projection = store.projection(action: { (text: String) in Int(text) }, state: { $0 })
    #expect(projection.dispatch("no number").isFinished)
    let task = projection.dispatch("1")
    #expect(!task.isFinished)
    door.open()
    await task.finish()
    #expect(store.state == [1, 2])
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

  @Test(.conformance(59)) func anObserverOfABufferedProjectionIsCalledAtOnceWhileAnotherThreadProcessesAnAction() {
    let store = Self.store()
    let projection = store.bufferedProjection(
      action: { (number: Int) in .add(number) }, state: { state in state.count * 2 })
    let seen = Journal<Int>()
    let subscriptions = SubscriptionCollection()
    let first = store.subscribe { state in
      if state.count != 1 { return }
      WorkThread { projection.subscribe { seen.write($0) }.store(in: subscriptions) }.join()
      #expect(seen.entries == [2])
    }
    store.dispatch(.add(1))
    store.dispatch(.add(2))
    #expect(seen.entries == [2, 6])
    withExtendedLifetime((first, subscriptions)) {}
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
}
