import ReeluxTestSupport
import ReeluxTesting
import Testing

@testable import ReeluxCore

/// Facts that no other test checks, as deliberate defects have shown: see Scripts/reliability, `mutate`.
@Suite(.timeLimit(.minutes(15))) struct RareOrderTests {
  // MARK: Composition

  @Test(.conformance(34, 42, 46)) func composedFeaturesKeepTheirOrderInEveryPart() {
    let seen = Journal<Int>()
    func feature(_ digit: Int) -> Feature<Int, Int> {
      Feature(
        reducer: Reducer { _, state in state = state * 10 + digit },
        middleware: Middleware { _, _, _ in
          seen.write(digit)
          return .none
        },
        interceptor: Interceptor { action, _, _ in .replace(action * 10 + digit) })
    }
    let actions = Journal<Int>()
    let spy = Feature<Int, Int>(
      middleware: Middleware { action, _, _ in
        actions.write(action)
        return .none
      })
    let store = Store(initialState: 0, feature: feature(1) <> feature(2) <> spy)
    store.dispatch(0)
    #expect(store.state == 12)
    #expect(seen.entries == [1, 2])
    #expect(actions.entries == [12])
  }

  // MARK: Time

  /// A clock on which each sleep ends 300 ms late and the fifth one throws.
  private final class LateClock: Clock {
    typealias Instant = TestInstant
    private let contents = Locked<(now: TestInstant, deadlines: [TestInstant])>((TestInstant(), []))

    var now: TestInstant { contents.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    var deadlines: [Duration] { contents.withLock { $0.deadlines.map(\.offset) } }

    func sleep(until deadline: TestInstant, tolerance: Duration?) async throws {
      let count = contents.withLock { contents in
        contents.deadlines.append(deadline)
        contents.now = deadline.advanced(by: .milliseconds(300))
        return contents.deadlines.count
      }
      if count == 5 { throw CancellationError() }
    }
  }

  @Test(.conformance(53)) func aLateTickDoesNotShiftTheFollowingOnes() async {
    let clock = LateClock()
    let store = Store<Int, Int>(
      initialState: 0, reducer: Reducer { $1 += $0 },
      middleware: Middleware { action, _, _ in
        action == 0 ? .timer(id: "t", every: .seconds(1), clock: clock) { 1 } : .none
      })
    await store.dispatch(0).finish()
    #expect(clock.deadlines == [.seconds(1), .seconds(2), .seconds(3), .seconds(4), .seconds(5)])
    #expect(store.state == 4)
  }

  @Test(.conformance(53), arguments: [Duration.zero, .seconds(-1)])
  func aTimerWithoutAnIntervalSendsNothing(interval: Duration) async {
    let clock = LateClock()
    let store = Store<Int, Int>(
      initialState: 0, reducer: Reducer { $1 += $0 },
      middleware: Middleware { action, _, _ in
        action == 0 ? .timer(id: "t", every: interval, clock: clock) { 1 } : .none
      })
    await store.dispatch(0).finish()
    #expect(clock.deadlines.isEmpty)
    #expect(store.state == 0)
  }

  @Test(.conformance(53)) func aThrottledFollowUpOfACancelledActionDoesNotBegin() async {
    let clock = TestClock()
    let store = TestStore<Int, [Int]>(
      initialState: [], reducer: Reducer { $1.append($0) },
      middleware: Middleware { action, _, _ in
        action < 100 ? .send(100 + action).throttle(id: "t", for: .seconds(1), clock: clock) : .none
      }, exhaustivity: .none)
    await store.send(1)
    await store.send(2).cancel()
    await clock.advance(by: .seconds(2))
    await store.settle()
    #expect(store.store.state == [1, 101, 2])
  }

  // MARK: Context

  enum First { @TaskLocal static var value = "none" }
  enum Second { @TaskLocal static var value = "none" }

  @Test(.conformance(93)) func everyCarriedValueReachesTheEffect() async {
    let seen = Journal<[String]>()
    let store = Store<Int, Int>(
      initialState: 0,
      feature: Feature(
        middleware: Middleware { _, _, _ in .fireAndForget { seen.write([First.value, Second.value]) } }),
      carries: [CarriedTaskLocal(First.$value), CarriedTaskLocal(Second.$value)])
    let task = First.$value.withValue("a") { Second.$value.withValue("b") { store.dispatch(0) } }
    await task.finish()
    #expect(seen.entries == [["a", "b"]])
  }

  /// Cancels an effect when its work has begun, while its task is being created.
  private final class CancellingExecutor: TaskExecutor {
    let run: EffectRun
    let hasBegun = Semaphore()
    init(_ run: EffectRun) { self.run = run }

    func enqueue(_ job: consuming ExecutorJob) {
      globalConcurrentExecutor.enqueue(UnownedJob(job))
      if run.isCancelled { return }
      hasBegun.wait()
      run.table.cancel(run)
    }
  }

  @Test func anEffectThatIsCancelledWhileItsTaskIsMadeRunsCancelled() async {
    let table = EffectTable()
    let run = EffectRun(in: table, owner: EffectOwner(), group: nil)
    _ = table.register(run)
    let door = Door()
    let seen = Journal<Bool>()
    let executor = CancellingExecutor(run)
    run.work = { _ in
      executor.hasBegun.signal()
      await door.pass()
      seen.write(Task.isCancelled)
    }
    await onThread { run.createTask(on: executor) }
    door.open()
    await seen.reaches(count: 1)
    #expect(seen.entries == [true])
  }

  // MARK: Children and projections

  @Test func theEndOfAChildIsToldToItsObserversOnce() {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    var child: ChildStore<Int, Int, Int, Int>? = store.child(initialState: 0, reducer: Reducer { $1 += $0 })
    let (ends, cancelled) = (Journal<Int>(), Journal<Int>())
    let kept = child?.subscribe(end: { ends.write(1) }, { _ in })
    child?.subscribe(end: { cancelled.write(1) }, { _ in }).cancel()
    child = nil
    #expect(ends.count == 1)
    #expect(cancelled.count == 0)
    withExtendedLifetime(kept) {}
  }

  @Test func aSubscriberOfAnEndedChildGetsItsStateAndThenTheEnd() {
    let store = Store<Int, Int>(initialState: 0, reducer: Reducer { $1 += $0 })
    var child: ChildStore<Int, Int, Int, Int>? = store.child(initialState: 7, reducer: Reducer { $1 += $0 })
    let selection = child?.select(\.local)
    child = nil
    let calls = Journal<String>()
    let kept = selection?.subscribe(end: { calls.write("end") }) { calls.write("\($0)") }
    #expect(calls.entries == ["7", "end"])
    withExtendedLifetime(kept) {}
  }

  @Test func theResultOfAnOlderChangeDoesNotReplaceANewerOne() {
    let buffer = ProjectionBuffer<String>()
    #expect(buffer.value(change: 2, mayWait: false) { "new" } == "new")
    #expect(buffer.value(change: 1, mayWait: false) { "old" } == "old")
    #expect(buffer.value(change: 2, mayWait: false) { "again" } == "new")
  }

  // MARK: Parts of the state

  struct Inner: Sendable { var x = 0, y = 0 }
  struct Outer: Sendable {
    var before = 0
    var inner = Inner()
    var after = 0
    var items = [10, 20]
    var sheet: Int? = 1
  }
  enum Action: Sendable {
    case part(Int)
    case change(@Sendable (inout Outer) -> Void)
    case cancelSheet, cancelBefore
  }
  static let part = Prism(case: Action.part) { if case .part(let it) = $0 { it } else { nil } }
  static let root = Feature<Action, Outer>(
    reducer: .partial { action, state in
      guard case .change(let change) = action else { return false }
      change(&state)
      return true
    },
    middleware: Middleware { action, _, _ in
      switch action {
      case .cancelSheet: .cancel(everythingIn: \Outer.sheet)
      case .cancelBefore: .cancel(everythingIn: \Outer.before)
      case .part, .change: .none
      }
    })

  @Test(.conformance(103)) func anObserverOfANeighbourIsNotCalledForAPropertyOfAProperty() {
    let reducer = Reducer<Int, Int> { $1 += $0 }.lift(action: .identity, state: \Inner.x)
      .lift(action: Self.part, state: \Outer.inner)
    let store = Store(initialState: Outer(), feature: Feature(reducer: reducer))
    let (before, after, inner) = (Journal<Int>(), Journal<Int>(), Journal<Int>())
    let subscriptions = [
      store.select(everyTouch: \.before).subscribe { before.write($0) },
      store.select(everyTouch: \.after).subscribe { after.write($0) },
      store.select(everyTouch: \.inner.x).subscribe { inner.write($0) },
    ]
    store.dispatch(.part(3))
    #expect(before.entries == [0])
    #expect(after.entries == [0])
    #expect(inner.entries == [0, 3])
    withExtendedLifetime(subscriptions) {}
  }

  /// Effects that add their action's number to their element when the door opens.
  private static func adding(_ door: Door) -> Feature<Int, Int> {
    Feature(
      reducer: .partial { action, count in
        guard action < 0 else { return false }
        count -= action
        return true
      },
      middleware: Middleware { action, _, _ in
        guard action > 0 else { return .none }
        return .task {
          await door.pass()
          return -action
        }
      })
  }

  @Test(.conformance(88, 99)) func theEffectOfTheLastElementEndsWhenItGoes() async {
    let door = Door()
    let store = Store(
      initialState: Outer(),
      feature: Feature {
        Self.root
        Self.adding(door).lift(action: Self.part, each: \Outer.items)
      })
    let task = store.dispatch(.part(5))
    store.dispatch(.change { $0.items.removeLast() })
    door.open()
    await task.finish()
    await store.settle()
    // The effect of the first element responded, and its response reached the only remaining element.
    #expect(store.state.items == [15])
  }

  @Test(.conformance(90)) func anEffectThatIsDetachedAroundItsPartOutlivesThePart() async {
    let door = Door()
    let inner =
      Middleware<Action, Action, Outer>.identity
      <> Self.adding(door).lift(action: Self.part, optional: \Outer.sheet).middleware
    let outer = Middleware<Action, Action, Outer> { action, source, state in
      inner.handle(action: action, from: source, state: state).detached()
    }
    let store = Store(
      initialState: Outer(),
      feature: Feature {
        Self.root
        Feature(
          reducer: Self.adding(door).reducer.lift(action: Self.part, optional: \Outer.sheet), middleware: outer)
      })
    let task = store.dispatch(.part(5))
    store.dispatch(.change { $0.sheet = nil })
    store.dispatch(.change { $0.sheet = 100 })
    door.open()
    await task.finish()
    #expect(store.state.sheet == 105)
  }

  /// Keeps a feed open that sends an action when the door opens.
  private struct Feeding: FeedingMiddleware {
    let door: Door
    let cancelled: Journal<Bool>

    func handle(action: Int, from source: ActionSource, state: GetState<Int>) -> Effect<Int> { .none }

    func feeds(for state: Int) -> [Feed<Int>] {
      [
        Feed(key: "feed") { send in
          await door.pass()
          cancelled.write(Task.isCancelled)
          send(-7)
        }
      ]
    }
  }

  @Test(.conformance(90)) func cancellingEverythingInAPartLeavesItsFeedsOpen() async {
    let door = Door()
    let cancelled = Journal<Bool>()
    let store = Store(
      initialState: Outer(),
      feature: Feature {
        Self.root
        Feature(
          reducer: Self.adding(door).reducer, middleware: Middleware(Feeding(door: door, cancelled: cancelled))
        ).lift(action: Self.part, optional: \Outer.sheet)
      })
    await door.isReached()
    store.dispatch(.cancelSheet)
    door.open()
    await cancelled.reaches(count: 1)
    #expect(cancelled.entries == [false])
    await store.reaches { $0.sheet == 8 }
  }

  @Test(.conformance(90)) func cancellingEverythingInAPropertyLeavesItsFeedsOpen() async {
    let door = Door()
    let cancelled = Journal<Bool>()
    let store = Store(
      initialState: Outer(),
      feature: Feature {
        Self.root
        Feature(
          reducer: Self.adding(door).reducer, middleware: Middleware(Feeding(door: door, cancelled: cancelled))
        ).lift(action: Self.part, state: \Outer.before)
      })
    await door.isReached()
    store.dispatch(.cancelBefore)
    door.open()
    await cancelled.reaches(count: 1)
    #expect(cancelled.entries == [false])
    await store.reaches { $0.before == 7 }
  }
}
