import ReeluxTestSupport
import Testing

@testable import ReeluxCore

extension QueueTests {
  @Test(.conformance(14)) func theRunawayGuardNamesTheLoopAndKeepsTheOthers() {
    let reports = Journal<DispatchedAction<Action>>()
    let store = Store<Action, [Int]>(
      initialState: [],
      feature: Feature(
        reducer: Reducer { action, state in if case .value(let value) = action { state.append(value) } },
        middleware: Middleware { action, _, _ in
          switch action {
          case .from(0, 0): .send([.go, .value(1), .from(0, 1)])
          case .from(0, 1): .send(.value(2))
          case .go: .send(.go, info: "looping")
          default: .none
          }
        }),
      runawayGuard: RunawayGuard(limit: 1_000) { reports.write($0) })
    store.dispatch(.from(0, 0))
    #expect(store.state == [1, 2])
    #expect(reports.entries.map(\.action) == [.go])
    #expect(reports.entries.first?.source.info == "looping")
    #expect(reports.entries.first?.source.file == #fileID)
    store.dispatch(.value(3))
    #expect(store.state == [1, 2, 3])
  }

  @Test(.conformance(14)) func aChainAsLongAsTheLimitIsNoRunaway() {
    let reports = Journal<DispatchedAction<Action>>()
    let store = Store<Action, Int>(
      initialState: 0,
      feature: Feature(
        reducer: Reducer { _, count in count += 1 },
        middleware: Middleware { action, _, _ in
          guard case .value(let value) = action, value < 10 else { return .none }
          return .send(.value(value + 1))
        }),
      runawayGuard: RunawayGuard(limit: 10) { reports.write($0) })
    for _ in 0..<100 { store.dispatch(.value(0)) }
    #expect(store.state == 1_100)
    #expect(reports.count == 0)
  }

  @Test(.conformance(14), arguments: [false, true], [10, 0, -1])
  func anActionThatTheReportSendsIsProcessed(inAChild: Bool, limit: Int) {
    let looping = Middleware<Int, Int, Int> { action, _, _ in action == 7 ? .send(7) : .none }
    let root = Locked<Store<Int, Int>?>(nil)
    let child = Locked<ChildStore<Int, Int, Int, Int>?>(nil)
    // A guard that drops its own action too would report without end, so this report sends only a few.
    let reports = Journal<Int>()
    let runawayGuard = RunawayGuard<Int>(limit: limit) { looping in
      reports.write(looping.action)
      if reports.count > 3 { return }
      if inAChild { child.withLock { $0 }?.dispatch(100) } else { root.withLock { $0 }?.dispatch(100) }
    }
    let store = Store(
      initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 }, middleware: looping,
      runawayGuard: inAChild ? nil : runawayGuard)
    root.withLock { $0 = store }
    if inAChild {
      let part = store.child(
        initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 },
        middleware: Middleware { action, _, _ in action == 7 ? .send(7) : .none }, runawayGuard: runawayGuard)
      child.withLock { $0 = part }
      part.dispatch(7)
      #expect(part.state.local == (max(0, limit) + 1) * 7 + 100)
    } else {
      store.dispatch(7)
      #expect(store.state == (max(0, limit) + 1) * 7 + 100)
    }
    #expect(reports.entries == [7])
    root.withLock { $0 = nil }
    child.withLock { $0 = nil }
  }

  /// A value that dispatches an action with the next value when it is released.
  private final class Chain: Sendable {
    private let next: @Sendable () -> Void
    init(next: @escaping @Sendable () -> Void) { self.next = next }
    deinit { next() }
  }

  @Test(.conformance(14)) func aDispatchAtTheReleaseOfAQueuedActionBelongsToThisAction() {
    enum Link: Sendable {
      case begin, chain(Chain)
    }
    let reports = Journal<Int>()
    let store = Store<Link, Int>(
      initialState: 0, reducer: Reducer { _, count in count += 1 },
      runawayGuard: RunawayGuard(limit: 20) { _ in reports.write(1) })
    let sent = Journal<Int>()
    @Sendable func send(to store: Store<Link, Int>?) {
      sent.write(1)
      if sent.count > 100 { return }
      store?.dispatch(.chain(Chain { [weak store] in send(to: store) }))
    }
    let subscription = store.subscribe { [weak store] count in if count == 1 { send(to: store) } }
    store.dispatch(.begin)
    // The first action has generation 0, and those of the chain have 1 to 20. All later ones are dropped.
    #expect(store.state == 21)
    #expect(reports.count > 0)
    withExtendedLifetime(subscription) {}
  }

  @Test(.conformance(14, 61)) func aChildHasAGuardOfItsOwn() {
    let reports = Journal<DispatchedAction<Int>>()
    let root = Store<Action, Int>(initialState: 0, reducer: Reducer { $1 += $0 == .go ? 1 : 0 })
    // One of these actions is not mapped to an action of the root, and the other is.
    for endless in [7, 8] {
      let child = root.child(
        initialState: 0, reducer: Reducer<Int, Int> { $1 += $0 },
        middleware: Middleware { action, _, _ in
          switch action {
          case 0: .send([endless, 100])
          case 7, 8: .send(action, info: "looping")
          default: .none
          }
        },
        toRoot: { $0 == 8 ? .go : nil },
        runawayGuard: RunawayGuard(limit: 50) { reports.write($0) })
      child.dispatch(0)
      #expect(child.state.local == 50 * endless + 100)
    }
    #expect(root.state == 50)
    #expect(reports.entries.map(\.action) == [7, 8])
    #expect(reports.entries.allSatisfy { $0.source.info == "looping" })
  }

  @Test(.conformance(87)) func aFloodIsHandedOverInOrder() async {
    // This thread processes one slow action while another thread fills the queue.
    let entered = Semaphore()
    let release = Semaphore()
    let dispatching = Locked<UInt>(0)
    let here = Locked<[Int]>([])
    let all = Journal<Int>()
    let elsewhere = Journal<Int>()
    let isRunning = Locked<(@Sendable () -> Bool)?>(nil)
    let store = Store<Action, Int>(
      initialState: 0, reducer: Reducer { _, count in count += 1 },
      middleware: Middleware { action, _, _ in
        switch action {
        case .go:
          entered.signal()
          release.wait()
          // The actions that follow from an action do not count.
          return .send((0..<500).map { .from(0, $0) })
        case .value(let value):
          all.write(value)
          if isRunning.withLock({ $0 })?() == false { elsewhere.write(value) }
          if threadNumber() == dispatching.withLock({ $0 }) { here.withLock { $0.append(value) } }
          return .none
        case .from: return .none
        }
      })
    isRunning.withLock { $0 = { [weak store] in store?.core.isRunByCallingThread == true } }
    await onThread {
      let flood = WorkThread {
        entered.wait()
        for value in 0..<10_000 { store.dispatch(.value(value)) }
        release.signal()
      }
      dispatching.withLock { $0 = threadNumber() }
      store.dispatch(.go)
      dispatching.withLock { $0 = 0 }
      flood.join()
    }
    await store.settle()
    #expect(store.state == 10_501)
    #expect(here.withLock { $0 } == Array(0..<128))
    #expect(all.entries == Array(0..<10_000))
    // Each action was processed by the thread that the store knows as the one that runs the pipeline.
    #expect(elsewhere.entries == [])
  }
}
