import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Section M: the facts that an effect inherits from its dispatch.
@Suite(.timeLimit(.minutes(15))) struct EffectContextTests {
  enum Trace { @TaskLocal static var id = "none" }

  /// Makes two dispatches. The first is from a thread and waits in its middleware. The second is from a task and is
  /// queued in the meantime, and the first one's thread processes it. Each effect records what it reads.
  static func seen(
    carries: [CarriedTaskLocal], _ look: @escaping @Sendable () -> String
  ) async -> [String] {
    let entered = Door()
    let release = Semaphore()
    let seen = Journal<String>()
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { _, _ in },
        middleware: Middleware { action, _, _ in
          if action == 1 {
            entered.open()
            release.wait()
          }
          return .fireAndForget { seen.write("\(action) \(look())") }
            <> (action == 2 ? .task { 3 } : .none)
        }), carries: carries)
    let first = WorkThread {
      Trace.$id.withValue("first") { _ = store.dispatch(1) }
    }
    await entered.pass()
    let queued = Door()
    Task.detached(priority: .high) {
      Trace.$id.withValue("second") { _ = store.dispatch(2) }
      queued.open()
    }
    await queued.pass()
    release.signal()
    await onThread { first.join() }
    await store.settle()
    return seen.entries.sorted()
  }

  @Test(.conformance(93)) func anEffectSeesNoTaskLocalValueOfAnyDispatch() async {
    #expect(await Self.seen(carries: []) { Trace.id } == ["1 none", "2 none", "3 none"])
  }

  @Test(.conformance(93)) func aCarriedValueIsThatOfTheDispatchThatLedToTheEffect() async {
    let seen = await Self.seen(carries: [CarriedTaskLocal(Trace.$id)]) { Trace.id }
    #expect(seen == ["1 first", "2 second", "3 second"])
  }

  @Test(.conformance(93)) func anEffectRunsAtThePriorityOfTheDispatchThatLedToIt() async {
    let seen = await Self.seen(carries: []) { Task.currentPriority == .high ? "high" : "other" }
    #expect(seen == ["1 other", "2 high", "3 high"])
  }

  /// What the effect of action 3 reads. A thread handles action 1 with the value "first". In the meantime, `second`
  /// adds action 2 to the queue with the value "second". The first thread then processes it, and action 3 follows from
  /// an observer.
  static func seenAfterQueuedAction(
    cancelsObserver: Bool = false, observer: (Store<Int, Int>) -> Subscription, second: (Store<Int, Int>) async -> Void
  ) async -> [String] {
    let entered = Door()
    let release = Semaphore()
    let seen = Journal<String>()
    let kept = Locked<Subscription?>(nil)
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { $1 = $0 },
        middleware: Middleware { action, _, _ in
          switch action {
          case 1:
            entered.open()
            release.wait()
          case 2 where cancelsObserver: kept.withLock { $0.take() }?.cancel()
          case 3: return .fireAndForget { seen.write(Trace.id) }
          default: break
          }
          return .none
        }), carries: [CarriedTaskLocal(Trace.$id)])
    let subscription = observer(store)
    kept.withLock { $0 = subscription }
    let first = WorkThread { Trace.$id.withValue("first") { _ = store.dispatch(1) } }
    await entered.pass()
    await second(store)
    release.signal()
    await onThread { first.join() }
    await store.settle()
    subscription.cancel()
    return seen.entries
  }

  @Test(.conformance(93)) func anObserversDispatchBelongsToTheActionThatTheObserverIsCalledFor() async {
    let seen = await Self.seenAfterQueuedAction { store in
      store.subscribe { [weak store] in if $0 == 2 { store?.dispatch(3) } }
    } second: { store in
      await Trace.$id.withValue("second") { await Task { _ = store.dispatch(2) }.value }
    }
    #expect(seen == ["second"])
  }

  @Test(.conformance(93)) func theReleaseOfAnObserverBelongsToTheActionThatCancelledIt() async {
    let seen = await Self.seenAfterQueuedAction(cancelsObserver: true) { store in
      let model = RareReleaseTests.Model { [weak store] in _ = store?.dispatch(3) }
      return store.subscribe { [model] _ in _ = model }
    } second: { store in
      await Trace.$id.withValue("second") { await Task { _ = store.dispatch(2) }.value }
    }
    #expect(seen == ["second"])
  }

  @Test(.conformance(93)) func aDispatchOfAnObserverCarriesTheValuesOfAThreadWithoutATask() async {
    let seen = await Self.seenAfterQueuedAction { store in
      store.subscribe { [weak store] in if $0 == 2 { store?.dispatch(3) } }
    } second: { store in
      // Outside of a task, the priority of a thread is 0.
      await onThread { Trace.$id.withValue("second") { _ = store.dispatch(2) } }
    }
    #expect(seen == ["second"])
  }

  @Test(.conformance(93), arguments: [false, true])
  func anActionOfAKeptSenderCarriesTheValuesOfItsEffect(isBusy: Bool) async {
    let sender = Locked<Send<Int>?>(nil)
    let seen = Journal<String>()
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { $1 = $0 },
        middleware: Middleware { action, _, _ in
          switch action {
          case 1: return .run { send in sender.withLock { $0 = send } }
          case 2: Trace.$id.withValue("caller") { sender.withLock { $0 }?(3) }
          case 4: return .fireAndForget { seen.write(Trace.id) }
          default: break
          }
          return .none
        }), carries: [CarriedTaskLocal(Trace.$id)])
    await Trace.$id.withValue("effect") { store.dispatch(1) }.finish()
    let subscription = store.subscribe { if $0 == 3 { store.dispatch(4) } }
    if isBusy {
      store.dispatch(2)
    } else {
      let send = sender.withLock { $0 }
      Trace.$id.withValue("caller") { send?(3) }
    }
    await store.settle()
    #expect(seen.entries == ["effect"])
    subscription.cancel()
  }

  @Test(.conformance(93)) func aReusedTaskKeepsToItsDispatch() async {
    // The first effect's task is free when the effect of the second dispatch starts, but this effect must not reuse it.
    let seen = Journal<String>()
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { _, _ in },
        middleware: Middleware { action, _, _ in
          action < 20
            ? .task {
              seen.write(Trace.id); return action + 2
            } : .none
        }), carries: [CarriedTaskLocal(Trace.$id)])
    let tasks = [
      Trace.$id.withValue("even") { store.dispatch(0) },
      Trace.$id.withValue("odd") { store.dispatch(1) },
    ]
    for task in tasks { await task.finish() }
    #expect(seen.entries.count { $0 == "even" } == 10)
    #expect(seen.entries.count { $0 == "odd" } == 10)
  }

  @Test(.conformance(93)) func aFreeTaskDoesNotRunTheEffectOfAnotherDispatch() async {
    // The second dispatch comes while the first one's effect sends its last action, and is processed by the same
    // thread.
    let seen = Journal<String>()
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { $1 = $0 },
        middleware: Middleware { action, _, _ in
          switch action {
          case 1: .task { 2 }
          case 3: .fireAndForget { seen.write(Trace.id) }
          default: .none
          }
        }), carries: [CarriedTaskLocal(Trace.$id)])
    let subscription = store.subscribe { state in
      guard state == 2 else { return }
      WorkThread { Trace.$id.withValue("second") { _ = store.dispatch(3) } }.join()
    }
    await Trace.$id.withValue("first") { store.dispatch(1) }.finish()
    await store.settle()
    #expect(seen.entries == ["second"])
    subscription.cancel()
  }

  /// Each access to a closure that is the whole value of a mutex replaces it by a closure that calls the old one. The
  /// n-th call of `reduced()` then costs O(n). The soak test compares the times.
  @Test(.conformance(55)) func aCallOfReducedDoesNotReplaceTheClosureThatWaits() async {
    let kept = Journal<Send<Int>>()
    let store = Store<Int, Int>(
      initialState: 0, reducer: .identity, middleware: Middleware { _, _, _ in .run { kept.write($0) } })
    await store.dispatch(1).finish()
    // The bytes of the closure: its function and its context.
    func closure() -> [UInt8] {
      store.effects.queueWait.withLock { queue in unsafe withUnsafeBytes(of: queue) { unsafe Array($0) } }
    }
    let before = closure()
    for send in kept.entries { await send.reduced() }
    #expect(kept.count == 1)
    #expect(closure() == before)
  }
}
