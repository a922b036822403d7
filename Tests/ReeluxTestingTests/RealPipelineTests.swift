import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Dispatch
import Testing

/// A test store uses an app's store, with its order, sources and lifetimes.
@Suite(.conformance(66), .timeLimit(.minutes(15))) struct RealPipelineTests {
  @Test func interceptorsMiddlewaresReducersAndObserversRunInTheirOrder() async {
    let log = DispatchRecorder<String>()
    let note = log.send
    let feature = Feature<Int, Int>(
      reducer: Reducer { action, state in
        note("reducer")
        state = action
      },
      middleware: Middleware { _, _, state in
        note("middleware \(state())")
        return .afterReducer { _ in note("after \(state())") }
      },
      interceptor: Interceptor { action, _, _ in
        note("interceptor")
        return .replace(action + 1)
      })
    let store = TestStore(initialState: 0, feature: feature)
    let subscription = store.store.subscribe { note("observer \($0)") }
    await store.send(1) { $0 = 2 }
    #expect(log.actions == ["observer 0", "interceptor", "middleware 0", "reducer", "observer 2", "after 2"])
    subscription.cancel()
  }

  @Test func whatInterceptorsMakeOfASentActionIsAssertedWithIt() async {
    let feature = Feature<Int, [Int]>(
      reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware { action, _, _ in action == 3 ? .send(0) : .none },
      interceptor: Interceptor { action, _, _ in
        switch action {
        case 0: .pass
        case 1: .drop
        default: .multiply([action, action + 1])
        }
      })
    let store = TestStore(initialState: [], feature: feature)
    await store.send(1)
    await store.send(2) { $0 = [2, 3] }
    await store.receive(0) { $0 = [2, 3, 0] }
    #expect(store.history.map(\.action) == [2, 3, 0])
  }

  @Test func theSourceIsTheLineInTheTest() async {
    let sources = DispatchRecorder<Int>()
    let store = TestStore(initialState: 0, feature: sources.feature(of: Int.self))
    await store.send(1, info: "why")
    let expected = ActionSource(info: "why", line: #line - 1)
    #expect(sources.dispatched.map(\.source) == [expected])
    #expect(store.history.map(\.source) == [expected])
  }

  @Test func whatADifferentPartOfTheTestDispatchesIsReceived() async {
    let store = TestStore(initialState: 0, reducer: Reducer<Int, Int> { $1 = $0 })
    store.store.dispatch(1)
    await store.receive(1) { $0 = 1 }
    await withTaskGroup { group in
      group.addTask { store.store.dispatch(2) }
    }
    await store.receive(2) { $0 = 2 }
  }

  @Test func workAtTheStartIsReceived() async {
    struct Starting: MiddlewareProtocol {
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> { .none }
      func start(state: GetState<Int>) -> Effect<Int> { .task { 7 } }
    }
    let store = TestStore(
      initialState: 0, reducer: Reducer<Int, Int> { $1 = $0 }, middleware: Middleware(Starting()))
    await store.receive(7) { $0 = 7 }
  }

  @Test func workAtTheStartHasBegunWhenTheTestStoreIsMade() {
    struct Starting: MiddlewareProtocol {
      let calls: ScriptedCalls<Int, Int>
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> { .none }
      func start(state: GetState<Int>) -> Effect<Int> {
        .task(catch: { _ in nil }) { [calls] in try await calls(state()) }
      }
    }
    let calls = ScriptedCalls<Int, Int>()
    let store = TestStore(
      initialState: 3, reducer: Reducer<Int, Int> { $1 = $0 }, middleware: Middleware(Starting(calls: calls)),
      exhaustivity: .none)
    #expect(calls.pending == [3])
    withExtendedLifetime(store) {}
  }

  @Test @MainActor func sendingWhileAnotherThreadRunsThePipelineWaitsForItsTurn() async {
    let gate = DispatchSemaphore(value: 0)
    let (entered, enter) = AsyncStream.makeStream(of: Void.self)
    let store = TestStore(
      initialState: [Int](), reducer: Reducer<Int, [Int]> { $1.append($0) },
      middleware: Middleware { action, _, _ in
        if action == 5 {
          enter.yield()
          gate.wait()
        }
        return .none
      })
    let live = store.store
    DispatchQueue.global().async { live.dispatch(5) }
    for await _ in entered { break }
    live.dispatch(6)
    // This task runs when the test suspends on the main actor. The test's own action is then in the queue.
    Task { gate.signal() }
    await store.send(1) { $0 = [5, 6, 1] }
    await store.receive(5) { $0 = [5] }
    await store.receive(6) { $0 = [5, 6] }
    await store.assertFinished()
  }

  @Test func aReleasedTestStoreFreesWhatItWasMadeOf() async {
    final class Witness: Sendable {}
    weak var witness: Witness?
    let clock = TestClock()
    await {
      let strong = Witness()
      witness = strong
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in _ = strong },
        middleware: Middleware { _, _, _ in
          .run { _ in
            try? await clock.sleep(for: .seconds(1))
            _ = strong
          }
        }, exhaustivity: .none)
      await store.send(1)
      #expect(clock.sleepers.count == 1)
    }()
    #expect(witness == nil)
    #expect(clock.sleepers.isEmpty)
  }

  @Test(.conformance(65)) func aSenderThatIsKeptIsANoOpAfterTheStoreIsGone() async {
    let kept = Kept()
    let seen = DispatchRecorder<Int>()
    do {
      let store = TestStore(
        initialState: 0, reducer: Reducer<Int, Int> { _, _ in },
        middleware: Middleware { action, _, _ in
          seen.send(action)
          return .afterReducer { kept.senders.append($0) } <> .run { kept.senders.append($0) }
        }, exhaustivity: .none)
      await store.send(1)
      kept.senders[0](2)
      kept.senders[1](3)
      await store.settle()
      #expect(seen.actions == [1, 2, 3])
    }
    for sender in kept.senders {
      sender(4)
      #expect(sender.isStopped)
    }
    #expect(seen.actions == [1, 2, 3])
  }

  /// The senders that middlewares received. They are used only on the test's thread, on which the test store runs
  /// middlewares.
  final class Kept: @unchecked Sendable {
    var senders: [Send<Int>] = []
  }

  @Test func wakingGoesByDeadlineAndThenByOrderOfSleeping() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: [Int](), reducer: Reducer<Int, [Int]> { $1.append($0) },
      middleware: Middleware { action, _, _ in
        guard action < 0 else { return .none }
        return .run { send in
          for round in 1...2 {
            try? await clock.sleep(for: .seconds(-action))
            send(-action * 10 + round)
          }
        }
      }, exhaustivity: .none)
    for action in [-3, -2, -1, -1] { await store.send(action) }
    await clock.advance(by: .seconds(3))
    #expect(store.store.state.dropFirst(4) == [11, 11, 21, 12, 12, 31])
    await clock.run()
    #expect(store.store.state.dropFirst(10) == [22, 32])
    #expect(clock.now.offset == .seconds(6))
  }

  @Test func aTimerTicksOnceForEachIntervalThatIsAdvanced() async {
    let clock = TestClock()
    let store = TestStore(
      initialState: 0, reducer: Reducer<Bool, Int> { $1 += $0 ? 1 : 0 },
      middleware: Middleware { tick, _, _ in
        tick ? .none : .timer(id: "t", every: .seconds(1), clock: clock) { true }
      }, exhaustivity: .none)
    await store.send(false)
    await clock.advance(by: .seconds(1000))
    #expect(store.store.state == 1000)
    let notes = await capturingFailures { #expect(await clock.run(limit: 5) == false) }
    #expect(notes.map(\.isFailure) == [false])
    #expect(store.store.state == 1005)
  }

  @Test func childStoresAndInstalledFeaturesAreUnderControlToo() async {
    let clock = TestClock()
    let news = ScriptedSequence<Int>()
    let store = TestStore(initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 }, exhaustivity: .all)
    let child = store.store.child(
      initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 },
      middleware: Middleware { action, _, _ in
        action > 0
          ? .none
          : .run { send in
            try? await clock.sleep(for: .seconds(1))
            send(5)
          }
      }, toRoot: { $0 })
    child.dispatch(0)
    await store.receive(0)
    await clock.run()
    await store.receive(5) { $0 = 5 }
    #expect(child.state.local == 5)

    struct News: FeedingMiddleware {
      let news: ScriptedSequence<Int>
      func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> { .none }
      func feeds(for state: Int) -> [Feed<Int>] {
        [
          Feed(key: 1) { [news] send in
            let iterator = news.makeAsyncIterator()
            while let number = try? await iterator.next() { send(number) }
          }
        ]
      }
    }
    let installation = store.store.install(Feature(middleware: Middleware(News(news: news))))
    await store.settle()
    await news.send(3)
    await store.receive(3) { $0 = 8 }
    installation.remove()
    await store.assertFinished()
  }

  @Test func everyInterleavingOfTwoAnswersCanBeTried() async {
    for order in [[0, 0], [1, 0]] {
      let calls = ScriptedCalls<Int, Int>()
      let store = TestStore(
        initialState: [Int](), reducer: Reducer<Int, [Int]> { $1.append($0) },
        middleware: Middleware { action, _, _ in
          action > 9 ? .none : .task(catch: { _ in nil }) { try await calls(action) }
        })
      await store.send(1) { $0 = [1] }
      await store.send(2) { $0 = [1, 2] }
      for index in order {
        let request = calls.pending[index]
        await calls.succeed(request * 10, at: index)
        await store.receive(request * 10) { $0.append(request * 10) }
      }
      await store.assertFinished()
    }
  }
}
