@testable import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

extension EffectTests {
  // MARK: Names

  @Test(.conformance(50)) func replacingCancelsTheOldAndItsLateCompletionDoesNotTouchTheNew() async {
    let doors = [Door(), Door(), Door()]
    let store = Self.store { action in
      switch action {
      case 0, 1, 2: Self.late(doors[action], 10 + action).cancellable(id: "x", cancelInFlight: true)
      case 5: .cancel(id: "x")
      default: .none
      }
    }
    let first = store.dispatch(0)
    let old = store.effects.running.first
    let second = store.dispatch(1)
    #expect(old?.task?.isCancelled == true)
    #expect(store.effects.running.count == 1)
    // The old effect ends now, late. It ignores that it was cancelled.
    doors[0].open()
    await first.finish()
    #expect(store.state == [0, 1])
    #expect(store.effects.running.count == 1)
    // The id still belongs to the new effect.
    let third = store.dispatch(2)
    doors[1].open()
    await second.finish()
    store.dispatch(5)
    doors[2].open()
    await third.finish()
    await store.settle()
    #expect(store.state == [0, 1, 2, 5])
  }

  @Test(.conformance(50), arguments: [false, true])
  func noActionArrivesAfterTheCancelEvenOneThatWaitsInTheQueue(byReplacing: Bool) async {
    // The effect sends and ends while the action that cancels it is being handled. Its action waits in the queue behind
    // the cancellation.
    let entered = Semaphore()
    let release = Semaphore()
    let go = Door()
    /// Signals when the effect that retains it has ended.
    final class Ending: Sendable {
      let signal: Semaphore
      init(_ signal: Semaphore) { self.signal = signal }
      deinit { signal.signal() }
    }
    let ended = Semaphore()
    let ending = Locked<Ending?>(Ending(ended))
    let store = Self.store { action in
      switch action {
      case 0:
        let mine = ending.withLock { $0.take() }
        return .run { send in
          await go.pass()
          send(10)
          send(11)
          withExtendedLifetime(mine) {}
        }.cancellable(id: "x")
      case 1:
        entered.signal()
        release.wait()
        return byReplacing
          ? .fireAndForget {}.cancellable(id: "x", cancelInFlight: true) : .cancel(id: "x")
      default: return .none
      }
    }
    store.dispatch(0)
    await onThread {
      let canceller = WorkThread { store.dispatch(1) }
      entered.wait()
      go.open()
      ended.wait()
      release.signal()
      canceller.join()
    }
    await store.settle()
    #expect(store.state == [0, 1])
    #expect(store.core.effects.contents.withLock { $0.runs.isEmpty && $0.keys.isEmpty })
  }

  @Test(.conformance(50)) func withoutReplacingBothOfOneNameRunAndAreCancelledTogether() async {
    let door = Door()
    let store = Self.store { action in
      switch action {
      case 0, 1: Self.late(door, 10 + action).cancellable(id: "x")
      case 2: .cancel(id: "x")
      default: .none
      }
    }
    store.dispatch(0)
    store.dispatch(1)
    #expect(store.effects.running.count == 2)
    store.dispatch(2)
    #expect(store.effects.running.isEmpty)
    door.open()
    await store.settle()
    #expect(store.state == [0, 1, 2])
  }

  @Test(.conformance(50)) func anActionThatIsSentAtOnceReplacesARunningEffect() async {
    let door = Door()
    let store = Self.store { action in
      switch action {
      case 0: Self.late(door, 10).cancellable(id: "x", cancelInFlight: true)
      case 1: .send(11).cancellable(id: "x")
      case 2: .send(12).cancellable(id: "x", cancelInFlight: true)
      default: .none
      }
    }
    store.dispatch(0)
    store.dispatch(1)
    #expect(store.effects.running.count == 1)
    store.dispatch(2)
    #expect(store.effects.running.isEmpty)
    door.open()
    await store.settle()
    #expect(store.state == [0, 1, 11, 2, 12])
  }

  @Test(.conformance(50), arguments: [false, true])
  func afterReducerWorkAndMessagesReplaceARunningEffect(isMessage: Bool) async {
    let door = Door()
    let store = Self.store { action in
      switch action {
      case 0: Self.late(door, 10).cancellable(id: "x")
      case 1:
        (isMessage ? Effect.write("text", to: "feed", otherwise: 11) : .afterReducer { send in send(11) })
          .cancellable(id: "x", cancelInFlight: true)
      default: .none
      }
    }
    store.dispatch(0)
    store.dispatch(1)
    #expect(store.effects.running.isEmpty)
    door.open()
    await store.settle()
    #expect(store.state == [0, 1, 11])
  }

