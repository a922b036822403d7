@testable import ReeluxCore
import ReeluxTestSupport
import Testing

/// Releases, cancellations and subscriptions at rare moments.
@Suite(.timeLimit(.minutes(15))) struct RareReleaseTests {
  /// An object that calls a closure when it is released.
  final class Model: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void = {}) { self.end = end }
    deinit { end() }
  }

  /// Adds positive numbers, and accepts no other ones.
  private static let sum = Reducer<Int, Int>.partial { number, sum in
    if number > 0 { sum += number }
    return number > 0
  }

  /// A subscription that is the only owner of a model.
  private static func subscription(
    _ store: Store<Int, Int>, _ end: @escaping @Sendable () -> Void = {}
  ) -> (Subscription, Weak<Model>) {
    let model = Model(end)
    return (store.subscribe { [model] _ in _ = model }, Weak(model))
  }

  @Test(.conformance(6), arguments: [true, false])
  func anObserverThatAMiddlewareCancelsMayDispatchAtItsRelease(isFollowUp: Bool) {
    let kept = Locked<Subscription?>(nil)
    let store = Store(
      initialState: 0, reducer: Self.sum,
      middleware: Middleware { number, _, _ in
        if number == -2 { return .send(-1) }
        if number == -1 { kept.withLock { $0.take() }?.cancel() }
        return .none
      })
    let (subscription, model) = Self.subscription(store) { [weak store] in _ = store?.dispatch(5) }
    kept.withLock { $0 = subscription }
    store.dispatch(isFollowUp ? -2 : -1)
    #expect(model.object == nil)
    #expect(store.state == 5)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(6), arguments: [0, 1])
  func anObserverThatTheReleaseOfAnotherOneCancelsIsReleasedBeforeTheStoreIsIdle(followUps: Int) {
    let kept = Locked<Subscription?>(nil)
    let store = Store(
      initialState: 0, reducer: Self.sum,
      middleware: Middleware { number, _, _ in
        if number < 0 { return .send(number + 1) }
        kept.withLock { $0.take() }?.cancel()
        return .none
      })
    let (last, model) = Self.subscription(store)
    kept.withLock { $0 = last }
    for _ in 0..<3 {
      // The observer is the only owner of the next subscription.
      let next = kept.withLock { $0.take() }
      let owner = Model { next?.cancel() }
      kept.withLock { $0 = store.subscribe { [owner] _ in _ = owner } }
    }
    store.dispatch(-followUps)
    #expect(model.object == nil)
    #expect(store.observerCount == 0)
  }

  private enum Carried { @TaskLocal static var model: Model? }

  @Test(.conformance(6)) func anObserverThatTheReleaseOfACarriedValueCancelsIsReleasedBeforeTheStoreIsIdle() {
    let cancel = Locked<(@Sendable () -> Void)?>(nil)
    let store = Store(
      initialState: 0, reducer: Self.sum,
      middleware: Middleware { number, _, _ in
        if number == 1 { cancel.withLock { $0.take() }?() }
        return .none
      }, carries: [CarriedTaskLocal(Carried.$model)])
    let (subscription, model) = Self.subscription(store)
    cancel.withLock { dispatch in
      dispatch = { [weak store] in
        // The action waits in the queue, with the only reference to the value.
        Carried.$model.withValue(Model(subscription.cancel)) { _ = store?.dispatch(2) }
      }
    }
    store.dispatch(1)
    #expect(store.state == 3)
    #expect(model.object == nil)
    #expect(store.observerCount == 0)
  }

  private struct Holder: Sendable {
    var model: Model?
  }

  @Test(.conformance(64)) func aPartIsReleasedWhileALaterEffectOfItsDispatchRuns() async {
    let (running, released) = (Door(), Door())
    let part = Middleware<Int, Int, Model> { number, _, state in
      number == 1 ? .task { withExtendedLifetime(state()) { 2 } } : .none
    }
    let whole = Middleware<Int, Int, Holder> { number, _, _ in
      number == 2 ? .run { _ in await running.pass() } : .none
    }
    let feature = Feature<Int, Holder> {
      Feature(middleware: part).lift(action: .identity, optional: \.model)
      whole
      Reducer.partial { number, holder in
        if number == 3 { holder.model = nil }
        return number == 3
      }
    }
    let store = Store(initialState: Holder(model: Model { released.open() }), feature: feature)
    store.dispatch(1)
    await running.isReached()
    store.dispatch(3)
    // The later effect must not retain the effect of the part. If it did, this would wait until the time limit.
    await released.pass()
    running.open()
    await store.settle()
  }

  @Test(.conformance(15)) func theActionsOfAnInterceptorMayReadTheStateAtTheirRelease() {
    let reads = Journal<Int>()
    let read = Locked<(@Sendable () -> Void)?>(nil)
    let store = Store<Model?, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { _, count in count += 1 },
        interceptor: Interceptor { model, _, _ in
          if model != nil { return .pass }
          return .multiply((0..<2).map { _ in Model { read.withLock { $0 }?() } })
        }))
    read.withLock { $0 = { [weak store] in if let store { reads.write(store.state) } } }
    store.dispatch(nil)
    #expect(reads.entries == [2, 2])
  }

  @Test(.conformance(26)) func anObserverThatAChildsMiddlewareCancelsIsReleased() {
    let kept = Locked<Subscription?>(nil)
    let store = Store(initialState: 0, reducer: Self.sum)
    let child = store.child(
      initialState: 0, reducer: Self.sum,
      middleware: Middleware { _, _, _ in
        kept.withLock { $0.take() }?.cancel()
        return .none
      })
    let (subscription, model) = Self.subscription(store)
    kept.withLock { $0 = subscription }
    child.dispatch(-1)
    #expect(model.object == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(26)) func anObserverThatAMappedActionOfAChildCancelsIsReleased() {
    let kept = Locked<Subscription?>(nil)
    let store = Store(initialState: 0, reducer: Self.sum)
    let child = store.child(
      initialState: 0, reducer: Self.sum,
      middleware: Middleware { _, _, _ in .afterReducer { _ in kept.withLock { $0.take() }?.cancel() } },
      toRoot: { $0 })
    let (subscription, model) = Self.subscription(store)
    kept.withLock { $0 = subscription }
    child.dispatch(-1)
    #expect(model.object == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(31, 32)) func neitherASelectionOfAChildNorItsStatesKeepTheChild() {
    let store = Store(initialState: 0, reducer: Self.sum)
    var child: ChildStore<Int, Int, Int, Int>? = store.child(initialState: 0, reducer: Self.sum)
    let weakChild = child.map { Weak($0) }
    let kept: [Any?] = [
      child?.select { $0.local }, child?.select(by: ==) { $0.local }, child?.select(present: { Optional($0.local) }),
      child?.states,
    ]
    child = nil
    #expect(weakChild?.object == nil)
    withExtendedLifetime(kept) {}
  }

  /// A store whose pipeline another thread runs, inside of a middleware, until `goOn` is called. `goOn` returns when
  /// that thread has left the pipeline.
  private final class BusyStore: Sendable {
    let store: Locked<Store<Int, Int>?>
    let goOn: @Sendable () -> Void

    init(emits: ShouldEmitValue<Int> = .whenReduced) {
      let (isInside, mayGoOn) = (Semaphore(), Semaphore())
      let busy = Store(
        initialState: 0, reducer: RareReleaseTests.sum,
        middleware: Middleware { number, _, _ in
          if number == 1 {
            isInside.signal()
            mayGoOn.wait()
          }
          return .none
        }, emits: emits)
      let core = Weak(busy)
      let thread = WorkThread { core.object?.dispatch(1) }
      isInside.wait()
      store = Locked(busy)
      goOn = {
        mayGoOn.signal()
        thread.join()
      }
    }
  }

  @Test(.conformance(31)) func aSubscriptionDuringTheReleaseOfTheStoreEnds() async {
    let events = await onThread { () -> [String] in
      let busy = BusyStore()
      let selection = busy.store.withLock { $0?.select { $0 } }
      let events = Journal<String>()
      let subscription = selection?.subscribe(end: { events.write("end") }) { _ in
        events.write("state")
        _ = busy.store.withLock { $0.take() }
        busy.goOn()
      }
      withExtendedLifetime(subscription) {}
      return events.entries
    }
    #expect(events == ["state", "end"])
  }

  @Test(.conformance(21, 23), arguments: [true, false])
  func aSubscriberOfABusyStoreGetsWhatThePolicyEmits(emits: Bool) async {
    let states = await onThread { () -> [Int] in
      let busy = BusyStore(emits: .when { _, _ in emits })
      let states = Journal<Int>()
      let subscription = busy.store.withLock { $0 }?.subscribe { states.write($0) }
      busy.goOn()
      withExtendedLifetime(subscription) {}
      return states.entries
    }
    #expect(states == (emits ? [0, 1] : [0]))
  }

  @Test(.conformance(27)) func aDetachedSubscriptionOfAChildLastsAsLongAsTheChild() {
    let store = Store(initialState: 0, reducer: Self.sum)
    let states = Journal<Int>()
    do {
      let child = store.child(initialState: 0, reducer: Self.sum)
      child.subscribe { states.write($0.root) }.detach()
      child.select { $0.local }.subscribe { states.write(-$0) }.detach()
      store.dispatch(1)
      child.dispatch(2)
      withExtendedLifetime(child) {}
    }
    store.dispatch(3)
    #expect(states.entries == [0, 0, 1, 1, -2])
    #expect(store.observerCount == 0)
  }

  @Test(.conformance(26)) func detachingReleasesTheTeardownAfterTheLock() {
    let kept = Locked<Subscription?>(nil)
    let model = Locked<Model?>(Model { kept.withLock { $0 }?.cancel() })
    let subscription = Subscription { [held = model.withLock { $0.take() }] in withExtendedLifetime(held) {} }
    kept.withLock { $0 = subscription }
    subscription.detach()
    kept.withLock { $0 = nil }
  }

  private static let source = ActionSource(file: #fileID, function: #function, line: #line)

  private enum Trace { @TaskLocal static var model: Model? }

  @Test(.conformance(93)) func aCarriedTaskLocalValueIsReleasedAfterItsAction() {
    let store = Store(initialState: 0, reducer: Self.sum, carries: [CarriedTaskLocal(Trace.$model)])
    let carried = Locked<Weak<Model>?>(nil)
    // The action waits in the queue, which keeps the value for it.
    let subscription = store.subscribe { [weak store] sum in
      guard sum == 1 else { return }
      let model = Model()
      carried.withLock { $0 = Weak(model) }
      Trace.$model.withValue(model) { _ = store?.dispatch(2) }
    }
    store.dispatch(1)
    #expect(store.state == 3)
    #expect(carried.withLock { $0 != nil && $0?.object == nil })
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(56)) func anActionThatIsDiscardedWithItsStoreCountsAsFinished() {
    let store = Store(initialState: 0, reducer: Self.sum, carries: [CarriedTaskLocal(Trace.$model)])
    let waiting = Locked<ActionTask?>(nil)
    let subscription = store.subscribe { [core = store.core] sum in
      switch sum {
      case 1:
        WorkThread {
          _ = core.dispatch(2, from: Self.source)
          core.close()
        }.join()
      case 3:
        // The thread that runs the pipeline has taken this action and the end of the store from the queue.
        WorkThread { waiting.withLock { $0 = ActionTask(core.dispatch(4, from: Self.source), core) } }.join()
      default: break
      }
    }
    store.dispatch(1)
    #expect(store.state == 3)
    #expect(waiting.withLock { $0?.isFinished } == true)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(61, 64)) func aSubscriptionDoesNotRetainAReleasedChild() {
    let store = Store(initialState: 0, reducer: Self.sum)
    let (calls, ends) = (Journal<Int>(), Journal<Void>())
    var model: Weak<Model>?
    var subscription: Subscription?
    do {
      let local = Model()
      model = Weak(local)
      let child = store.child(initialState: local, reducer: Reducer<Int, Model> { _, _ in })
      subscription = child.subscribe(end: { ends.write(()) }) { calls.write($0.root) }
    }
    #expect(model?.object == nil)
    #expect(ends.count == 1)
    store.dispatch(1)
    #expect(calls.entries == [0])
    #expect(store.observerCount == 0)
    subscription?.cancel()
    #expect(ends.count == 1)
  }

  @Test(.conformance(88, 96)) func anEffectOfAChildsElementEndsIfOnlyTheChildAcceptsTheRemoval() async {
    enum Local: Sendable { case go, answer }
    enum Action: Sendable { case row(ElementAction<Int, Local>), set([Int: Int]) }
    let door = Door()
    let row = Feature<Local, Int>(
      reducer: Reducer { action, answers in if case .answer = action { answers += 1 } },
      middleware: Middleware { action, _, _ in
        guard case .go = action else { return .none }
        return .task {
          await door.pass()
          return .answer
        }
      })
    let store = Store(initialState: 0, reducer: Self.sum)
    let child = store.child(
      initialState: [1: 0],
      feature: Feature<Action, [Int: Int]> {
        Reducer(Prism(case: Action.set) { if case .set(let it) = $0 { it } else { nil } }) { $1 = $0 }
        row.lift(
          action: Prism(case: Action.row) { if case .row(let it) = $0 { it } else { nil } }, element: .byKey(\.self))
      }, toRoot: { _ in -1 })
    let task = child.dispatch(.row(ElementAction(1, .go)))
    child.dispatch(.set([:]))
    child.dispatch(.set([1: 0]))
    door.open()
    await task.finish()
    #expect(child.state.local == [1: 0])
  }
}
