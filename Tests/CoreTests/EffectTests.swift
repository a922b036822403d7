@testable import Core
import CoreTesting
import Testing

/// Section F, first part: what effects do, their names, and waiting for them.
@Suite(.timeLimit(.minutes(2))) struct EffectTests {
  /// A store of numbers: it keeps the actions that were reduced, and answers as it is told.
  static func store(
    _ answer: @escaping @Sendable (Int) -> Effect<Int>
  ) -> Store<Int, [Int]> {
    Store(
      initialState: [], reducer: Reducer { $1.append($0) }, middleware: Middleware { action, _, _ in answer(action) })
  }

  /// Work that waits for a door, whether it is cancelled or not, and then sends.
  static func late(_ door: Door, _ action: Int) -> Effect<Int> {
    .run { send in
      await door.pass()
      send(action)
    }
  }

  @Test(.conformance(48)) func noneIsFree() {
    #expect(Effect<Int>.none.isNone)
    #expect((Effect<Int>.none <> .none).isNone)
    #expect(Effect<Int>.none.map { $0 }.isNone)
    #expect(Effect<Int>.none.delay(for: .seconds(1)).isNone)
    #expect(Effect<Int>.none.debounce(id: 1, for: .seconds(1)).isNone)
    #expect(Effect<Int>.none.throttle(id: 1, for: .seconds(1)).isNone)
    #expect(Effect<Int>.merge().isNone)
    // The empty array's storage is one static object: nothing was allocated for any of them.
    let places = [Effect<Int>.none, .none <> .none, .identity].map { effect in
      effect.operations.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
    #expect(Set(places).count == 1)
    let store = Self.store { _ in .none }
    if case .finished = store.dispatch(1).progress {} else { Issue.record("There was something to wait for.") }
  }

  @Test(.conformance(48)) func combiningRunsBothAndKeepsEachOnesName() async {
    let doors = [Door(), Door(), Door()]
    let store = Self.store { action in
      switch action {
      case 0:
        (Self.late(doors[0], 10).cancellable(id: "a") <> Self.late(doors[1], 11).cancellable(id: "b"))
          <> .none <> Self.late(doors[2], 12)
      case 1: .cancel(id: "a")
      default: .none
      }
    }
    let task = store.dispatch(0)
    #expect(store.effects.running.count == 3)
    store.dispatch(1)
    #expect(store.effects.running.count == 2)
    for door in doors { door.open() }
    await task.finish()
    #expect(store.state.sorted() == [0, 1, 11, 12])
  }

  @Test(.conformance(48), arguments: 0..<20) func combiningObeysTheLaws(seed: Int) async {
    var generator = SeededGenerator(seed: UInt64(seed))
    func generated() -> Effect<Int> {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ -> Effect<Int> in
        let value = Int.random(in: 1...99, using: &generator)
        return Bool.random(using: &generator) ? .send(value) : .afterReducer { $0(value) }
      }.joined()
    }
    func observed(_ effect: Effect<Int>) -> [Int] {
      let store = Self.store { $0 == 0 ? effect : .none }
      store.dispatch(0)
      return store.state
    }
    let (a, b, c) = (generated(), generated(), generated())
    #expect(observed(.none <> a) == observed(a))
    #expect(observed(a <> .none) == observed(a))
    #expect(observed((a <> b) <> c) == observed(a <> (b <> c)))
    #expect(observed(.merge(a, b, c)) == observed(a <> b <> c))
    #expect(observed((a <> b).map { $0 }) == observed(a <> b))
  }

  @Test(.conformance(49)) func everyKindOfEffectDoesWhatItSays() async {
    let done = Journal<String>()
    let store = Self.store { action in
      switch action {
      case 1: .send([10, 11]) <> .send(12)
      case 2: .task { 20 }
      case 3:
        .run { send in
          send(30)
          await Task.yield()
          send(31)
        }
      case 4: .sequence(Numbers(count: 4)) { $0 % 2 == 0 ? 40 + $0 : nil }
      case 5: .task(catch: { $0 is Failed ? 50 : 51 }) { throw Failed() }
      case 6: .task(catch: { _ in 61 }) { 60 }
      case 7: .fireAndForget { done.write("fired") }
      case 8: .task { nil }
      case 9: .task(catch: { _ in nil }) { throw Failed() }
      case 100: .sequence(Failing(), catch: { _ in 102 }) { _ in 101 }
      default: .none
      }
    }
    var expected: [Int] = []
    for (action, answers) in [
      (1, [10, 11, 12]), (2, [20]), (3, [30, 31]), (4, [40, 42]), (5, [50]), (6, [60]), (7, []), (8, []), (9, []),
      (100, [101, 102]),
    ] {
      await store.dispatch(action).finish()
      expected += [action] + answers
      #expect(store.state == expected)
    }
    #expect(done.entries == ["fired"])
  }

  /// One element, then an error.
  struct Failing: AsyncSequence, Sendable {
    struct AsyncIterator: AsyncIteratorProtocol {
      var isFirst = true
      mutating func next() async throws -> Int? {
        defer { isFirst = false }
        if isFirst { return 1 }
        throw Failed()
      }
    }
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }

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
    #expect(old?.isCancelled == true)
    #expect(store.effects.running.count == 1)
    // The old one ends now, late, and ignores that it was cancelled.
    doors[0].open()
    await first.finish()
    #expect(store.state == [0, 1])
    #expect(store.effects.running.count == 1)
    // The name still means the new one.
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
    // The effect sends, and ends, while the action that cancels it is being handled: what it sent waits
    // in the queue, behind the cancel.
    let entered = Semaphore()
    let release = Semaphore()
    let go = Door()
    let ended = Semaphore()
    let store = Self.store { action in
      switch action {
      case 0:
        return .run { send in
          await go.pass()
          send(10)
          send(11)
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
      _ = WorkThread {
        while store.effects.running.count > 0 { relax() }
        ended.signal()
      }
      ended.wait()
      release.signal()
      canceller.join()
    }
    await store.settle()
    #expect(store.state == [0, 1])
    #expect(store.core.effects.contents.withLock { $0.lingering.isEmpty && $0.keys.isEmpty })
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

  @Test(.conformance(50)) func twoPartsOfOneEffectWithOneNameDoNotReplaceEachOther() async {
    let store = Self.store { action in
      action == 0
        ? (.task { 1 } <> .task { 2 }).cancellable(id: "x", cancelInFlight: true) : .none
    }
    await store.dispatch(0).finish()
    #expect(store.state.sorted() == [0, 1, 2])
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
    #expect(EffectID(1).scoped(to: EffectID("a")) != EffectID(1).scoped(to: EffectID("b")))
    #expect(EffectID(1).scoped(to: EffectID("a")) != EffectID(1))
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

  /// 0 starts work of the name "x", which answers 10 behind the door; 1 cancels "x".
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
        many.lift(action: Self.element, element: \State.elements)
        many.lift(action: Self.keyed, key: \State.keyed)
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
    // In `b` the cancel came before the work: both were dispatched to it.
    #expect(state.keyed["b"]?.seen == [0, 1])
  }

  @Test(.conformance(52)) func aFinishedEffectLeavesNothingBehind() async {
    let door = Door()
    var token: Token? = Token()
    let weakToken = token.map { Weak($0) }
    let store = Self.store { [token] action in
      let hold = { @Sendable in withExtendedLifetime(token) {} }
      switch action {
      case 0: return .run { _ in hold() }.cancellable(id: "at once")
      case 1:
        return .task(catch: { _ in nil }) {
          hold()
          throw Failed()
        }.cancellable(id: "threw")
      case 2: return (.fireAndForget { hold() } <> Self.late(door, 9)).cancellable(id: "cancelled")
      case 3: return .cancel(id: "cancelled")
      case 4: return .afterReducer { _ in hold() }
      case 5: return .fireAndForget { hold() }.debounce(id: "debounced", for: .zero)
      case 6: return .fireAndForget { hold() }.throttle(id: "throttled", for: .zero)
      default: return .none
      }
    }
    token = nil
    for action in [0, 1, 2, 3, 4, 5, 6] { store.dispatch(action) }
    door.open()
    await store.settle()
    store.core.effects.contents.withLock { contents in
      #expect(contents.runs.isEmpty)
      #expect(contents.keys.isEmpty)
      #expect(contents.lingering.isEmpty)
      #expect(contents.tickets.isEmpty)
      #expect(contents.awaited.isEmpty)
      #expect(contents.effects == 0)
    }
    #expect(store.core.memory.pointee.throttles.isEmpty)
    // The middleware itself holds the token still; nothing else does.
    #expect(weakToken?.object != nil)
  }

  @Test(.conformance(52)) func anEffectThatIsCancelledBeforeItBeganNeverBegins() async {
    let began = Journal<Int>()
    let store = Self.store { action in
      switch action {
      case 0: .run { _ in began.write(1) }.cancellable(id: "x") <> .cancel(id: "x")
      default: .none
      }
    }
    await store.dispatch(0).finish()
    await store.settle()
    #expect(began.count == 0)
    #expect(store.effects.running.isEmpty)
  }

  @Test(.conformance(52)) func anIdleStoreKeepsNoActionThatWaitedInItsQueue() {
    struct Carrier: Sendable { let token: Token? }
    let store = Store<Carrier, Int>(
      initialState: 0, reducer: Reducer { _, count in count += 1 })
    var token: Token? = Token()
    let weakToken = token.map { Weak($0) }
    let subscription = store.subscribe { [weak store, weak token] count in
      if count == 1, let token { store?.dispatch(Carrier(token: token)) }
    }
    store.dispatch(Carrier(token: nil))
    #expect(store.state == 2)
    token = nil
    #expect(weakToken?.object == nil)
    withExtendedLifetime(subscription) {}
  }

  // MARK: Waiting

  @Test(.conformance(55)) func finishReturnsWhenAllThatTheActionLedToHasEnded() async {
    let doors = [Door(), Door(), Door()]
    let store = Self.store { action in
      switch action {
      case 0: Self.late(doors[0], 1)
      case 1: Self.late(doors[1], 2)
      case 5: Self.late(doors[2], 6)
      default: .none
      }
    }
    let done = Journal<String>()
    let task = store.dispatch(0)
    let other = store.dispatch(5)
    let waiting = Task {
      await task.finish()
      done.write("finished")
    }
    doors[0].open()
    await until { store.state.contains(1) }
    #expect(done.entries == [])
    doors[1].open()
    await waiting.value
    #expect(store.state == [0, 5, 1, 2])
    doors[2].open()
    await other.finish()
    #expect(store.state == [0, 5, 1, 2, 6])
  }

  @Test(.conformance(55)) func finishWorksForAnActionThatWaitedInTheQueue() async {
    let door = Door()
    let tasks = Journal<ActionTask>()
    let hold = Locked<Store<Int, [Int]>?>(nil)
    let store = Self.store { action in
      switch action {
      case 0:
        if let task = hold.withLock({ $0 })?.dispatch(1) { tasks.write(task) }
        return .none
      case 1: return .send(2)
      case 2: return Self.late(door, 3)
      default: return .none
      }
    }
    hold.withLock { $0 = store }
    store.dispatch(0)
    #expect(store.state == [0, 1, 2])
    door.open()
    for task in tasks.entries { await task.finish() }
    #expect(store.state == [0, 1, 2, 3])
    hold.withLock { $0 = nil }
  }

  @Test(.conformance(55)) func anActionWithoutEffectsIsFinishedAtOnce() async {
    let store = Self.store { _ in .none }
    await store.dispatch(1).finish()
    store.dispatch(1).cancel()
    #expect(store.state == [1, 1])
  }

  @Test(.conformance(55)) func cancellingTheHandleCancelsWhatTheActionStartedAndNothingElse() async {
    let door = Door()
    let store = Self.store { action in
      switch action {
      case 0: Self.late(door, 10) <> .send(1)
      case 1: Self.late(door, 11)
      case 2: Self.late(door, 12)
      default: .none
      }
    }
    let task = store.dispatch(0)
    store.dispatch(2)
    #expect(store.effects.running.count == 3)
    task.cancel()
    #expect(store.effects.running.count == 1)
    await task.finish()
    door.open()
    await store.settle()
    #expect(store.state == [0, 1, 2, 12])
  }

  @Test(.conformance(55)) func cancellingTheHandleOfAThrottledActionEndsItsInterval() async {
    let clock = TestClock()
    let store = Self.store { action in
      action == 0 ? .send(1).throttle(id: "t", for: .seconds(1), clock: clock) : .none
    }
    let task = store.dispatch(0)
    store.dispatch(0)
    #expect(store.state == [0, 1, 0])
    task.cancel()
    store.dispatch(0)
    #expect(store.state == [0, 1, 0, 0, 1])
    await until { clock.sleepers.count == 1 }
    await clock.advance(by: .seconds(1))
    await store.settle()
  }

  @Test(.conformance(55)) func settleWaitsForEffectsAndTheirEffects() async {
    let store = Self.store { action in
      action < 50
        ? .task {
          await Task.yield()
          return action + 1
        } : .none
    }
    store.dispatch(0)
    await store.settle()
    #expect(store.state == Array(0...50))
    await store.settle()
  }

  @Test(.conformance(55)) func whoWaitsIsNotLeftWaitingWhenTheStoreGoes() async {
    let door = Door()
    var store: Store<Int, [Int]>? = Self.store { action in action == 0 ? Self.late(door, 1) : .none }
    let task = store?.dispatch(0)
    let waiting = Task { await task?.finish() }
    store = nil
    await waiting.value
    door.open()
  }

  // MARK: The store's end

  @Test(.conformance(56)) func releasingTheStoreCancelsEveryEffectAndLaterSendsAreHarmless() async {
    let cancelled = Journal<Int>()
    let begun = Journal<Int>()
    let door = Door()
    let sent = Door()
    let ended = Door()
    var store: Store<Int, [Int]>? = Self.store { action in
      switch action {
      case 0:
        .run { send in
          await withTaskCancellationHandler {
            begun.write(0)
            await door.pass()
          } onCancel: {
            cancelled.write(1)
          }
          send(10)
          if send.isStopped { sent.open() }
        }
      case 1:
        .run { send in
          let stream = AsyncStream<Int> { continuation in
            continuation.onTermination = { _ in ended.open() }
          }
          begun.write(1)
          for await element in stream { send(element) }
        }
      default: .none
      }
    }
    let last = store?.select { $0 }
    store?.dispatch(0)
    store?.dispatch(1)
    await until { begun.count == 2 }
    store = nil
    await ended.pass()
    #expect(cancelled.count == 1)
    door.open()
    await sent.pass()
    #expect(last?.state == [0, 1])
  }
}
