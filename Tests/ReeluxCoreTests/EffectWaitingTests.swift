@testable import ReeluxCore
import ReeluxTesting
import ReeluxTestSupport
import Testing

extension EffectTests {
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
    await store.reaches { $0.contains(1) }
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

  @Test(.conformance(55)) func cancellingTheHandleOfAThrottledActionKeepsItsInterval() async {
    let clock = TestClock()
    let store = Self.store { action in
      action == 0 ? .send(1).throttle(id: "t", for: .seconds(1), clock: clock) : .none
    }
    let task = store.dispatch(0)
    store.dispatch(0)
    #expect(store.state == [0, 1, 0])
    task.cancel()
    store.dispatch(0)
    #expect(store.state == [0, 1, 0, 0])
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.settle()
    #expect(store.state == [0, 1, 0, 0, 1])
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

  // MARK: Chains that replace their own effect

  /// Five ways in which an action ends the effect that sent it and starts the next one.
  enum Chain: CaseIterable, Sendable {
    case cancelInFlight, debounce, cancelAndStart, throttle, timer

    func effect(_ action: Int, _ clock: ImmediateClock) -> Effect<Int> {
      let next = Effect<Int>.task { action + 1 }
      return switch self {
      case .cancelInFlight: next.cancellable(id: "x", cancelInFlight: true)
      case .debounce: next.debounce(id: "x", for: .seconds(1), clock: clock)
      case .cancelAndStart: .cancel(id: "x") <> next.cancellable(id: "x")
      case .throttle: .cancel(id: "x") <> next.cancellable(id: "x").throttle(id: "x", for: .seconds(1), clock: clock)
      case .timer: .timer(id: "x", every: .seconds(1), clock: clock) { action + 1 }
      }
    }
  }

  @Test(.conformance(91), arguments: Chain.allCases)
  func finishWaitsForAChainThatReplacesItsOwnEffect(chain: Chain) async {
    let clock = ImmediateClock()
    let store = Self.store { action in action < 8 ? chain.effect(action, clock) : .cancel(id: "x") }
    await store.dispatch(0).finish()
    #expect(store.state == Array(0...8))
  }

  @Test(.conformance(91)) func finishWaitsForAChainOfAnActionThatWaitedInTheQueue() async {
    let entered = Semaphore()
    let release = Semaphore()
    let store = Self.store { action in
      switch action {
      case 100:
        entered.signal()
        release.wait()
        return .none
      case 0..<8:
        return .cancel(id: "load") <> .task { action + 1 }.cancellable(id: "load")
      default: return .none
      }
    }
    let task = await onThread {
      let first = WorkThread { store.dispatch(100) }
      entered.wait()
      let task = store.dispatch(0)
      release.signal()
      first.join()
      return task
    }
    await task.finish()
    #expect(store.state == [100] + Array(0...8))
  }

  @Test(.conformance(92), arguments: [true, false])
  func finishDoesNotWaitForAnIntervalInWhichNothingFollows(latest: Bool) async {
    // The clock never advances, so the interval never ends.
    let clock = TestClock()
    let store = Self.store { action in
      action < 10 ? .send(action + 10).throttle(id: "t", for: .seconds(1), latest: latest, clock: clock) : .none
    }
    await store.dispatch(1).finish()
    await store.settle()
    #expect(store.state == [1, 11])
    #expect(store.effects.running.isEmpty)
  }

  @Test(.conformance(92)) func finishWaitsForAThrottledEffectThatIsStillToBegin() async {
    let clock = TestClock()
    let store = Self.store { action in
      action < 10 ? .send(action + 10).throttle(id: "t", for: .seconds(1), clock: clock) : .none
    }
    store.dispatch(1)
    let replaced = store.dispatch(2)
    let last = store.dispatch(3)
    // Another effect replaced the second one, so nothing further can follow from it.
    await replaced.finish()
    #expect(!last.isFinished)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await last.finish()
    #expect(store.state == [1, 11, 2, 3, 13])
  }

  @Test(.conformance(55), arguments: [true, false])
  func cancellingTheFirstHandleOfAThrottleKeepsWhatALaterDispatchWaitsFor(hasBegunToWait: Bool) async {
    let clock = TestClock()
    let store = Self.store { action in
      action < 10 ? .send(action + 10).throttle(id: "t", for: .seconds(1), clock: clock) : .none
    }
    let first = store.dispatch(1)
    let second = store.dispatch(2)
    if hasBegunToWait { await clock.sleepers(atLeast: 1) }
    first.cancel()
    #expect(!second.isFinished)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await second.finish()
    #expect(store.state == [1, 11, 2, 12])
    second.cancel()
    store.dispatch(3)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(1))
    await store.settle()
    #expect(store.state == [1, 11, 2, 12, 3, 13])
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
    await begun.reaches(count: 2)
    store = nil
    await ended.pass()
    #expect(cancelled.count == 1)
    door.open()
    await sent.pass()
    #expect(last?.state == [0, 1])
  }

