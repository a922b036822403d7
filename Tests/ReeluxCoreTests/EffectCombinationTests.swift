import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Combinations of effect operators: replacing, throttles, debounces, detached parts, merged parts.
@Suite(.timeLimit(.minutes(15))) struct EffectCombinationTests {
  // MARK: Throttles that replace

  @MainActor @Test(.conformance(91)) func finishWaitsForAThrottledEffectThatReplacesItsOwnWaitingOne() async {
    let clock = TestClock()
    let door = Door()
    let events = Journal<String>()
    let store = EffectTests.store { action in
      .fireAndForget {
        events.write("begin \(action)")
        if action == 2 { await door.pass() }
      }
      .throttle(id: "t", for: .seconds(1), clock: clock).cancellable(id: "n", cancelInFlight: true)
    }
    await store.dispatch(1).finish()
    let second = store.dispatch(2)
    let waiting = Task {
      await second.finish()
      events.write("finished")
    }
    // The tasks of the main actor run in order, so the waiting task waits now.
    await Task {}.value
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await events.reaches(count: 2)
    await Task {}.value
    #expect(events.entries == ["begin 1", "begin 2"])
    door.open()
    await waiting.value
    #expect(events.entries == ["begin 1", "begin 2", "finished"])
  }

  @Test(.conformance(53), arguments: [true, false])
  func anEffectThatReplacesByTheIDOfItsThrottleIsThrottled(nameLast: Bool) async {
    let clock = TestClock()
    let calls = Journal<Int>()
    let store = EffectTests.store { action in
      let work = Effect<Int>.fireAndForget { calls.write(action) }
      return nameLast
        ? work.throttle(id: "x", for: .seconds(1), clock: clock).cancellable(id: "x", cancelInFlight: true)
        : work.cancellable(id: "x", cancelInFlight: true).throttle(id: "x", for: .seconds(1), clock: clock)
    }
    let tasks = (1...3).map { store.dispatch($0) }
    for task in tasks.dropLast() { await task.finish() }
    #expect(calls.entries == [1])
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await tasks[2].finish()
    #expect(calls.entries == [1, 3])
  }

  @Test(.conformance(53)) func aThrottleInsideAThrottleWithTheSameIDRuns() async {
    let clock = TestClock()
    let calls = Journal<Int>()
    let store = EffectTests.store { action in
      .fireAndForget { calls.write(action) }
        .throttle(id: "x", for: .seconds(1), clock: clock).throttle(id: "x", for: .seconds(2), clock: clock)
    }
    let tasks = (1...2).map { store.dispatch($0) }
    await tasks[0].finish()
    await clock.sleepers(atLeast: 2)
    await clock.advance(by: .seconds(1))
    #expect(calls.entries == [1])
    await clock.advance(by: .seconds(1))
    await tasks[1].finish()
    #expect(calls.entries == [1, 2])
  }

  // MARK: Parts of one effect

  /// Ways to combine two effects. In each of them the parts of one effect do not replace each other.
  enum Combination: CaseIterable, Sendable {
    case detachedFirst, detachedLast, throttledFirst, throttledLast, nested

    func merged(_ first: Effect<Int>, _ last: Effect<Int>, _ clock: TestClock) -> Effect<Int> {
      switch self {
      case .detachedFirst: .merge(first.detached(), last)
      case .detachedLast: .merge(first, last.detached())
      case .throttledFirst: .merge(first.throttle(id: "t", for: .seconds(1), clock: clock), last)
      case .throttledLast: .merge(first, last.throttle(id: "t", for: .seconds(1), clock: clock))
      case .nested: .merge(.merge(first, last).detached(), .merge(.none, .send(-1)))
      }
    }
  }

  @Test(.conformance(48), arguments: Combination.allCases, [true, false])
  func partsOfOneEffectDoNotReplaceEachOther(combination: Combination, isDebounced: Bool) async {
    let clock = TestClock()
    let store = EffectTests.store { action in
      if action != 0 { return .none }
      let effect = combination.merged(.task { 1 }, .task { 2 }, clock)
      return isDebounced
        ? effect.debounce(id: "d", for: .zero, clock: clock) : effect.cancellable(id: "d", cancelInFlight: true)
    }
    await store.dispatch(0).finish()
    #expect(Set(store.state).isSuperset(of: [0, 1, 2]))
  }

  @Test(.conformance(48, 50), arguments: [Combination.throttledFirst, .throttledLast])
  func partsOfOneEffectReplaceOlderOnesAlsoWhenOneWaits(combination: Combination) async {
    let clock = TestClock()
    let door = Door()
    let store = EffectTests.store { action in
      action > 9
        ? .none
        : combination.merged(EffectTests.late(door, 10 + action), EffectTests.late(door, 20 + action), clock)
          .cancellable(id: "x", cancelInFlight: true)
    }
    for action in 1...3 { store.dispatch(action) }
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    door.open()
    await store.settle()
    #expect(store.state.sorted() == [1, 2, 3, 13, 23])
  }

  /// The effects of two triggers begin 150 ms apart, each as a throttled part of a merged effect.
  @Test(.conformance(50), arguments: [true, false])
  func aPartThatWaitedReplacesWhatStartedMeanwhile(isDelayed: Bool) async {
    let clock = TestClock()
    let events = Journal<String>()
    let store = EffectTests.store { action in
      let work = Effect<Int>.fireAndForget {
        events.write("begin \(action)")
        let (never, end) = AsyncStream.makeStream(of: Never.self)
        for await _ in never {}  // until it is cancelled
        end.finish()
        events.write("end \(action)")
      }
      .cancellable(id: "x", cancelInFlight: true)
      let throttled = work.throttle(id: "t", for: .milliseconds(100), clock: clock)
      switch action {
      case 1...2:
        let merged = Effect.merge(throttled, .fireAndForget {})
        return isDelayed ? merged.delay(for: .milliseconds(300), clock: clock) : merged
      default: return work
      }
    }
    store.dispatch(1)
    if isDelayed {
      await clock.sleepers(atLeast: 2)
      await clock.advance(by: .milliseconds(150))
      store.dispatch(2)
      await clock.sleepers(atLeast: 4)
      await clock.advance(by: .milliseconds(150))
      await events.reaches(count: 1)
      await clock.sleepers(atLeast: 3)  // the interval of 1, and both parts of 2
      await clock.advance(by: .milliseconds(150))
    } else {
      await events.reaches(count: 1)
      store.dispatch(2)  // waits for the end of the interval
      store.dispatch(3)
      await events.reaches(count: 3)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .milliseconds(100))
    }
    await events.reaches(count: isDelayed ? 3 : 5)
    #expect(events.entries.contains("begin 2"))
    #expect(events.entries.contains("end 1"))
    #expect(isDelayed || events.entries.contains("end 3"))
  }

  @Test(.conformance(53)) func anEffectThatReplacesByTheIDOfAThrottleDoesNotEndItsInterval() async {
    let clock = TestClock()
    let calls = Journal<Int>()
    let store = EffectTests.store { action in
      let work = Effect<Int>.fireAndForget { calls.write(action) }
      return action == 2
        ? work.cancellable(id: "x", cancelInFlight: true)
        : work.throttle(id: "x", for: .seconds(1), latest: false, clock: clock)
    }
    for action in 1...3 { await store.dispatch(action).finish() }
    #expect(calls.entries == [1, 2])
    await clock.sleepers(atLeast: 1)
  }

  @Test(.conformance(53)) func eachEffectOfAThrottleBeginsAnIntervalOfItsOwnLength() async {
    let clock = TestClock()
    let calls = Journal<Int>()
    let store = EffectTests.store { action in
      .fireAndForget { calls.write(action) }
        .throttle(id: "t", for: .milliseconds(action == 1 ? 800 : 100), clock: clock)
    }
    store.dispatch(1)
    store.dispatch(2)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(800))
    await calls.reaches(count: 2)
    store.dispatch(3)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .milliseconds(100))
    await calls.reaches(count: 3)
  }

  // MARK: Detached

  @Test(.conformance(90)) func aParentDoesNotCancelADetachedEffectOfALiftByAProperty() async {
    struct App: Sendable { var part: [Int] = [] }
    enum Action: Sendable, Equatable { case part(Int), stop }
    let part = Prism(case: Action.part) { if case .part(let it) = $0 { it } else { nil } }
    let door = Door()
    let clock = TestClock()
    let feature = Feature<Int, [Int]>(
      reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware { action, _, _ in
        switch action {
        case 0: EffectTests.late(door, 10).detached()
        case 1: EffectTests.late(door, 11).cancellable(id: 1).detached()
        case 2: EffectTests.late(door, 12)
        case 3: .send(13).throttle(id: 3, for: .seconds(1), clock: clock).detached()
        default: .none
        }
      })
    let store = Store(
      initialState: App(),
      feature: Feature<Action, App> {
        Middleware<Action, Action, App> { action, _, _ in
          action == .stop ? .cancel(everythingIn: \App.part) : .none
        }
        feature.lift(action: part, state: \App.part)
      })
    for action in [0, 1, 2, 3, 3] { store.dispatch(.part(action)) }
    store.dispatch(.stop)
    door.open()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.settle()
    #expect(store.state.part.sorted() == [0, 1, 2, 3, 3, 10, 11, 13, 13])
  }

  // MARK: Debounced throttles

  @Test(.conformance(53, 110)) func aThrottleIsEnteredAfterItsDebounce() async {
    let clock = TestClock()
    let store = EffectTimeTests.store { action in
      action < 100
        ? .send(100 + action).throttle(id: "t", for: .seconds(5), clock: clock)
          .debounce(id: "d", for: .seconds(2), clock: clock) : .none
    }
    await store.assertTimeline(
      sent: "    (abc)--d----",
      received: "     --x----y", step: .seconds(1), clock: clock,
      ["a": 1, "b": 2, "c": 3, "d": 4, "x": 103, "y": 104])
  }

  @Test(.conformance(53, 95), arguments: ["t", "d", "n"])
  func aThrottleIsCancelledByEachIDDuringItsDebounce(id: String) async {
    let clock = TestClock()
    let store = EffectTests.store { action in
      if action == 9 { return .cancel(id: id) }
      return action < 9
        ? .send(100 + action).throttle(id: "t", for: .seconds(5), clock: clock).cancellable(id: "n")
          .debounce(id: "d", for: .seconds(2), clock: clock) : .none
    }
    let task = store.dispatch(1)
    store.dispatch(9)
    await task.finish()
    await store.settle()
    #expect(store.state == [1, 9])
  }
}