  @Test(.conformance(50)) func twoPartsOfOneEffectWithOneNameDoNotReplaceEachOther() async {
    let store = Self.store { action in
      action == 0
        ? (.task { 1 } <> .task { 2 }).cancellable(id: "x", cancelInFlight: true) : .none
    }
    await store.dispatch(0).finish()
    #expect(store.state.sorted() == [0, 1, 2])
  }

  /// Five quick triggers of a debounced effect with an id, in either order.
  @Test(.conformance(95), arguments: [true, false], [true, false])
  func aNamedDebouncedEffectStaysDebounced(nameLast: Bool, cancelInFlight: Bool) async {
    let clock = TestClock()
    let calls = Journal<Int>()
    let store = Self.store { action in
      let work = Effect<Int>.fireAndForget { calls.write(action) }
      return nameLast
        ? work.debounce(id: "d", for: .seconds(1), clock: clock).cancellable(id: "c", cancelInFlight: cancelInFlight)
        : work.cancellable(id: "c", cancelInFlight: cancelInFlight).debounce(id: "d", for: .seconds(1), clock: clock)
    }
    let tasks = (1...5).map { store.dispatch($0) }
    for task in tasks.dropLast() { await task.finish() }
    #expect(store.effects.running.count == 1)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.settle()
    #expect(calls.entries == [5])
  }

  @Test(.conformance(48, 95), arguments: [true, false], [1, 2])
  func aLateActionIsCancelledByItsIDInEitherOrder(nameLast: Bool, count: Int) async {
    let clock = TestClock()
    let store = Self.store { action in
      if action == 9 { return .cancel(id: "x") }
      guard action == 0 else { return .none }
      let late = Effect<Int>.send(Array([1, 2].prefix(count)))
      return nameLast
        ? late.delay(for: .seconds(1), clock: clock).cancellable(id: "x")
        : late.cancellable(id: "x").delay(for: .seconds(1), clock: clock)
    }
    store.dispatch(0)
    #expect(store.effects.running.count > 0)
    store.dispatch(9)
    #expect(store.effects.running.count == 0)
    store.dispatch(0)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.settle()
    #expect(store.state.filter { $0 == 1 || $0 == 2 } == Array([1, 2].prefix(count)))
  }

  @Test(.conformance(95)) func aNamedThrottledEffectStaysThrottledAndIsCancelledByEitherName() async {
    let clock = TestClock()
    let calls = Journal<Int>()
    let store = Self.store { action in
      if action == 9 { return .cancel(id: "c") }
      return .fireAndForget { calls.write(action) }
        .throttle(id: "t", for: .seconds(1), clock: clock).cancellable(id: "c")
    }
    let tasks = (1...3).map { store.dispatch($0) }
    await tasks[0].finish()
    // The third effect waits for the end of the interval.
    store.dispatch(9)
    await tasks[2].finish()
    await clock.advance(by: .seconds(1))
    await store.settle()
    #expect(calls.entries == [1])
  }

  @Test(.conformance(105)) func anEffectIDUsedAsAnIDIsEqualToItsValue() async {
    #expect(EffectID(EffectID("load")) == EffectID("load"))
    let door = Door()
    let store = Self.store { action in
      action == 0 ? Self.late(door, 10).cancellable(id: EffectID("load")) : .cancel(id: "load")
    }
    let task = store.dispatch(0)
    store.dispatch(1)
    await task.finish()
    #expect(store.effects.running.isEmpty)
    door.open()
  }

  enum First: Hashable, Sendable { case load }
  enum Second: Hashable, Sendable { case load }
  struct Colliding: Hashable, Sendable {
    let value: Int
    func hash(into hasher: inout Hasher) {}
  }

  @Test(.conformance(51)) func namesCompareByValueAndType() {
    let names = [
      EffectID(1), EffectID(UInt(1)), EffectID(Int8(1)), EffectID("1"), EffectID(1.0), EffectID(First.load),
      EffectID(Second.load), EffectID(Colliding(value: 1)), EffectID(Colliding(value: 2)), EffectID(true),
      EffectID(Optional(1)),
    ]
    for (index, name) in names.enumerated() {
      for (other, otherName) in names.enumerated() {
        #expect((name == otherName) == (index == other), "\(index) \(other)")
      }
    }
    #expect(Set(names).count == names.count)
    #expect(EffectID(Colliding(value: 1)) == EffectID(Colliding(value: 1)))
    #expect(EffectID(1).scoped(to: [EffectID("a")]) != EffectID(1).scoped(to: [EffectID("b")]))
    #expect(EffectID(1).scoped(to: [EffectID("a")]) != EffectID(1))
  }