  @Test(.conformance(10, 51)) func whoHasWaitedFindsThatTheEffectsThreadHasLeftThePipeline() async {
    let entered = Semaphore()
    let release = Semaphore()
    let hasWaited = Locked(false)
    let wasEarly = Locked(false)
    let store = EffectTests.store { action in
      switch action {
      case 0: return .task { 1 }
      case 1:
        entered.signal()
        release.wait()
      case 50:
        // This is still the effect's thread, after its action. A task that waits for the effect must not continue yet.
        for _ in 0..<20_000 where !wasEarly.withLock({ $0 }) {
          relax()
          wasEarly.withLock { $0 = hasWaited.withLock { $0 } }
        }
      default: break
      }
      return .none
    }
    let other = WorkThread {
      entered.wait()
      store.dispatch(50)
      release.signal()
    }
    await store.dispatch(0).finish()
    hasWaited.withLock { $0 = true }
    store.dispatch(99)
    #expect(!wasEarly.withLock { $0 })
    #expect(store.state == [0, 1, 50, 99])
    await onThread { other.join() }
  }

  // MARK: Waiting for the reducers alone

  @Test(.conformance(94)) func reducedDoesNotWaitForEffects() async {
    let door = Door()
    let store = Self.store { action in action == 0 ? Self.late(door, 1) : .none }
    let task = store.dispatch(0)
    await task.reduced()
    #expect(store.state == [0])
    door.open()
    await task.finish()
    #expect(store.state == [0, 1])
  }

  enum Trace {
    @TaskLocal static var id = ""
  }

  @Test(.conformance(94), arguments: [false, true])
  func reducedWaitsOnABusyStoreUntilTheActionIsReducedAndObserved(carries: Bool) async {
    let journal = Journal<Int>()
    let entered = Semaphore()
    let proceed = Semaphore()
    let door = Door()
    let store = Store<Int, [Int]>(
      initialState: [],
      reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware { action, _, _ in action == 2 ? .run { _ in await door.pass() } : .none },
      carries: carries ? [CarriedTaskLocal(Trace.$id)] : [])
    let subscription = store.subscribe { state in
      guard let last = state.last else { return }
      if last == 1 {
        entered.signal()
        proceed.wait()
      }
      journal.write(last)
    }
    let first = WorkThread { store.dispatch(1) }
    let task = await onThread {
      entered.wait()
      return store.dispatch(2)
    }
    #expect(store.state == [1])
    proceed.signal()
    await task.reduced()
    #expect(store.state == [1, 2])
    #expect(journal.entries == [1, 2])
    await onThread { first.join() }
    task.cancel()
    await task.finish()
    door.open()
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(94)) func reducedReturnsWhenTheStoreIsGone() async {
    let entered = Semaphore()
    let proceed = Semaphore()
    var store: Store<Int, [Int]>? = Store(
      initialState: [],
      reducer: Reducer { action, state in state.append(action) },
      middleware: Middleware { action, _, _ in
        if action == 1 {
          entered.signal()
          proceed.wait()
        }
        return .none
      })
    let core = store?.core
    let first = WorkThread { _ = core?.dispatch(1, from: ActionSource()) }
    let task = await onThread {
      entered.wait()
      return ActionTask(core?.dispatch(2, from: ActionSource()) ?? .finished, core)
    }
    store = nil
    proceed.signal()
    await task.reduced()
    await onThread { first.join() }
  }
}