/// The order of the parts of a merged effect.
extension EffectCombinationTests {
  enum Mixed: Sendable { case cancelled, overtaken, together }

  @Test(
    .conformance(48, 53),
    arguments: [
      (Mixed.cancelled, [1, 11]), (.overtaken, [1, 10, 11, 12]), (.together, [1, 11, 12, 13]),
    ])
  func theDelayedPartsOfAMergeStartInTheirOrder(mixed: Mixed, result: [Int]) async {
    let clock = TestClock()
    let store = EffectTimeTests.store { action -> Effect<Int> in
      guard action == 1 else { return .none }
      let parts: Effect<Int> =
        switch mixed {
        case .cancelled: .merge(.send(10), .cancel(id: "k"), .send(11))
        case .overtaken: .merge(.send(10), .task { 11 }, .send(12))
        case .together: .merge(.send([11, 12]), .cancel(id: "other"), .send(13))
        }
      return parts.debounce(id: "k", for: .seconds(1), clock: clock)
    }
    await store.send(1)
    await clock.run()
    await store.skipReceivedActions()
    #expect(store.state == result)
  }
}

/// What effects leave behind.
extension EffectCombinationTests {
  @Test(.conformance(50, 52)) func anEndedEffectWithAnActionInTheQueueLeavesByMovingTheLastOne() {
    let table = EffectTable()
    let owner = EffectOwner()
    let runs = (0..<3).map {
      EffectRun(in: table, keys: [EffectKey(owner: owner, id: EffectID($0))], owner: owner, group: nil)
    }
    for run in runs {
      #expect(table.register(run))
      table.retain(.run(run))
      table.end(run)
    }
    #expect(table.isIdle)
    #expect(table.running.isEmpty)
    table.release(.run(runs[0]))
    // Only the last one moves, so this costs O(1).
    table.contents.withLock {
      #expect($0.runs.map(ObjectIdentifier.init) == [runs[2], runs[1]].map(ObjectIdentifier.init))
    }
    table.cancel(EffectKey(owner: owner, id: EffectID(1)))
    #expect(runs.map(\.isCancelled) == [false, true, false])
    table.release(.run(runs[1]))
    table.end(runs[2])
    table.release(.run(runs[2]))
    table.contents.withLock { #expect($0.runs.isEmpty && $0.keys.isEmpty) }
  }

  @Test(.conformance(52, 63)) func aRemovedFeatureLeavesNoOwnerOfParts() async {
    let row = Feature<PartLifetimeTests.Local, PartLifetimeTests.Row>(
      middleware: Middleware { _, _, _ in .fireAndForget {} })
    let store = Store(
      initialState: PartLifetimeTests.State(), feature: Feature<PartLifetimeTests.Action, PartLifetimeTests.State>())
    let installation = store.install(
      row.lift(action: PartLifetimeTests.row, element: .byID(\PartLifetimeTests.State.rows)))
    let task = store.dispatch(.row(ElementAction(1, .load)))
    #expect(store.core.memory.value.parts.mayRemoveParts(byReducerAt: .unknown))
    await task.finish()
    installation.remove()
    #expect(!store.core.memory.value.parts.mayRemoveParts(byReducerAt: .unknown))
    #expect(store.core.memory.value.parts.isEmpty)
  }

  @Test(.conformance(52, 61)) func aReleasedChildStoreLeavesNoOwnerOfParts() async {
    let row = Feature<PartLifetimeTests.Local, PartLifetimeTests.Row>(
      middleware: Middleware { _, _, _ in .send(.stop).throttle(id: "t", for: .seconds(1), clock: TestClock()) })
    let root = Store<Int, Int>(initialState: 0, reducer: .identity)
    do {
      let child = root.child(
        initialState: PartLifetimeTests.State(),
        feature: row.lift(action: PartLifetimeTests.row, element: .byID(\PartLifetimeTests.State.rows)))
      child.dispatch(.row(ElementAction(1, .load)))
      #expect(root.core.memory.value.parts.mayRemoveParts(byReducerAt: .unknown))
    }
    await root.settle()
    #expect(!root.core.memory.value.parts.mayRemoveParts(byReducerAt: .unknown))
    #expect(root.core.memory.value.parts.isEmpty && root.isWithoutRuns)
  }

  /// All ids of this type are equal.
  struct ID: Hashable, Sendable {
    final class Value: Sendable {
      let end: @Sendable () -> Void
      init(_ end: @escaping @Sendable () -> Void) { self.end = end }
      deinit { end() }
    }
    let value: Value
    static func == (lhs: ID, rhs: ID) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  @Test(.conformance(51, 52)) func anIDThatDispatchesWhenItIsReleasedFindsTheTableUnlocked() async {
    let doors = [Door(), Door()]
    let reference = Locked<Weak<Store<Int, [Int]>>?>(nil)
    let store = EffectTests.store { action in
      if action > 1 { return .fireAndForget {} }
      let id = ID(value: ID.Value { _ = reference.withLock { $0 }?.object?.dispatch(10 + action) })
      return .run { _ in await doors[action].pass() }.cancellable(id: id)
    }
    reference.withLock { $0 = Weak(store) }
    let tasks = [store.dispatch(0), store.dispatch(1)]
    for (door, task) in zip(doors, tasks) {
      door.open()
      await task.finish()
    }
    await store.reaches { $0.count == 4 }
    #expect(store.state.sorted() == [0, 1, 10, 11])
  }
}