  @Test(.conformance(51)) func onlyTheNamedEffectIsCancelled() async {
    let door = Door()
    let store = Self.store { action in
      switch action {
      case 0:
        Self.late(door, 10).cancellable(id: 1) <> Self.late(door, 11).cancellable(id: UInt(1))
          <> Self.late(door, 12).cancellable(id: First.load) <> Self.late(door, 13).cancellable(id: Second.load)
          <> Self.late(door, 14).cancellable(id: Colliding(value: 1))
          <> Self.late(door, 15).cancellable(id: Colliding(value: 2))
      case 1: .cancel(id: 1) <> .cancel(id: First.load) <> .cancel(id: Colliding(value: 1))
      case 2: .cancel(id: "unknown")
      default: .none
      }
    }
    store.dispatch(0)
    store.dispatch(2)
    #expect(store.effects.running.count == 6)
    store.dispatch(1)
    door.open()
    await store.settle()
    #expect(store.state.sorted() == [0, 1, 2, 11, 13, 15])
  }

  enum Action: Sendable, Equatable {
    case left(Int), right(Int), element(ElementAction<Int, Int>), keyed(ElementAction<String, Int>)
  }
  struct Element: Sendable, Identifiable, Equatable {
    let id: Int
    var seen: [Int] = []
  }
  struct State: Sendable {
    var left: [Int] = []
    var right: [Int] = []
    var elements = [Element(id: 1), Element(id: 2)]
    var keyed = ["a": Element(id: 1), "b": Element(id: 2)]
  }
  static let left = Prism(case: Action.left) { if case .left(let it) = $0 { it } else { nil } }
  static let right = Prism(case: Action.right) { if case .right(let it) = $0 { it } else { nil } }
  static let element = Prism(case: Action.element) { if case .element(let it) = $0 { it } else { nil } }
  static let keyed = Prism(case: Action.keyed) { if case .keyed(let it) = $0 { it } else { nil } }

  /// 0 starts work with the id "x", which sends 10 when the door opens. 1 cancels "x".
  static func worker<Local: Sendable>(_ door: Door, _: Local.Type = Local.self) -> Middleware<Int, Int, Local> {
    Middleware { action, _, _ in
      switch action {
      case 0: late(door, 10).cancellable(id: "x", cancelInFlight: true)
      case 1: .cancel(id: "x")
      default: .none
      }
    }
  }

  @Test(.conformance(51)) func namesOfTwoStoresNeverMeet() async {
    let door = Door()
    let stores = (0..<2).map { _ in
      Store(initialState: [], reducer: Reducer<Int, [Int]> { $1.append($0) }, middleware: Self.worker(door))
    }
    for store in stores { store.dispatch(0) }
    stores[0].dispatch(1)
    door.open()
    for store in stores { await store.settle() }
    #expect(stores.map(\.state) == [[0, 1], [0, 10]])
  }

  @Test(.conformance(51)) func namesOfTwoFeaturesAndTwoElementsNeverMeet() async {
    let door = Door()
    let keep = Reducer<Int, [Int]> { $1.append($0) }
    let keepInElement = Reducer<Int, Element> { $1.seen.append($0) }
    let one = Feature<Int, [Int]>(reducer: keep, middleware: Self.worker(door))
    let many = Feature<Int, Element>(reducer: keepInElement, middleware: Self.worker(door))
    let store = Store(
      initialState: State(),
      feature: Feature {
        one.lift(action: Self.left, state: \State.left)
        one.lift(action: Self.right, state: \State.right)
        many.lift(action: Self.element, element: .byID(\State.elements))
        many.lift(action: Self.keyed, element: .byKey(\State.keyed))
      })
    for action in [0, 1] {
      store.dispatch(.left(action))
      if action == 0 { store.dispatch(.right(action)) }
      store.dispatch(.element(ElementAction(1, action)))
      if action == 0 { store.dispatch(.element(ElementAction(2, action))) }
      if action == 0 { store.dispatch(.keyed(ElementAction("a", action))) }
      store.dispatch(.keyed(ElementAction("b", action)))
    }
    #expect(store.effects.running.count == 3 - 1 + 1)
    door.open()
    await store.settle()
    let state = store.state
    #expect(state.left == [0, 1])
    #expect(state.right == [0, 10])
    #expect(state.elements.map(\.seen) == [[0, 1], [0, 10]])
    #expect(state.keyed["a"]?.seen == [0, 10])
    // In `b` the cancellation was dispatched before the work.
    #expect(state.keyed["b"]?.seen == [0, 1])
  }
}
