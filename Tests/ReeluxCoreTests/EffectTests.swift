@testable import ReeluxCore
import ReeluxTestSupport
import ReeluxTesting
import Testing

/// Section F, first part: the work of effects, their ids, and waiting for them.
@Suite(.timeLimit(.minutes(15))) struct EffectTests {
  /// A store of numbers. It keeps the reduced actions and returns the given effects.
  static func store(
    _ answer: @escaping @Sendable (Int) -> Effect<Int>
  ) -> Store<Int, [Int]> {
    Store(
      initialState: [], reducer: Reducer { $1.append($0) }, middleware: Middleware { action, _, _ in answer(action) })
  }

  /// Work that waits for a door, even if it is cancelled, and then sends.
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
    var generator = SplitMix64(seed: UInt64(seed))
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
      default: return .none
      }
    }
    token = nil
    for action in [0, 1, 2, 3, 4, 5] { store.dispatch(action) }
    door.open()
    await store.settle()
    store.core.effects.contents.withLock { contents in
      #expect(contents.runs.isEmpty)
      #expect(contents.keys.isEmpty)
      #expect(contents.tickets.isEmpty)
    }
    // Only the middleware itself still retains the token.
    #expect(weakToken?.object != nil)
  }

  @Test(.conformance(55)) func aCancelledTaskWaitsForTheEffectsUnlessItCancelsTheHandle() async {
    let door = Door()
    let (never, continuation) = AsyncStream<Int>.makeStream()
    let store = Self.store { action in
      switch action {
      case 0:
        .task {
          await door.pass()
          return Task.isCancelled ? 2 : 1
        }
      case 3: .run { _ in for await _ in never {} }
      default: .none
      }
    }
    let waited = store.dispatch(0)
    let waiting = Task {
      await waited.finish()
      return store.state
    }
    await door.isReached()
    waiting.cancel()
    door.open()
    #expect(await waiting.value == [0, 1])

    let watched = store.dispatch(3)
    let watching = Task {
      await withTaskCancellationHandler {
        await watched.finish()
      } onCancel: {
        watched.cancel()
      }
    }
    watching.cancel()
    await watching.value
    #expect(store.effects.running.isEmpty)
    withExtendedLifetime(continuation) {}
  }

  @Test(.conformance(52)) func anEffectWhoseAnswerMeansNothingEndsToo() async {
    let root = Store<Int, [Int]>(initialState: [], reducer: Reducer { $1.append($0) })
    let child = root.child(
      initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 },
      middleware: Middleware { action, _, _ in action == 1 ? .task { 2 } : .none }, toRoot: { _ in nil })
    child.dispatch(1)
    await root.settle()
    #expect(child.state.local == 3)
    #expect(root.effects.running.isEmpty)
    let store = Self.store { action in
      switch action {
      case 0: .task { nil }
      case 1: .task(catch: { _ in nil }) { throw Failed() }
      default: .none
      }
    }
    for action in [0, 1] { await store.dispatch(action).finish() }
    #expect(store.effects.running.isEmpty)
    #expect(store.state == [0, 1])
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

  @MainActor @Test(.conformance(55)) func everyTaskThatWaitsForAnActionContinues() async {
    let door = Door()
    let store = Self.store { action in action == 0 ? Self.late(door, 1) : .none }
    let task = store.dispatch(0)
    let waiting = (0..<3).map { _ in Task { await task.finish() } }
    // The tasks of the main actor run in order, so all three wait now.
    await Task {}.value
    door.open()
    for task in waiting { await task.value }
    #expect(store.state == [0, 1])
  }

  @Test(.conformance(55), arguments: [false, true])
  func cancellingAnActionInTheQueuePreventsItsTasks(carries: Bool) async {
    let begun = Journal<Int>()
    let entered = Semaphore()
    let proceed = Semaphore()
    let feature = Feature<Int, [Int]>(
      reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware { action, _, _ in
        if action == 1 {
          entered.signal()
          proceed.wait()
        }
        return .run { _ in begun.write(action) }
          <> .task {
            begun.write(action)
            return nil
          }
      })
    // A task begins as soon as it is created.
    let store = Store(
      initialState: [], feature: feature, emits: .whenReduced, runawayGuard: nil, effectExecutor: InlineExecutor(),
      carries: carries ? [CarriedTaskLocal(Trace.$id)] : [])
    let first = WorkThread { store.dispatch(1) }
    let task = await onThread {
      entered.wait()
      return store.dispatch(2)
    }
    task.cancel()
    store.dispatch(3)
    proceed.signal()
    await task.finish()
    await store.settle()
    #expect(store.state == [1, 2, 3])
    #expect(begun.entries.sorted() == [1, 1, 3, 3])
    #expect(store.effects.contents.withLock { $0.cancelledTickets.isEmpty && $0.tickets.isEmpty })
    await onThread { first.join() }
  }

  /// An action that is cancelled while it waits in the queue starts no task, so it replaces none and begins no
  /// interval.
  @Test(.conformance(55), arguments: [false, true])
  func aCancelledActionInTheQueueReplacesNoEffect(isThrottled: Bool) async {
    let (entered, proceed) = (Semaphore(), Semaphore())
    let (door, clock) = (Door(), TestClock())
    let store = Self.store { action in
      switch action {
      case 0:
        entered.signal()
        proceed.wait()
        return .none
      case 1, 2:
        let effect = Self.late(door, 10 + action)
        return isThrottled
          ? effect.throttle(id: "x", for: .seconds(1), latest: false, clock: clock)
          : effect.cancellable(id: "x", cancelInFlight: true)
      default: return .none
      }
    }
    if !isThrottled { store.dispatch(1) }
    let first = WorkThread { store.dispatch(0) }
    let task = await onThread {
      entered.wait()
      return store.dispatch(2)
    }
    task.cancel()
    proceed.signal()
    await task.finish()
    await onThread { first.join() }
    if isThrottled { store.dispatch(1) }
    door.open()
    await store.effects.waitUntilIdle()
    await store.settle()
    #expect(store.state.last == 11)
    #expect(!store.state.contains(12))
  }

  @Test(.conformance(50)) func anIDAroundAPartCancelsTheEffectsOfThePart() async {
    struct List: Sendable { var rows = [1: 0, 2: 0] }
    enum Action: Sendable { case row(ElementAction<Int, Int>), stop }
    let door = Door()
    let prism = Prism<Action, ElementAction<Int, Int>>(case: Action.row) {
      if case .row(let it) = $0 { it } else { nil }
    }
    let row = Feature<Int, Int>(
      reducer: Reducer { action, count in count += action },
      middleware: Middleware { action, _, _ in action == 0 ? Self.late(door, 5) : .none }
    ).lift(action: prism, element: .byKey(\List.rows))
    let outer = Middleware<Action, Action, List> { action, source, state in
      if case .stop = action { return .cancel(id: "rows") }
      return row.middleware.handle(action: action, from: source, state: state)
        .cancellable(id: "rows", cancelInFlight: true)
    }
    let store = Store(initialState: List(), feature: Feature(reducer: row.reducer, middleware: outer))
    store.dispatch(.row(ElementAction(1, 0)))
    store.dispatch(.row(ElementAction(2, 0)))
    #expect(store.effects.running.count == 1)
    store.dispatch(.stop)
    #expect(store.effects.running.isEmpty)
    door.open()
    await store.settle()
    #expect(store.state.rows == [1: 0, 2: 0])
  }
}
